#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/destination.h"

namespace mrcnic::transport {
namespace {

/// A destination with queue pairs 1..n.
struct DestinationBench {
    config::CongestionControlConfig congestion;
    Destination destination;
    std::vector<std::unique_ptr<SendQueuePair>> queue_pairs;

    explicit DestinationBench(std::uint32_t count, std::uint32_t window_packets = 108)
        : congestion{with_window(window_packets)},
          destination{1, 60, CongestionWindow{Nscc{congestion, 400'000'000'000, 4096, 4156, false, 0}, false},
                      PathSelector{{}, 0}}
    {
        for (std::uint32_t number = 1; number <= count; ++number) {
            queue_pairs.push_back(std::make_unique<SendQueuePair>(SendQueuePair::Parameters{number, 4096, 128},
                                                                  AckPolicy{{}}, destination));
            destination.add(*queue_pairs.back());
        }
    }
    [[nodiscard]] static config::CongestionControlConfig with_window(std::uint32_t packets)
    {
        config::CongestionControlConfig config;
        config.override_max_congestion_window = true;
        config.max_congestion_window = packets;
        return config;
    }
    SendQueuePair& qp(std::uint32_t number) { return *queue_pairs[number - 1]; }
    void post(std::uint32_t number, std::uint64_t bytes) { qp(number).post({1, number, bytes, 0, 0}); }
    /// One turn. @return number of the queue pair that sent, 0 if none could
    std::uint32_t turn()
    {
        const auto choice = destination.choose();
        if (!choice) {
            return 0;
        }
        (void)choice->queue_pair->take_segment();
        destination.enter_flight(*choice->queue_pair->find(choice->item.psn));
        destination.has_sent(*choice->queue_pair);
        return choice->queue_pair->number();
    }
    std::vector<std::uint32_t> turns(std::size_t count)
    {
        std::vector<std::uint32_t> result;
        for (std::size_t i = 0; i < count; ++i) {
            result.push_back(turn());
        }
        return result;
    }
};

using Turns = std::vector<std::uint32_t>;

// [TR-47] Queue pairs take turns; one without work is passed.
TEST(Destination, QueuePairsTakeTurns)
{
    DestinationBench bench{3};
    EXPECT_FALSE(bench.destination.has_work());
    bench.post(1, 3 * 4096);
    bench.post(3, 2 * 4096);
    EXPECT_EQ(bench.turns(3), (Turns{1, 3, 1}));
    bench.post(2, 4096);
    EXPECT_EQ(bench.turns(4), (Turns{2, 3, 1, 0}));
    EXPECT_FALSE(bench.destination.has_work());
}

// [TR-47] The first whose next item fits: a smaller packet of the next QP may go where a large one of its turn does
// not.
TEST(Destination, FirstThatFitsTheWindow)
{
    DestinationBench bench{2, 2};  // 8,312 nominal bytes
    bench.post(1, 3 * 4096);
    bench.post(2, 100);
    EXPECT_EQ(bench.turn(), 1U);
    EXPECT_EQ(bench.turn(), 2U);  // 4,156 + 160
    EXPECT_EQ(bench.turn(), 0U);  // [TR-49] 3,996 left, the next is 4,156
    EXPECT_TRUE(bench.destination.has_work());
    bench.post(2, 3936);  // 3,996 nominal bytes: exactly
    EXPECT_EQ(bench.turn(), 2U);
}

// [TR-47] [TR-18] A queue pair at the end of the receiver's window is passed.
TEST(Destination, PassesAClosedPsnWindow)
{
    DestinationBench bench{2, 1000};
    bench.post(1, 129 * 4096);
    EXPECT_EQ(bench.turns(128), Turns(128, 1));
    EXPECT_EQ(bench.turn(), 0U);
    bench.post(2, 2 * 4096);
    EXPECT_EQ(bench.turns(3), (Turns{2, 2, 0}));
}

// [TR-47] Closing a queue pair does not move the ring.
TEST(Destination, ClosingKeepsTheRing)
{
    DestinationBench bench{4};
    for (std::uint32_t number = 1; number <= 4; ++number) {
        bench.post(number, 8 * 4096);
    }
    EXPECT_EQ(bench.turns(2), (Turns{1, 2}));
    bench.destination.remove(bench.qp(1));
    EXPECT_EQ(bench.turns(4), (Turns{3, 4, 2, 3}));
    bench.destination.remove(bench.qp(4));  // whose turn it is
    EXPECT_EQ(bench.turns(2), (Turns{2, 3}));
    bench.destination.remove(bench.qp(2));
    bench.destination.remove(bench.qp(3));
    EXPECT_EQ(bench.turn(), 0U);
}

// [CC-12] Nominal bytes = payload + header share.
TEST(Destination, NominalBytes)
{
    DestinationBench bench{1};
    EXPECT_EQ(bench.destination.nominal(4096), 4156U);
    EXPECT_EQ(bench.destination.nominal(0), 60U);
}

// [CC-20] [TR-74] F counts a packet from its fetch; handed down is a part of it; both lose it when it leaves, once.
TEST(Destination, Flight)
{
    DestinationBench bench{1};
    bench.post(1, 2 * 4096);
    EXPECT_EQ(bench.turns(2), (Turns{1, 1}));
    CongestionWindow& window = bench.destination.window();
    EXPECT_EQ(window.in_flight(), 8'312U);
    EXPECT_EQ(window.handed_down(), 0U);
    (void)bench.qp(1).hand_off(0, 256);
    window.add_handed_down(4'156);
    bench.destination.leave_flight(*bench.qp(1).find(0));
    EXPECT_EQ(window.in_flight(), 4'156U);
    EXPECT_EQ(window.handed_down(), 0U);
    bench.destination.leave_flight(*bench.qp(1).find(1));  // never handed down
    EXPECT_EQ(window.in_flight(), 0U);
    EXPECT_EQ(window.handed_down(), 0U);
    bench.qp(1).queue_repetition(0, *bench.qp(1).find(0));
    bench.destination.leave_flight(*bench.qp(1).find(0));  // has left already
    EXPECT_EQ(window.in_flight(), 0U);
}

// [TR-50] Head, tail, and a queued one keeps its place. [TR-49] Leaving.
TEST(ReadyQueue, HeadAndTail)
{
    DestinationBench a{0};
    DestinationBench b{0};
    DestinationBench c{0};
    ReadyQueue queue;
    EXPECT_EQ(queue.head(), nullptr);
    queue.put_at_tail(a.destination);
    queue.put_at_tail(b.destination);
    queue.put_at_head(c.destination);
    EXPECT_EQ(queue.head(), &c.destination);
    queue.put_at_head(b.destination);  // queued already
    EXPECT_EQ(queue.head(), &c.destination);
    queue.put_at_tail(c.destination);
    EXPECT_EQ(queue.head(), &c.destination);
    queue.remove(a.destination);  // from the middle
    queue.remove(a.destination);
    queue.remove(c.destination);
    EXPECT_EQ(queue.head(), &b.destination);
    queue.remove(b.destination);
    EXPECT_EQ(queue.head(), nullptr);
}

}  // namespace
}  // namespace mrcnic::transport
