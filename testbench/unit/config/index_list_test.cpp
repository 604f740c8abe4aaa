#include "mrcnic/config/index_list.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace mrcnic::config {
namespace {

using Indices = std::vector<std::uint32_t>;

// [WL-43] All, numbers, ranges; in the order of the list.
TEST(IndexList, ReadsNumbersAndRanges)
{
    EXPECT_EQ(parse_index_list("all", 3).value, (Indices{0, 1, 2}));
    EXPECT_EQ(parse_index_list("0,3,5-9", 10).value, (Indices{0, 3, 5, 6, 7, 8, 9}));
    EXPECT_EQ(parse_index_list(" 4 , 1 - 2 ", 5).value, (Indices{4, 1, 2}));
    EXPECT_EQ(parse_index_list("2-2", 3).value, (Indices{2}));
}

TEST(IndexList, NamesWhatIsWrong)
{
    for (const std::string part : {"", "3", "x", "-1", "1-", "2-1", "0-3", "1.5", "+1", "99999999999"}) {
        EXPECT_EQ(parse_index_list("0," + part, 3).error,
                  "\"" + part +
                      "\" is no NIC and no range of NICs; allowed: all, or a list such as 0,3,5-9 of numbers up to 2");
    }
    EXPECT_EQ(parse_index_list("0-2,1", 3).error, "1 stands twice; allowed: each NIC once");
}

}  // namespace
}  // namespace mrcnic::config
