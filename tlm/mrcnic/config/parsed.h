#pragma once

#include <optional>
#include <string>
#include <utility>

namespace mrcnic::config {

/// What reading a text gives: a value, or the reason why there is none.
template <class T>
struct Parsed {
    std::optional<T> value;
    std::string error;  ///< in words; empty exactly if there is a value

    [[nodiscard]] static Parsed of(T result) { return {std::move(result), {}}; }
    [[nodiscard]] static Parsed failed(std::string reason) { return {std::nullopt, std::move(reason)}; }
    [[nodiscard]] explicit operator bool() const noexcept { return value.has_value(); }
};

}  // namespace mrcnic::config
