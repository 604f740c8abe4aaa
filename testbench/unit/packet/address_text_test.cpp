#include "mrcnic/packet/address_text.h"

#include <string>

#include <gtest/gtest.h>

namespace mrcnic::packet {
namespace {

// [SW-56] 10.0.0.1 is 0x0A000001.
TEST(AddressText, Addresses)
{
    EXPECT_EQ(parse_address("10.0.0.1"), 0x0A00'0001U);
    EXPECT_EQ(parse_address("255.255.255.255"), 0xFFFF'FFFFU);
    EXPECT_EQ(parse_address("0.0.0.0"), 0U);
    std::string text = "to ";
    append_address(text, 0x0A01'02FFU);
    EXPECT_EQ(text, "to 10.1.2.255");
}

TEST(AddressText, WhatIsNoAddress)
{
    for (const char* text : {"", "10", "10.0.0", "10.0.0.1.2", "10.0.0.256", "10.0.0.01", "10.0.0.", ".0.0.1",
                             "10..0.1", "10.0.0.1 ", " 10.0.0.1", "10.0.0.-1", "10.0.0.+1", "10.0.0.x", "All"}) {
        EXPECT_EQ(parse_address(text), std::nullopt) << text;
    }
}

// [RC-32] ADDRESS:NUMBER; QP numbers have 24 bits [TR-2].
TEST(AddressText, EndsOfQueuePairs)
{
    EXPECT_EQ(parse_qp_end("10.0.0.1:17"), (QpEnd{0x0A00'0001U, 17}));
    EXPECT_EQ(parse_qp_end("10.0.0.1:16777215"), (QpEnd{0x0A00'0001U, 16'777'215}));
    std::string text;
    append_qp_end(text, {0x0A00'0001U, 17});
    EXPECT_EQ(text, "10.0.0.1:17");
    for (const char* bad : {"10.0.0.1", "10.0.0.1:", ":17", "10.0.0.1:16777216", "10.0.0.1:017", "10.0.0.1:1:7",
                            "10.0.0:17", "10.0.0.1:99999999999"}) {
        EXPECT_EQ(parse_qp_end(bad), std::nullopt) << bad;
    }
}

TEST(AddressText, NumbersBelowALimit)
{
    EXPECT_EQ(parse_number("0", 1), 0U);
    EXPECT_EQ(parse_number("15", 16), 15U);
    EXPECT_EQ(parse_number("16", 16), std::nullopt);
    EXPECT_EQ(parse_number("1.5", 16), std::nullopt);
    EXPECT_EQ(parse_number("", 16), std::nullopt);
}

}  // namespace
}  // namespace mrcnic::packet
