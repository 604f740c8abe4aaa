#include "cli/configuration.h"

#include "cli/output.h"
#include "mrcnic/platforms/registry.h"
#include "mrcnic/workload/input_error.h"

namespace mrcnic::cli {

std::optional<config::LoadResult> load(const ConfigSource& source)
{
    config::LoadResult result = config::load_file(source.file, source.overrides);
    for (const config::Error& error : result.errors) {
        print_error(error.text());
    }
    if (!result.ok()) {
        return std::nullopt;
    }
    return result;
}

std::unique_ptr<platforms::Platform> build(const config::Config& config)
{
    try {
        return platforms::make_platform(config);
    } catch (const workload::InputError& error) {
        print_error(error.what());
        return nullptr;
    }
}

}  // namespace mrcnic::cli
