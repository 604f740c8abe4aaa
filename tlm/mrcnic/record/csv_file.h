#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "mrcnic/base/time.h"
#include "mrcnic/packet/address_text.h"
#include "mrcnic/record/output_file.h"

namespace mrcnic::record {

/// A record file: a header line, then rows, as RFC 4180 has them but with LF line ends [RC-11, RC-12].
///
/// Numbers do not depend on the locale; a floating one is the shortest decimal that reads back to the same double.
class CsvFile {
public:
    /// Begins the file and writes the header. @throws OutputError
    CsvFile(std::filesystem::path path, const std::vector<std::string_view>& columns);

    /// The next cell of the row; quoted if its text needs it.
    CsvFile& cell(std::string_view text);
    template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
    CsvFile& cell(Number value)
    {
        begin_cell();
        fmt::format_to(std::back_inserter(row_), "{}", value);
        return *this;
    }
    /// An instant in nanoseconds, always with three decimals: it loses nothing, however long a run is [RC-14].
    CsvFile& nanoseconds_cell(Picoseconds instant);
    /// An end of a queue pair [RC-32].
    CsvFile& cell(const packet::QpEnd& end);
    /// Begins a cell whose text is appended to what this returns; it must need no quotes.
    [[nodiscard]] std::string& begin_text()
    {
        begin_cell();
        return row_;
    }
    /// A cell for what does not apply.
    CsvFile& empty_cell();
    /// An instant in picoseconds; empty if it has not come (kNever).
    CsvFile& instant_cell(Picoseconds instant) { return instant == kNever ? empty_cell() : cell(instant); }
    /// Ends the row, which must have a cell for every column. @throws OutputError
    void end_row();
    /// Ends the file; once more does nothing. @throws OutputError if something could not be written
    void close() { file_.close(); }

private:
    void begin_cell();

    OutputFile file_;
    std::size_t columns_;
    std::size_t cells_{0};
    std::string row_;
};

}  // namespace mrcnic::record
