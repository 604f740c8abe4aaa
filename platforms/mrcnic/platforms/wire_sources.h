#pragma once

#include <vector>

#include "mrcnic/platforms/platform.h"
#include "mrcnic/record/wire_capture.h"

namespace mrcnic::platforms {

/// Everything in `platform` that puts frames on links, ordered by device and port. The name is that of the records with
/// the port's number, `MrcNic-0:0`; what no record knows has the name of its module.
[[nodiscard]] std::vector<record::WireSource> wire_sources(const Platform& platform);

}  // namespace mrcnic::platforms
