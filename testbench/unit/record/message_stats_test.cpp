#include "mrcnic/record/message_stats.h"

#include <vector>

#include <gtest/gtest.h>

#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::text_of;
using transport::ConnectionEnd;
using workload::Message;
using workload::MessageRecord;

constexpr const char* kHeader =
    "message_id,src,dst,qp,bytes,posted_ns,send_complete_ns,wqe_complete_ns,recv_complete_ns,packets,retransmissions,"
    "goodput_Gbps\n";

Message message(std::uint64_t id, std::uint32_t source, std::uint32_t destination, std::uint64_t bytes)
{
    Message made;
    made.id = id;
    made.source = source;
    made.destination = destination;
    made.bytes = bytes;
    return made;
}

class MessageStatsFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "message-stats.csv"};
    std::vector<Message> messages;
    std::vector<MessageRecord> records;

    void add(const Message& made)
    {
        messages.push_back(made);
        records.emplace_back();
    }
};

// [RC-26] [RC-71 .. RC-73] A row when both completions are there. 10,000 bytes are 3 packets of 4,096, and 80,000 bits
// in 2 us are 40 Gbps; retransmissions are those of the message; the QP is the sending end's.
TEST_F(MessageStatsFile, Complete)
{
    add(message(30, 0, 1, 10'000));
    add(message(20, 1, 0, 0));
    MessageStats record{path, messages, records, {4'096, 1'024}};
    record.wqe_created(ConnectionEnd{1, 7, 2, 3}, {30, 10'000});
    record.wqe_created(ConnectionEnd{2, 9, 1, 3}, {20, 0});
    record.packet_repeated(ConnectionEnd{1, 7, 2, 3}, 30);
    record.packet_repeated(ConnectionEnd{1, 7, 2, 3}, 30);
    records[0] = {1'000'000, 1'200'500, 4'000'000, 3'000'000, false};
    record.completed(0);
    records[1] = {1'000'000, 1'015'000, 2'000'000, 1'500'000, false};
    record.completed(1);
    record.finish();
    EXPECT_EQ(text_of(path), std::string{kHeader} +
                                 "30,0,1,7,10000,1000,1200.5,4000,3000,3,2,40\n"
                                 "20,1,0,9,0,1000,1015,2000,1500,1,0,0\n");
}

// [RC-72] At the end the unfinished ones by id, what is missing empty; the MSS is the source's. Received but not
// acknowledged: 1,024 bytes in 8.192 us are 1 Gbps.
TEST_F(MessageStatsFile, Unfinished)
{
    add(message(30, 0, 1, 8'192));
    add(message(20, 1, 0, 1'024));
    add(message(10, 1, 0, 1'025));
    MessageStats record{path, messages, records, {4'096, 1'024}};
    record.wqe_created(ConnectionEnd{2, 9, 1, 3}, {20, 1'024});
    record.wqe_created(ConnectionEnd{1, 7, 2, 3}, {30, 8'192});
    records[0] = {0, kNever, kNever, kNever, true};
    records[1] = {1'000, 16'000, kNever, 8'193'000, false};
    record.finish();
    EXPECT_EQ(text_of(path), std::string{kHeader} +
                                 "10,1,0,,1025,,,,,2,0,\n"
                                 "20,1,0,9,1024,1,16,,8193,1,0,1\n"
                                 "30,0,1,7,8192,0,,,,2,0,\n");
}

}  // namespace
}  // namespace mrcnic::record
