#include "cli/columns.h"

#include <algorithm>

#include <fmt/format.h>

namespace mrcnic::cli {

std::string columns(const std::vector<Row>& rows, Align others)
{
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += fmt::format(i == 0 || others == Align::left ? "{}{:<{}}" : "{}{:>{}}", i == 0 ? "" : "   ", row[i],
                                widths[i]);
        }
        text += line.erase(line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

}  // namespace mrcnic::cli
