#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/destination.h"
#include "mrcnic/transport/send_queue_pair.h"

namespace mrcnic::transport {
namespace {

using packet::Opcode;
using packet::Psn;

constexpr Psn kTop = 0xFFFFFF;

/// A queue pair that sends without windows, pool and wire.
struct SenderEnd {
    config::CongestionControlConfig congestion;
    Destination destination{1, 60, CongestionWindow{Nscc{congestion, 400'000'000'000, 4096, 4156, false, 0}, false},
                            PathSelector{{}, 0}};
    SendQueuePair queue_pair{{1, 4096, 4096}, AckPolicy{{}}, destination};

    void post(std::uint64_t id, std::uint64_t bytes) { queue_pair.post({id, 1, bytes, 0x1'0000'0000, 0x2'0000'0000}); }
    /// Takes the next item and hands it off. @return its PSN
    Psn send()
    {
        const SendItem item = queue_pair.next_item();
        if (item.retransmission) {
            queue_pair.take_repetition(item.psn);
        } else {
            (void)queue_pair.take_segment();
        }
        (void)queue_pair.hand_off(item.psn, 256);
        return item.psn;
    }
    void send_all()
    {
        while (queue_pair.has_work()) {
            send();
        }
    }
    void retire(Psn psn) { queue_pair.retire(psn, *queue_pair.find(psn)); }
    void lose(Psn psn) { queue_pair.queue_repetition(psn, *queue_pair.find(psn)); }
    std::vector<std::uint64_t> completed()
    {
        std::vector<std::uint64_t> ids;
        while (const std::optional<WorkRequest> request = queue_pair.take_completed()) {
            ids.push_back(request->message_id);
        }
        return ids;
    }
};

// [TR-10] [TR-11] [TR-34] ceil(N / MSS) packets with places, addresses and ordinals.
TEST(SendQueuePair, Segments)
{
    SenderEnd end;
    end.post(70, 10'000);
    struct Segment {
        std::uint32_t bytes;
        Opcode opcode;
        std::uint64_t offset;
        bool last;
    };
    const std::vector<Segment> expected{{4096, Opcode::write_first, 0, false},
                                        {4096, Opcode::write_middle, 4096, false},
                                        {1808, Opcode::write_last, 8192, true}};
    for (Psn psn = 0; psn < 3; ++psn) {
        const SendItem item = end.queue_pair.next_item();
        EXPECT_EQ(item.psn, psn);
        EXPECT_EQ(item.payload_bytes, expected[psn].bytes);
        EXPECT_FALSE(item.retransmission);
        EXPECT_EQ(end.queue_pair.take_segment(), expected[psn].last);
        const SegmentDescription segment = end.queue_pair.describe(psn);
        EXPECT_EQ(segment.opcode, expected[psn].opcode);
        EXPECT_EQ(segment.message_id, 70U);
        EXPECT_EQ(segment.local_address, 0x1'0000'0000 + expected[psn].offset);
        EXPECT_EQ(segment.remote_address, 0x2'0000'0000 + expected[psn].offset);
        EXPECT_EQ(segment.msn, 0);
    }
    EXPECT_FALSE(end.queue_pair.has_work());
}

// [TR-10] [TR-11] Edges of the segment size: 0 bytes make one packet, so do 1 and 4,096; 4,097 make two.
TEST(SendQueuePair, SegmentEdges)
{
    SenderEnd end;
    for (const std::uint64_t bytes : {0U, 1U, 4096U, 4097U}) {
        end.post(bytes, bytes);
    }
    const std::vector<std::uint32_t> payloads{0, 1, 4096, 4096, 1};
    const std::vector<Opcode> opcodes{Opcode::write_only, Opcode::write_only, Opcode::write_only, Opcode::write_first,
                                      Opcode::write_last};
    const std::vector<std::uint16_t> ordinals{0, 1, 2, 3, 3};
    for (Psn psn = 0; psn < 5; ++psn) {
        EXPECT_EQ(end.queue_pair.next_item().payload_bytes, payloads[psn]);
        (void)end.queue_pair.take_segment();
        EXPECT_EQ(end.queue_pair.describe(psn).opcode, opcodes[psn]);
        EXPECT_EQ(end.queue_pair.describe(psn).msn, ordinals[psn]);
    }
    EXPECT_FALSE(end.queue_pair.has_work());
}

// [TR-W1] 2,000,000 bytes: 489 packets, the last of 1,152; 2,038,142 bytes on the wire.
TEST(SendQueuePair, TwoMegabytes)
{
    SenderEnd end;
    end.post(1, 2'000'000);
    std::uint64_t packets = 0;
    std::uint64_t wire = 0;
    std::uint32_t last = 0;
    while (end.queue_pair.has_work()) {
        last = end.queue_pair.next_item().payload_bytes;
        wire += last + 78;
        ++packets;
        (void)end.queue_pair.take_segment();
    }
    EXPECT_EQ(packets, 489U);
    EXPECT_EQ(last, 1152U);
    EXPECT_EQ(wire, 2'038'142U);
}

// [TR-18] p - (CACK + 1) < M; M is the sender's own setting until a SACK tells another [TR-16].
TEST(SendQueuePair, PsnWindow)
{
    SenderEnd end;
    EXPECT_TRUE(end.queue_pair.window_allows(4095));
    EXPECT_FALSE(end.queue_pair.window_allows(4096));
    end.queue_pair.hear_window(256);
    EXPECT_TRUE(end.queue_pair.window_allows(255));
    EXPECT_FALSE(end.queue_pair.window_allows(256));
    end.post(1, 40'960);
    end.send_all();
    EXPECT_TRUE(end.queue_pair.hear_cumulative(4));
    EXPECT_TRUE(end.queue_pair.window_allows(260));
    EXPECT_FALSE(end.queue_pair.window_allows(261));
    EXPECT_TRUE(end.queue_pair.hear_cumulative(2));  // an old one changes nothing
    EXPECT_EQ(end.queue_pair.cumulative(), 4U);
    EXPECT_TRUE(end.queue_pair.window_allows(260));
}

// [TR-18] A cumulative PSN that was never sent is refused.
TEST(SendQueuePair, CumulativeBeyondWhatWasSent)
{
    SenderEnd end;
    end.post(1, 3 * 4096);
    end.send_all();
    EXPECT_TRUE(end.queue_pair.hear_cumulative(kTop));  // nothing received yet
    EXPECT_FALSE(end.queue_pair.hear_cumulative(3));
    EXPECT_FALSE(end.queue_pair.hear_cumulative(1U << 22U));
    EXPECT_EQ(end.queue_pair.cumulative(), kTop);
    EXPECT_TRUE(end.queue_pair.hear_cumulative(2));
}

// [TR-48] The lowest waiting PSN first, then new segments.
TEST(SendQueuePair, OldestRepetitionFirst)
{
    SenderEnd end;
    end.post(1, 10 * 4096);
    for (int i = 0; i < 8; ++i) {
        end.send();
    }
    end.lose(6);
    end.lose(2);
    end.lose(4);
    EXPECT_TRUE(end.queue_pair.next_item().retransmission);
    EXPECT_EQ(end.send(), 2U);
    end.lose(1);
    EXPECT_EQ(end.send(), 1U);
    EXPECT_EQ(end.send(), 4U);
    EXPECT_EQ(end.send(), 6U);
    EXPECT_FALSE(end.queue_pair.next_item().retransmission);
    EXPECT_EQ(end.send(), 8U);
    EXPECT_EQ(end.queue_pair.find(2)->transmissions, 2U);  // [TR-57]
    EXPECT_EQ(end.queue_pair.find(2)->transmission, 8U);
    EXPECT_EQ(end.queue_pair.find(8)->transmission, 12U);
}

// [TR-88] A waiting repetition that is acknowledged leaves the queue; [TR-81] a waiting one does not queue twice.
TEST(SendQueuePair, AcknowledgedRepetitionLeaves)
{
    SenderEnd end;
    end.post(1, 4 * 4096);
    end.send_all();
    end.lose(1);
    end.lose(2);
    end.lose(2);
    end.retire(1);
    EXPECT_EQ(end.queue_pair.next_item().psn, 2U);
    end.retire(2);
    EXPECT_FALSE(end.queue_pair.has_work());
}

// [TR-91] In posting order, each once, by whichever order the packets were retired in.
TEST(SendQueuePair, CompletionsInPostingOrder)
{
    SenderEnd end;
    end.post(5, 4096);
    end.post(6, 2 * 4096);
    end.post(7, 0);
    end.send_all();
    end.retire(3);
    end.retire(1);
    end.retire(2);
    EXPECT_TRUE(end.completed().empty());
    end.retire(0);
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{5, 6, 7}));
    EXPECT_TRUE(end.completed().empty());
    EXPECT_EQ(end.queue_pair.oldest(), 4U);
}

// [TR-91] A message whose first packets are retired is not complete before its last has been cut.
TEST(SendQueuePair, NotCompleteBeforeItsLastSegment)
{
    SenderEnd end;
    end.post(5, 2 * 4096);
    end.send();
    end.retire(0);
    EXPECT_TRUE(end.completed().empty());
    end.send();
    EXPECT_TRUE(end.completed().empty());
    end.retire(1);
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{5}));
}

// [TR-2] Records of thousands of outstanding packets, retired in odd order.
TEST(SendQueuePair, ManyOutstanding)
{
    SenderEnd end;
    end.post(1, 4000ULL * 4096);
    end.send_all();
    for (Psn psn = 1; psn < 4000; psn += 2) {
        end.retire(psn);
    }
    EXPECT_EQ(end.queue_pair.oldest(), 0U);
    EXPECT_EQ(end.queue_pair.find(1), nullptr);
    EXPECT_NE(end.queue_pair.find(2), nullptr);
    for (Psn psn = 0; psn < 4000; psn += 2) {
        end.retire(psn);
    }
    EXPECT_EQ(end.queue_pair.oldest(), 4000U);
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{1}));
}

// [TR-15] Around 2^24: order of repetitions, window, records, completion.
TEST(SendQueuePair, PsnsWrapAround)
{
    SenderEnd end;
    end.post(1, (packet::kPsnCount - 4ULL) * 4096);
    while (end.queue_pair.has_work()) {
        const Psn psn = end.send();
        ASSERT_TRUE(end.queue_pair.hear_cumulative(psn));
        end.retire(psn);
    }
    ASSERT_EQ(end.queue_pair.next_psn(), kTop - 3);
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{1}));
    EXPECT_TRUE(end.queue_pair.window_allows(4091));  // 2^24 - 4 + 4,095
    EXPECT_FALSE(end.queue_pair.window_allows(4092));
    end.post(2, 8 * 4096);
    end.send_all();
    EXPECT_EQ(end.queue_pair.next_psn(), 4U);
    end.lose(1);
    end.lose(kTop);
    EXPECT_EQ(end.send(), kTop);
    EXPECT_EQ(end.send(), 1U);
    EXPECT_FALSE(end.queue_pair.hear_cumulative(4));
    EXPECT_TRUE(end.queue_pair.hear_cumulative(3));
    EXPECT_EQ(end.queue_pair.cumulative(), 3U);
    for (Psn i = 0; i < 8; ++i) {
        end.retire(packet::psn_add(kTop - 3, i));
    }
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{2}));
}

// [TR-87] An error ends all its messages; nothing is left to send.
TEST(SendQueuePair, Fails)
{
    SenderEnd end;
    end.post(5, 2 * 4096);
    end.post(6, 4096);
    end.send();
    end.lose(0);
    EXPECT_EQ(end.queue_pair.fail(), (std::vector<std::uint64_t>{5, 6}));
    EXPECT_TRUE(end.queue_pair.has_failed());
    EXPECT_FALSE(end.queue_pair.has_work());
    EXPECT_EQ(end.queue_pair.find(0), nullptr);
    EXPECT_TRUE(end.completed().empty());
}

}  // namespace
}  // namespace mrcnic::transport
