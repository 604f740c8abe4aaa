#include "mrcnic/pcie/checked_wiring.h"

namespace mrcnic::pcie {

namespace {

template <typename Checker, typename From, typename To, typename Hop>
void connect_checked(std::vector<std::unique_ptr<Checker>>& checkers, bool checks, From& from, To& to, Hop hop)
{
    if (!checks) {
        from.bind(to);
        return;
    }
    checkers.push_back(std::make_unique<Checker>(sc_core::sc_gen_unique_name("checker"), hop));
    from.bind(checkers.back()->in);
    checkers.back()->out.bind(to);
}

}  // namespace

void CheckedWiring::connect(packet::FrameInitiatorPort& from, packet::FrameTargetPort& to, packet::Hop hop)
{
    connect_checked(frame_checkers_, checks_, from, to, hop);
}

void CheckedWiring::connect(TlpInitiatorPort& from, TlpTargetPort& to, TlpHop hop)
{
    connect_checked(tlp_checkers_, checks_, from, to, hop);
}

void CheckedWiring::finish()
{
    for (const auto& checker : frame_checkers_) {
        checker->finish();
    }
    for (const auto& checker : tlp_checkers_) {
        checker->finish();
    }
}

void CheckedWiring::cut_short()
{
    for (const auto& checker : frame_checkers_) {
        checker->cut_short();
    }
    for (const auto& checker : tlp_checkers_) {
        checker->cut_short();
    }
}

}  // namespace mrcnic::pcie
