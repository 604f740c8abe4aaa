#include "mrcnic/config/platforms.h"

#include "cli/columns.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace mrcnic::cli {

ExitCode list_platforms()
{
    std::vector<Row> rows;
    for (const config::PlatformInfo& platform : config::kPlatforms) {
        rows.push_back({std::string{platform.name}, std::string{platform.summary}});
    }
    print(columns(rows, Align::left));
    return kDone;
}

}  // namespace mrcnic::cli
