#include "cli/commands.h"
#include "cli/output.h"
#include "mrcnic/config/print.h"

namespace mrcnic::cli {

ExitCode list_attributes(AttributeFormat format)
{
    switch (format) {
        case AttributeFormat::table:
            print(config::attributes_table());
            break;
        case AttributeFormat::json:
            print(config::attributes_json());
            break;
        case AttributeFormat::markdown:
            print(config::attributes_markdown());
            break;
    }
    return kDone;
}

}  // namespace mrcnic::cli
