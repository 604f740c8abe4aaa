#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <systemc>

#include "mrcnic/base/ring_queue.h"
#include "mrcnic/base/time.h"

namespace mrcnic::bench {

/// A place that packets pass in order, with an event and a method of its own: queues and times, nothing else.
class Stage : public sc_core::sc_module {
public:
    enum class Kind {
        serial,  ///< one transfer after another
        delay    ///< any number under way
    };
    struct Parameters {
        Kind kind{Kind::serial};
        Picoseconds duration{0};     ///< of a transfer
        std::uint32_t transfers{1};  ///< of a packet, each an event
    };

    Stage(const sc_core::sc_module_name& name, const Parameters& parameters);

    void then(Stage& next) noexcept { next_ = &next; }
    /// A packet comes in now.
    void enter();

    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }

protected:
    /// A packet leaves: hands it to the next stage.
    virtual void leave() { next_->enter(); }

private:
    void transfer_ended();
    void arm(sc_core::sc_time now);

    Parameters parameters_;
    Stage* next_{nullptr};
    sc_core::sc_event due_;
    RingQueue<sc_dt::uint64> waiting_;  // when each came in
    std::uint32_t transfers_left_{0};
    std::uint64_t events_{0};
};

/// Two hosts that exchange packets of 4 KB in a window, as a skeleton of the model: the least that its grain can cost.
class Skeleton : public sc_core::sc_module {
public:
    enum class Grain {
        stage,    ///< F6: an event for request, completion, wire, arrival, write, ACK
        transfer  ///< F21: an event for each PCIe transfer, and for wire and arrival of the ACK
    };

    /// @param packets  of both directions, an even number
    Skeleton(const sc_core::sc_module_name& name, Grain grain, std::uint64_t packets);

    [[nodiscard]] std::uint64_t events() const noexcept;
    [[nodiscard]] std::uint64_t acknowledged() const noexcept;

private:
    class LastStage;
    struct Direction {
        std::vector<std::unique_ptr<Stage>> stages;
        LastStage* last{nullptr};
    };

    void add_direction(const std::string& name, Grain grain, std::uint64_t packets);
    void start_of_simulation() override;

    std::vector<Direction> directions_;
};

}  // namespace mrcnic::bench
