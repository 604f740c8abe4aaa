#include "mrcnic/base/protocol_checker.h"

#include <fmt/format.h>

#include "mrcnic/base/report.h"

namespace mrcnic {

void report_broken_rule(const ProtocolRule& rule, const char* where, const std::string& call)
{
    const std::string text = fmt::format("{} is broken at {}: {}; the rule: {}", rule.id, where, call, rule.text);
    SC_REPORT_ERROR(report_id::kProtocol, text.c_str());
}

}  // namespace mrcnic
