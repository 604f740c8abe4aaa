#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mrcnic/packet/headers.h"

namespace mrcnic::packet {

/// An end of a queue pair: the NIC's address and the number there.
struct QpEnd {
    Address address{0};
    QpNumber qp{0};
};

[[nodiscard]] constexpr bool operator==(const QpEnd& a, const QpEnd& b) noexcept
{
    return a.address == b.address && a.qp == b.qp;
}

/// Reads a whole number 0 .. limit - 1 in its one spelling, decimal without leading zeros; none if it is not one.
[[nodiscard]] std::optional<std::uint32_t> parse_number(std::string_view text, std::uint32_t limit);

/// Reads an IPv4 address, four numbers of 0 to 255 without leading zeros, as in 10.0.0.1; none if it is not one.
[[nodiscard]] std::optional<Address> parse_address(std::string_view text);

/// Reads an end of a queue pair, ADDRESS:NUMBER with a number below 2^24, as in 10.0.0.1:17 [RC-32]; none if it is not
/// one.
[[nodiscard]] std::optional<QpEnd> parse_qp_end(std::string_view text);

/// Writes what `parse_address` reads, behind `text`.
void append_address(std::string& text, Address address);

/// Writes what `parse_qp_end` reads, behind `text` [RC-32].
void append_qp_end(std::string& text, const QpEnd& end);

}  // namespace mrcnic::packet
