#include "mrcnic/record/output_file.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "mrcnic/base/report.h"

namespace mrcnic::record {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, const std::error_code& reason)
{
    throw OutputError{fmt::format("{}: cannot be {}: {}", path.string(), what, reason.message())};
}

[[noreturn]] void fail(const std::filesystem::path& path, const char* what)
{
    fail(path, what, {errno, std::generic_category()});
}

}  // namespace

void make_folder(const std::filesystem::path& path)
{
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) {
        fail(path, "made", error);
    }
}

void remove_file(const std::filesystem::path& path)
{
    std::error_code error;
    std::filesystem::remove(path, error);
    if (error) {
        fail(path, "removed", error);
    }
}

OutputFile::OutputFile(std::filesystem::path path) : path_{std::move(path)}
{
    file_.reset(std::fopen(path_.c_str(), "wb"));
    if (!file_) {
        fail(path_, "opened for writing");
    }
}

void OutputFile::write(std::string_view text)
{
    invariant(file_ != nullptr, "an output file was written after its end");
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) {
        fail(path_, "written");
    }
}

void OutputFile::close()
{
    // fclose itself writes what is left: its answer counts as well.
    if (file_ && std::fclose(file_.release()) != 0) {
        fail(path_, "written");
    }
}

}  // namespace mrcnic::record
