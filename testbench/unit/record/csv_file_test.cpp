#include "mrcnic/record/csv_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <regex>
#include <string>

#include <gtest/gtest.h>

#include "mrcnic/base/report.h"
#include "mrcnic/record/utc.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::record {
namespace {

using testbench::TemporaryFolder;
using testbench::text_of;

std::string error_of(const std::function<void()>& deed)
{
    try {
        deed();
    } catch (const OutputError& error) {
        return error.what();
    }
    return "no error";
}

// [RC-11] The first line has the names, comma separated, no spaces, no quotes; LF line ends.
// [RC-12] What does not apply is empty; integers print plainly.
TEST(CsvFile, LinesOfCells)
{
    const TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"name", "count", "difference", "rate"}};
    file.cell("MrcNic-0").cell(std::uint64_t{18'446'744'073'709'551'615U}).cell(-3).cell(0.5).end_row();
    file.cell("").cell(std::uint16_t{7}).empty_cell().empty_cell().end_row();
    file.close();
    file.close();
    EXPECT_EQ(text_of(folder.path() / "a.csv"),
              "name,count,difference,rate\nMrcNic-0,18446744073709551615,-3,0.5\n,7,,\n");
}

// [RC-12] The shortest decimal that reads back to the same double. 0.1 + 0.2 is the double after 0.3.
TEST(CsvFile, ShortestDoubles)
{
    const TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"a", "b", "c", "d", "e", "f"}};
    file.cell(0.1).cell(0.1 + 0.2).cell(50.0).cell(0.0).cell(1e-5).cell(std::numeric_limits<double>::max()).end_row();
    file.close();
    EXPECT_EQ(text_of(folder.path() / "a.csv"),
              "a,b,c,d,e,f\n0.1,0.30000000000000004,50,0,1e-05,1.7976931348623157e+308\n");
}

// Text that would break the table is quoted as RFC 4180 has it.
TEST(CsvFile, QuotesWhereNeeded)
{
    const TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"a", "b", "c"}};
    file.cell("x,y").cell("say \"no\"").cell("two\nlines").end_row();
    file.close();
    EXPECT_EQ(text_of(folder.path() / "a.csv"), "a,b,c\n\"x,y\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

TEST(CsvFile, RefusesRowsOfAnotherLength)
{
    const TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"a", "b"}};
    file.cell(1);
    EXPECT_THROW(file.end_row(), InvariantError);
}

// More than any buffer holds: all of it is there after the end.
TEST(CsvFile, NothingIsLostAtTheEnd)
{
    const TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"n"}};
    std::string expected = "n\n";
    for (int i = 0; i < 100'000; ++i) {
        file.cell(i).end_row();
        expected += std::to_string(i) + "\n";
    }
    file.close();
    EXPECT_EQ(text_of(folder.path() / "a.csv"), expected);
}

// A device that takes nothing: the error comes at the latest when the file ends, and names it.
TEST(CsvFile, AFullDeviceIsAnError)
{
    CsvFile file{"/dev/full", {"n"}};
    EXPECT_EQ(error_of([&file] { file.close(); }), "/dev/full: cannot be written: No space left on device");
}

TEST(CsvFile, AFileThatCannotBeOpenedIsNamed)
{
    const TemporaryFolder folder;
    const std::filesystem::path missing = folder.path() / "none" / "a.csv";
    EXPECT_EQ(error_of([&missing] { CsvFile(missing, {"n"}); }),
              missing.string() + ": cannot be opened for writing: No such file or directory");
    EXPECT_EQ(error_of([&folder] { CsvFile(folder.path(), {"n"}); }),
              folder.path().string() + ": cannot be opened for writing: Is a directory");
}

TEST(OutputFolder, IsMadeWithAllAboveIt)
{
    const TemporaryFolder folder;
    make_folder(folder.path() / "a" / "b");
    make_folder(folder.path() / "a" / "b");
    EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a" / "b"));
    OutputFile{folder.path() / "file"}.close();
    const std::filesystem::path below = folder.path() / "file" / "out";
    EXPECT_EQ(error_of([&below] { make_folder(below); }), below.string() + ": cannot be made: Not a directory");
}

// [RC-13] Fixed by default; the wall clock on demand, in the same form.
TEST(Utc, FixedOrWallClock)
{
    EXPECT_EQ(Utc{false}.now(), "1970-01-01T00:00:00Z");
    const std::string now = Utc{true}.now();
    EXPECT_TRUE(std::regex_match(now, std::regex{R"(2\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ)"})) << now;
}

// [RC-14] Nanoseconds with three decimals, whole picoseconds however late. [RC-32] Ends of queue pairs.
TEST(CsvFileCells, InstantsAndEnds)
{
    const testbench::TemporaryFolder folder;
    CsvFile file{folder.path() / "a.csv", {"a", "b", "c", "d", "e"}};
    file.nanoseconds_cell(0).nanoseconds_cell(15'000).nanoseconds_cell(269'324);
    file.nanoseconds_cell(9'007'199'254'740'993'001).cell(packet::QpEnd{0x0A00'0001U, 17}).end_row();
    file.close();
    EXPECT_EQ(testbench::text_of(folder.path() / "a.csv"),
              "a,b,c,d,e\n0.000,15.000,269.324,9007199254740993.001,10.0.0.1:17\n");
}

}  // namespace
}  // namespace mrcnic::record
