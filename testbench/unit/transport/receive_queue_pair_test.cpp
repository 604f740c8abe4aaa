#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "mrcnic/transport/receive_queue_pair.h"

namespace mrcnic::transport {
namespace {

using packet::Psn;
using Verdict = ReceiveQueuePair::Verdict;

constexpr Psn kTop = 0xFFFFFF;

struct Sack {
    packet::Seth seth;
    packet::CcState state;
};

struct ReceiverEnd {
    ReceiveQueuePair queue_pair;

    explicit ReceiverEnd(const ReceiveQueuePair::Parameters& parameters = {}) : queue_pair{parameters} {}

    Verdict receive(Psn psn, std::uint32_t bytes = 4096) { return queue_pair.receive(psn, bytes, false, 0); }
    Verdict receive_last(Psn psn, std::uint64_t message) { return queue_pair.receive(psn, 4096, true, message); }
    void receive_all(Psn first, Psn last)
    {
        for (Psn psn = first; psn <= last; ++psn) {
            receive(psn);
        }
    }
    Sack sack(Psn psn)
    {
        Sack result;
        queue_pair.fill_sack(psn, result.seth, result.state);
        return result;
    }
    std::vector<std::uint64_t> completed()
    {
        std::vector<std::uint64_t> ids;
        while (const std::optional<std::uint64_t> id = queue_pair.take_completed()) {
            ids.push_back(*id);
        }
        return ids;
    }
};

ReceiveQueuePair::Parameters with_window(std::uint32_t window)
{
    ReceiveQueuePair::Parameters parameters;
    parameters.window = window;
    return parameters;
}

// [TR-61] [TR-19] In order, out of order, duplicates before E and beyond it.
TEST(ReceiveQueuePair, Verdicts)
{
    ReceiverEnd end;
    EXPECT_EQ(end.receive(0), Verdict::in_order);
    EXPECT_EQ(end.receive(0), Verdict::duplicate);
    EXPECT_EQ(end.receive(2), Verdict::out_of_order);
    EXPECT_EQ(end.receive(2), Verdict::duplicate);
    EXPECT_EQ(end.receive(3), Verdict::out_of_order);
    EXPECT_EQ(end.queue_pair.expected(), 1U);
    EXPECT_EQ(end.receive(1), Verdict::in_order);  // E over everything recorded
    EXPECT_EQ(end.queue_pair.expected(), 4U);
    EXPECT_EQ(end.queue_pair.out_of_order(), 0U);
    EXPECT_EQ(end.receive(3), Verdict::duplicate);
}

// [TR-19] E <= p < E + M: both ends of the window, with the least window of TR-17.
TEST(ReceiveQueuePair, WindowEnds)
{
    ReceiverEnd end{with_window(128)};
    EXPECT_EQ(end.receive(128), Verdict::beyond_window);
    EXPECT_EQ(end.receive(127), Verdict::out_of_order);
    EXPECT_EQ(end.receive(0), Verdict::in_order);
    EXPECT_EQ(end.receive(128), Verdict::out_of_order);
    EXPECT_EQ(end.receive(129), Verdict::beyond_window);
    EXPECT_EQ(end.receive(kTop), Verdict::duplicate);             // before E
    EXPECT_EQ(end.receive((1U << 23U) + 1), Verdict::duplicate);  // 2^23 ahead of E: before it, as TR-15 has no order
    EXPECT_EQ(end.receive(1U << 23U), Verdict::beyond_window);    // 2^23 - 1 ahead
}

// [TR-19] The record is a ring over the window: a slot that was used before is empty again.
TEST(ReceiveQueuePair, RecordIsReused)
{
    ReceiverEnd end{with_window(256)};
    for (Psn first = 0; first < 4096; first += 256) {
        for (Psn psn = first + 1; psn < first + 256; ++psn) {
            ASSERT_EQ(end.receive(psn), Verdict::out_of_order) << psn;
        }
        ASSERT_EQ(end.receive(first), Verdict::in_order);
        ASSERT_EQ(end.queue_pair.expected(), first + 256);
    }
}

// [TR-17] A window that is no power of two.
TEST(ReceiveQueuePair, LargestWindow)
{
    ReceiverEnd end{with_window(32'640)};
    EXPECT_EQ(end.receive(32'639), Verdict::out_of_order);
    EXPECT_EQ(end.receive(32'640), Verdict::beyond_window);
    EXPECT_EQ(end.sack(32'639).seth.ack_psn_offset, 32'640);
    EXPECT_EQ(end.sack(32'639).seth.mpr, 255);  // [TR-16]
}

// [TR-W6] [TR-69] [TR-70] 0..11 without 5 and 8, drawn by 11.
TEST(ReceiveQueuePair, SackFields)
{
    ReceiverEnd end;
    for (const Psn psn : {0U, 1U, 2U, 3U, 4U, 6U, 7U, 9U, 10U, 11U}) {
        end.receive(psn);
    }
    const Sack sack = end.sack(11);
    EXPECT_EQ(sack.seth.cack_psn, 4U);
    EXPECT_EQ(sack.seth.ack_psn_offset, 7);
    EXPECT_EQ(sack.seth.sack_offset, 1);
    EXPECT_EQ(sack.seth.bitmap, 0x76U);
    EXPECT_EQ(sack.seth.mpr, 32);                // [TR-16] [TR-17] 4,096 / 128
    EXPECT_EQ(sack.state.received_bytes, 160U);  // 10 x 4,096 / 256
    EXPECT_EQ(sack.state.out_of_order_count, 5);
}

// [TR-70] Without anything beyond E: offset 1, no bit. [TR-69] p = cack: offset 0.
TEST(ReceiveQueuePair, SackInOrder)
{
    ReceiverEnd end;
    end.receive(0);
    const Sack sack = end.sack(0);
    EXPECT_EQ(sack.seth.cack_psn, 0U);
    EXPECT_EQ(sack.seth.ack_psn_offset, 0);
    EXPECT_EQ(sack.seth.sack_offset, 1);
    EXPECT_EQ(sack.seth.bitmap, 0U);
    EXPECT_EQ(sack.state.out_of_order_count, 0);
}

// [TR-70] Blocks 0..3 in turn, then again from 0. Packets 1..200, so cack = 2^24 - 1 and floor((200 + 1 - 1) / 64) = 3.
TEST(ReceiveQueuePair, BitmapBlocksTakeTurns)
{
    ReceiverEnd end;
    end.receive_all(1, 200);
    struct Block {
        std::int16_t offset;
        std::uint64_t bitmap;
    };
    const std::uint64_t full = ~std::uint64_t{0};
    const std::vector<Block> expected{{1, full - 1}, {65, full}, {129, full}, {193, 0x1FF}, {1, full - 1}};
    for (const Block& block : expected) {
        const Sack sack = end.sack(200);
        EXPECT_EQ(sack.seth.cack_psn, kTop);
        EXPECT_EQ(sack.seth.ack_psn_offset, 201);
        EXPECT_EQ(sack.seth.sack_offset, block.offset);
        EXPECT_EQ(sack.seth.bitmap, block.bitmap);
    }
    end.receive(0);  // nothing beyond E: the next block is 0, although it was 1's turn
    EXPECT_EQ(end.sack(0).seth.bitmap, 0U);
    end.receive_all(202, 300);
    EXPECT_EQ(end.sack(300).seth.sack_offset, 1);
}

// [TR-70] A block above the range becomes 0: after blocks 0..2 of four, E moves to 330, and 402 - 329 - 1 = 72 leaves
// two.
TEST(ReceiveQueuePair, BitmapBlockAboveTheRange)
{
    ReceiverEnd end;
    end.receive_all(0, 200);
    end.receive_all(202, 329);
    end.receive_all(331, 402);
    EXPECT_EQ(end.sack(402).seth.sack_offset, 1);
    EXPECT_EQ(end.sack(402).seth.sack_offset, 65);
    EXPECT_EQ(end.sack(402).seth.sack_offset, 129);
    end.receive(201);
    const Sack sack = end.sack(201);
    EXPECT_EQ(sack.seth.cack_psn, 329U);
    EXPECT_EQ(sack.seth.ack_psn_offset, 201 - 329);
    EXPECT_EQ(sack.seth.sack_offset, 1);
    EXPECT_EQ(sack.seth.bitmap, ~std::uint64_t{1});
}

// [TR-15] Around 2^24: verdicts, cumulative PSN, bitmap.
TEST(ReceiveQueuePair, PsnsWrapAround)
{
    ReceiverEnd end;
    for (Psn psn = 0; psn < kTop - 1; ++psn) {
        end.receive(psn, 0);
    }
    ASSERT_EQ(end.queue_pair.expected(), kTop - 1);
    EXPECT_EQ(end.receive(kTop), Verdict::out_of_order);
    EXPECT_EQ(end.receive(1), Verdict::out_of_order);
    EXPECT_EQ(end.receive(1), Verdict::duplicate);
    EXPECT_EQ(end.receive(4093), Verdict::out_of_order);  // E + 4,095
    EXPECT_EQ(end.receive(4094), Verdict::beyond_window);
    const Sack sack = end.sack(1);
    EXPECT_EQ(sack.seth.cack_psn, kTop - 2);
    EXPECT_EQ(sack.seth.ack_psn_offset, 4);
    EXPECT_EQ(sack.seth.bitmap, 0b1010U);  // 2^24 - 2 missing, 2^24 - 1, 0 missing, 1
    EXPECT_EQ(end.receive(kTop - 1), Verdict::in_order);
    EXPECT_EQ(end.queue_pair.expected(), 0U);
    EXPECT_EQ(end.queue_pair.cumulative(), kTop);
    EXPECT_EQ(end.receive(0), Verdict::in_order);
    EXPECT_EQ(end.queue_pair.expected(), 2U);
    EXPECT_EQ(end.receive(kTop), Verdict::duplicate);
}

// [TR-62] A message is complete when its last packet has come and no gap precedes it.
TEST(ReceiveQueuePair, MessagesCompleteInOrder)
{
    ReceiverEnd end;
    end.receive_last(3, 8);  // message 8 = PSNs 2, 3
    EXPECT_TRUE(end.completed().empty());
    end.receive_last(1, 7);  // message 7 = PSNs 0, 1
    end.receive(2);
    EXPECT_TRUE(end.completed().empty());
    EXPECT_EQ(end.queue_pair.messages_completed(), 0U);
    end.receive(0);
    EXPECT_EQ(end.completed(), (std::vector<std::uint64_t>{7, 8}));
    EXPECT_EQ(end.queue_pair.messages_completed(), 2U);  // [TR-68]
    EXPECT_TRUE(end.completed().empty());                // once
    end.receive_last(3, 8);
    EXPECT_TRUE(end.completed().empty());
}

// [TR-67] T bytes since the last SACK, each packet counting max(payload, 1,024); duplicates and discards do not count.
TEST(ReceiveQueuePair, SackTrigger)
{
    ReceiveQueuePair::Parameters parameters;
    parameters.sack_trigger_bytes = 5'120;
    ReceiverEnd end{parameters};
    end.receive(0, 4'095);
    EXPECT_FALSE(end.queue_pair.sack_triggered());
    end.receive(0, 4'095);
    EXPECT_FALSE(end.queue_pair.sack_triggered());
    end.receive(1, 0);  // counts 1,024: 5,119
    EXPECT_FALSE(end.queue_pair.sack_triggered());
    end.receive(2, 1);
    EXPECT_TRUE(end.queue_pair.sack_triggered());
    (void)end.sack(2);
    EXPECT_FALSE(end.queue_pair.sack_triggered());
    end.receive(3, 4'096);
    end.receive(4, 1'024);  // 5,120 exactly
    EXPECT_TRUE(end.queue_pair.sack_triggered());
}

// [TR-67] T = 0: off.
TEST(ReceiveQueuePair, SackTriggerOff)
{
    ReceiverEnd end;
    end.receive_all(0, 1000);
    EXPECT_FALSE(end.queue_pair.sack_triggered());
}

// [PC-7] `line_rate_receive`: each frame is the next expected one, gaps are none.
TEST(ReceiveQueuePair, TakesEveryFrame)
{
    ReceiveQueuePair::Parameters parameters;
    parameters.takes_every_frame = true;
    ReceiverEnd end{parameters};
    for (const Psn psn : {0U, 1U, 9'000U, 9'001U, kTop, 0U}) {
        EXPECT_EQ(end.receive(psn), Verdict::in_order);
        EXPECT_EQ(end.queue_pair.cumulative(), psn);
        EXPECT_EQ(end.sack(psn).seth.ack_psn_offset, 0);
    }
}

}  // namespace
}  // namespace mrcnic::transport
