#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mrcnic::bench {

/// What one run did. Plain data: it goes from a child process to its parent as it is.
struct Measurement {
    std::uint64_t packets{0};        ///< data packets sent
    std::uint64_t kernel_events{0};  ///< activations of processes; with an agenda: its instants
    std::uint64_t entries{0};        ///< things that the agenda carried out
    std::uint64_t allocations{0};    ///< while the kernel ran
    std::int64_t built_bytes{0};     ///< held when all was built and connected, before the first event
    std::uint64_t cpu_ns{0};         ///< while the kernel ran
};

/// What can be measured, by name.
struct Case {
    std::string_view name;
    std::string_view description;
    std::uint64_t packets;  ///< about so many, by default
    Measurement (*run)(std::uint64_t packets);
};

inline constexpr std::size_t kCaseCount = 13;
/// Two skeletons and the platforms.
[[nodiscard]] const std::array<Case, kCaseCount>& cases();
/// @throws std::invalid_argument if there is none of this name
[[nodiscard]] const Case& find_case(std::string_view name);

/// Runs the case in a process of its own, because a SystemC kernel runs once per process.
/// @throws std::runtime_error if it does not end well
[[nodiscard]] Measurement run_in_child(const Case& chosen, std::uint64_t packets);

}  // namespace mrcnic::bench
