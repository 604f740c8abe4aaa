#include "cli/interruption.h"

#include <csignal>

namespace mrcnic::cli {
namespace {

volatile std::sig_atomic_t wanted = 0;

extern "C" void note_signal(int)
{
    wanted = 1;
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void catch_interruption()
{
    std::signal(SIGINT, note_signal);
    std::signal(SIGTERM, note_signal);
}

bool interruption_wanted() noexcept
{
    return wanted != 0;
}

}  // namespace mrcnic::cli
