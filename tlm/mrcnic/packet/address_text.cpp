#include "mrcnic/packet/address_text.h"

#include <charconv>
#include <cstdint>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

namespace mrcnic::packet {

namespace {

constexpr std::uint32_t kQpNumbers = 1U << 24U;  // [TR-2]

}  // namespace

std::optional<std::uint32_t> parse_number(std::string_view text, std::uint32_t limit)
{
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    const bool leading_zero = text.size() > 1 && text.front() == '0';
    if (error != std::errc{} || stop != end || leading_zero || number >= limit) {
        return std::nullopt;
    }
    return number;
}

std::optional<Address> parse_address(std::string_view text)
{
    constexpr int parts = 4;
    Address address = 0;
    for (int part = 1; part <= parts; ++part) {
        const std::size_t dot = text.find('.');
        if ((dot == std::string_view::npos) != (part == parts)) {
            return std::nullopt;
        }
        const std::optional<std::uint32_t> number = parse_number(text.substr(0, dot), 256);
        if (!number) {
            return std::nullopt;
        }
        address = address << 8U | *number;
        text.remove_prefix(part == parts ? text.size() : dot + 1);
    }
    return address;
}

std::optional<QpEnd> parse_qp_end(std::string_view text)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    const std::optional<Address> address = parse_address(text.substr(0, colon));
    const std::optional<std::uint32_t> number = parse_number(text.substr(colon + 1), kQpNumbers);
    if (!address || !number) {
        return std::nullopt;
    }
    return QpEnd{*address, *number};
}

void append_address(std::string& text, Address address)
{
    fmt::format_to(std::back_inserter(text), "{}.{}.{}.{}", address >> 24U, address >> 16U & 255U, address >> 8U & 255U,
                   address & 255U);
}

void append_qp_end(std::string& text, const QpEnd& end)
{
    append_address(text, end.address);
    fmt::format_to(std::back_inserter(text), ":{}", end.qp);
}

}  // namespace mrcnic::packet
