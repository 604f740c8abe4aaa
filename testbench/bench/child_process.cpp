#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>

#include "testbench/bench/measurement.h"
#include "testbench/support/in_child.h"

namespace mrcnic::bench {

Measurement run_in_child(const Case& chosen, std::uint64_t packets)
{
    const auto body = [&chosen, packets] {
        const Measurement measurement = chosen.run(packets);
        return std::string(reinterpret_cast<const char*>(&measurement), sizeof measurement);
    };
    const testbench::ChildResult child = testbench::in_child(body, std::chrono::hours{1});
    Measurement measurement;
    if (!child.ended_well() || child.answer.size() != sizeof measurement) {
        throw std::runtime_error{"case " + std::string{chosen.name} + ": " + child.describe() + ": " + child.text};
    }
    std::memcpy(&measurement, child.answer.data(), sizeof measurement);
    return measurement;
}

}  // namespace mrcnic::bench
