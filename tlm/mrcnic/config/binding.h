#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "mrcnic/config/attribute.h"

namespace mrcnic::config {

/// A member as an attribute's value. An enumerator is the word at its own index. Integers beyond 63 bits, which only a
/// C++ caller can set, become the largest value, so that a range check refuses them.
template <class Member>
[[nodiscard]] Value value_of_member(const Member& member, const std::vector<std::string>& words)
{
    if constexpr (std::is_same_v<Member, bool> || std::is_floating_point_v<Member> ||
                  std::is_same_v<Member, std::string>) {
        return member;
    } else if constexpr (std::is_enum_v<Member>) {
        const auto index = static_cast<std::size_t>(member);
        return index < words.size() ? words[index] : std::to_string(index);
    } else if constexpr (std::is_signed_v<Member>) {
        return static_cast<std::int64_t>(member);
    } else {
        constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        return static_cast<std::int64_t>(std::min<std::uint64_t>(member, kLargest));
    }
}

/// The other way; the value has been checked against the attribute's type.
template <class Member>
[[nodiscard]] Member member_of_value(const Value& value, const std::vector<std::string>& words)
{
    if constexpr (std::is_same_v<Member, bool> || std::is_floating_point_v<Member> ||
                  std::is_same_v<Member, std::string>) {
        return std::get<Member>(value);
    } else if constexpr (std::is_enum_v<Member>) {
        const auto word = std::find(words.begin(), words.end(), std::get<std::string>(value));
        return static_cast<Member>(word - words.begin());
    } else {
        return static_cast<Member>(std::get<std::int64_t>(value));
    }
}

/// Binds to the member that `access` returns a reference to, `[](auto& owner) -> auto& { return owner.member; }`.
template <class Owner, class Access>
[[nodiscard]] Binding<Owner> bind_member(Access access, const std::vector<std::string>& words)
{
    using Member = std::decay_t<decltype(access(std::declval<Owner&>()))>;
    return {
        [access, words](const Owner& owner) { return value_of_member<Member>(access(owner), words); },
        [access, words](Owner& owner, const Value& value) { access(owner) = member_of_value<Member>(value, words); }};
}

}  // namespace mrcnic::config
