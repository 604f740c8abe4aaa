#include "mrcnic/record/mrc_events.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/record/queue_pair_observers.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::text_of;
using transport::ConnectionEnd;

constexpr packet::Address kFirst = 0x0A00'0001U;
constexpr ConnectionEnd kSender{kFirst, 1, kFirst + 1, 1};
constexpr ConnectionEnd kReceiver{kFirst + 1, 1, kFirst, 1};

class EventsFile : public testing::Test {
protected:
    testbench::TemporaryFolder folder;
    std::filesystem::path path{folder.path() / "mrc-events.csv"};
    Picoseconds now{0};

    [[nodiscard]] MrcEvents make() const
    {
        return MrcEvents{path, {{"MrcNic-0", 0}, {"MrcNic-1", 1}}, Utc{false}, [this] { return now; }};
    }
};

// [RC-80] [RC-81 .. RC-87] The message of TR-W3 with its times; ends that live to the end of the run end with it.
TEST_F(EventsFile, OneMessage)
{
    MrcEvents events = make();
    const transport::ObservedMessage message{7, 4'096};
    events.observer(0).qp_created(kSender);
    events.observer(0).wqe_created(kSender, message);
    now = 15'000;
    events.observer(0).send_complete(kSender, message);
    now = 269'324;
    events.observer(1).qp_created(kReceiver);
    events.observer(1).recv_complete(kReceiver);
    now = 371'204;
    events.observer(0).packet_repeated(kSender, message.id);  // no event of this record
    events.observer(0).wqe_complete(kSender, message);
    events.finish(372'444);
    const std::string utc = "1970-01-01T00:00:00Z,";
    EXPECT_EQ(text_of(path),
              "time_utc,sim_time_ns,component_name,node_id,local_QP,remote_QP,wqe_ID,wqe_size_bytes,ev_type\n" + utc +
                  "0.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,,,QP_CREATED\n" + utc +
                  "0.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,7,4096,WQE_CREATED\n" + utc +
                  "15.000,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,7,4096,SEND_COMPLETE\n" + utc +
                  "269.324,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,QP_CREATED\n" + utc +
                  "269.324,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,RECV_COMPLETE\n" + utc +
                  "371.204,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,7,4096,WQE_COMPLETE\n" + utc +
                  "372.444,MrcNic-0,0,10.0.0.1:1,10.0.0.2:1,,,QP_TERMINATED\n" + utc +
                  "372.444,MrcNic-1,1,10.0.0.2:1,10.0.0.1:1,,,QP_TERMINATED\n");
}

// [RC-86] An end is terminated once: where it was closed not again at the end of the run; by number in one NIC. One
// that no message used was not created.
TEST_F(EventsFile, Terminations)
{
    MrcEvents events = make();
    events.observer(0).qp_created({kFirst, 12, kFirst + 1, 3});
    events.observer(0).qp_created({kFirst, 5, kFirst + 1, 4});
    events.observer(0).qp_created({kFirst, 8, kFirst + 1, 6});
    now = 1'000;
    events.observer(0).qp_terminated({kFirst, 5, kFirst + 1, 4});
    events.observer(0).qp_terminated({kFirst, 9, kFirst + 1, 9});
    events.finish(2'000);
    std::string order;
    for (const testbench::Row& row : testbench::rows_of(path)) {
        if (row.at("ev_type") == "QP_TERMINATED") {
            order += row.at("sim_time_ns") + " " + row.at("local_QP") + " ";
        }
    }
    EXPECT_EQ(order, "1.000 10.0.0.1:5 2.000 10.0.0.1:8 2.000 10.0.0.1:12 ");
}

/// Notes the calls.
class Noted : public transport::QueuePairObserver {
public:
    Noted(std::string& calls, const char* name) : calls_{calls}, name_{name} {}
    void qp_created(const ConnectionEnd&) override { note("created"); }
    void wqe_created(const ConnectionEnd&, const transport::ObservedMessage&) override { note("posted"); }
    void send_complete(const ConnectionEnd&, const transport::ObservedMessage&) override { note("sent"); }
    void packet_repeated(const ConnectionEnd&, std::uint64_t) override { note("repeated"); }
    void wqe_complete(const ConnectionEnd&, const transport::ObservedMessage&) override { note("complete"); }
    void recv_complete(const ConnectionEnd&) override { note("received"); }
    void qp_terminated(const ConnectionEnd&) override { note("terminated"); }

private:
    void note(const char* what) { calls_ += std::string{name_} + what + " "; }
    std::string& calls_;
    const char* name_;
};

TEST(QueuePairObservers, TellAllInOrder)
{
    std::string calls;
    Noted a{calls, "a:"};
    Noted b{calls, "b:"};
    QueuePairObservers both;
    EXPECT_TRUE(both.is_empty());
    both.add(a);
    both.add(b);
    EXPECT_FALSE(both.is_empty());
    both.qp_created(kSender);
    both.wqe_created(kSender, {});
    both.send_complete(kSender, {});
    both.packet_repeated(kSender, 1);
    both.wqe_complete(kSender, {});
    both.recv_complete(kSender);
    both.qp_terminated(kSender);
    EXPECT_EQ(calls,
              "a:created b:created a:posted b:posted a:sent b:sent a:repeated b:repeated a:complete b:complete "
              "a:received b:received a:terminated b:terminated ");
}

}  // namespace
}  // namespace mrcnic::record
