#pragma once

namespace mrcnic::cli {

/// From now on the first SIGINT or SIGTERM only sets a flag; the next one ends the process at once.
void catch_interruption();

[[nodiscard]] bool interruption_wanted() noexcept;

}  // namespace mrcnic::cli
