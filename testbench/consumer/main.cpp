// A project that uses the installed package: sends two frames on a 400 Gbps line and looks at the clock.

#include <iostream>

#include <systemc>

#include "mrcnic/base/agenda.h"
#include "mrcnic/base/serialization_clock.h"
#include "mrcnic/base/version.h"

namespace {

class Sender : public sc_core::sc_module {
public:
    Sender(const sc_core::sc_module_name& name, mrcnic::Agenda& agenda) : sc_module{name}, agenda_{agenda}
    {
        send_next();
    }
    [[nodiscard]] bool finished() const { return sent_ == 2 && agenda_.is_quiet(); }

private:
    void send_next()
    {
        const mrcnic::Picoseconds end = line_.start(agenda_.now(), 4174);
        agenda_.at<&Sender::frame_sent>(end, mrcnic::EventClass::serialization_end, {}, *this);
    }
    void frame_sent()
    {
        if (++sent_ < 2) {
            send_next();
        }
    }

    mrcnic::Agenda& agenda_;
    mrcnic::SerializationClock line_{400'000'000'000};
    int sent_{0};
};

}  // namespace

int sc_main(int, char**)
{
    mrcnic::Agenda agenda{"agenda"};
    const Sender sender{"sender", agenda};
    sc_core::sc_start();
    std::cout << "mrcnic " << mrcnic::kVersion << ", two frames sent at " << sc_core::sc_time_stamp() << '\n';
    // [XT-1] 2 x 4,174 bytes x 8 bits / 400 Gbps = 166,960 ps.
    return sender.finished() && sc_core::sc_time_stamp() == sc_core::sc_time{166'960, sc_core::SC_PS} ? 0 : 1;
}
