#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "mrcnic/config/print.h"

namespace mrcnic::cli {

ExitCode check(const ConfigSource& source)
{
    const auto loaded = load(source);
    if (!loaded) {
        return kUsageError;
    }
    if (!build(loaded->config)) {
        return kUsageError;
    }
    print(config::effective_table(loaded->effective));
    return kDone;
}

}  // namespace mrcnic::cli
