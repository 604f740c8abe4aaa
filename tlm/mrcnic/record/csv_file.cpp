#include "mrcnic/record/csv_file.h"

#include <utility>

#include "mrcnic/base/report.h"

namespace mrcnic::record {

CsvFile::CsvFile(std::filesystem::path path, const std::vector<std::string_view>& columns)
    : file_{std::move(path)}, columns_{columns.size()}
{
    for (const std::string_view column : columns) {
        cell(column);
    }
    end_row();
}

void CsvFile::begin_cell()
{
    if (cells_++ > 0) {
        row_ += ',';
    }
}

CsvFile& CsvFile::cell(std::string_view text)
{
    begin_cell();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
        row_ += text;
        return *this;
    }
    row_ += '"';
    for (const char character : text) {
        row_.append(character == '"' ? 2U : 1U, character);
    }
    row_ += '"';
    return *this;
}

CsvFile& CsvFile::nanoseconds_cell(Picoseconds instant)
{
    begin_cell();
    fmt::format_to(std::back_inserter(row_), "{}.{:03}", instant / 1000, instant % 1000);
    return *this;
}

CsvFile& CsvFile::cell(const packet::QpEnd& end)
{
    begin_cell();
    packet::append_qp_end(row_, end);
    return *this;
}

CsvFile& CsvFile::empty_cell()
{
    begin_cell();
    return *this;
}

void CsvFile::end_row()
{
    invariant(cells_ == columns_, "[RC-11] a row has another number of cells than the header");
    row_ += '\n';
    file_.write(row_);
    row_.clear();
    cells_ = 0;
}

}  // namespace mrcnic::record
