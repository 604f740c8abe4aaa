#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

namespace mrcnic::record {

/// A file or folder of a run that cannot be made or written; the text names its path and the reason.
class OutputError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Makes a folder with all above it; one that exists is right. @throws OutputError
void make_folder(const std::filesystem::path& path);

/// Removes a file; none there is right. @throws OutputError
void remove_file(const std::filesystem::path& path);

/// A file being written. What is buffered reaches it at `close()` at the latest, or an error says that it did not.
class OutputFile {
public:
    /// Begins an empty file. @throws OutputError if that is not possible
    explicit OutputFile(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    /// Appends `text`. @throws OutputError
    void write(std::string_view text);
    /// Ends the file; once more does nothing. @throws OutputError if something could not be written
    void close();

private:
    struct Closer {
        void operator()(std::FILE* file) const noexcept { std::fclose(file); }
    };

    std::filesystem::path path_;
    std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace mrcnic::record
