#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace mrcnic::testbench {

inline std::string text_of(const std::filesystem::path& path)
{
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        throw std::runtime_error{"cannot read " + path.string()};
    }
    return {std::istreambuf_iterator<char>{file}, {}};
}

inline std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts(1);
    for (const char character : text) {
        if (character == separator) {
            parts.emplace_back();
        } else {
            parts.back() += character;
        }
    }
    return parts;
}

/// A row of a record by its columns' names.
using Row = std::map<std::string, std::string>;

/// The rows of a record without quoted cells. Throws if it is not whole lines of equal length.
inline std::vector<Row> rows_of(const std::filesystem::path& path)
{
    std::vector<std::string> lines = split(text_of(path), '\n');
    if (!lines.back().empty()) {
        throw std::runtime_error{path.string() + " does not end with a line end"};
    }
    lines.pop_back();
    const std::vector<std::string> columns = split(lines.at(0), ',');
    std::vector<Row> rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> cells = split(lines[i], ',');
        if (cells.size() != columns.size()) {
            throw std::runtime_error{"a row of another length: " + lines[i]};
        }
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < cells.size(); ++k) {
            row[columns[k]] = cells[k];
        }
    }
    return rows;
}

inline double number(const Row& row, const std::string& column)
{
    return std::stod(row.at(column));
}

}  // namespace mrcnic::testbench
