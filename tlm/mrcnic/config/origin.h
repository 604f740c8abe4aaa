#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace mrcnic::config {

/// Where a value comes from.
struct Origin {
    enum class Kind { default_value, file, command_line, program };

    Kind kind{Kind::default_value};
    std::string text{};       ///< file's name as given, or PATH=VALUE of `--set`
    std::uint32_t line{0};    ///< from 1; 0 = the file as a whole
    std::uint32_t column{0};  ///< from 1

    /// "default", "FILE:LINE", "command line" or "program".
    [[nodiscard]] std::string describe() const;
};

/// What is wrong with a configuration, ready to print.
struct Error {
    Error(Origin where, std::string what, std::string why)
        : origin{std::move(where)}, path{std::move(what)}, reason{std::move(why)}
    {
    }

    Origin origin;
    std::string path;    ///< the attribute; empty if it is about something else
    std::string reason;  ///< "what is wrong; allowed: ..."

    /// `error: FILE:LINE:COL: PATH: reason`, `error: --set PATH=VALUE: reason` or `error: PATH: reason`. A `--set`
    /// that breaks a relation with another attribute also names that one.
    [[nodiscard]] std::string text() const;
};

}  // namespace mrcnic::config
