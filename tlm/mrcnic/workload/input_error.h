#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace mrcnic::workload {

/// One thing that is wrong in an input file; line and column count from 1, line 0 = the file as a whole.
struct InputProblem {
    std::size_t line{0};
    std::size_t column{0};
    std::string reason;
    std::string file{};  ///< empty: that of the error; else one of the files that it was read with
};

/// A workload that cannot be run, with everything that is wrong with it in the order of the file.
///
/// `what()` has one line `error: FILE:LINE:COL: reason` for each problem (`error: FILE: reason` for the file as a
/// whole), without a line end after the last.
class InputError : public std::runtime_error {
public:
    InputError(std::string file, std::vector<InputProblem> problems);

    [[nodiscard]] const std::string& file() const noexcept { return file_; }
    [[nodiscard]] const std::vector<InputProblem>& problems() const noexcept { return problems_; }

private:
    std::string file_;
    std::vector<InputProblem> problems_;
};

/// Collects the problems of one file while it is read.
class ProblemList {
public:
    /// After so many a reader gives up: the file is probably of another kind.
    static constexpr std::size_t kMost = 100;

    explicit ProblemList(std::string file) : file_{std::move(file)} {}

    /// @param file  if it is not the one of the list
    void add(std::size_t line, std::size_t column, std::string reason, std::string file = {})
    {
        problems_.push_back({line, column, std::move(reason), std::move(file)});
    }
    [[nodiscard]] bool empty() const noexcept { return problems_.empty(); }
    [[nodiscard]] bool full() const noexcept { return problems_.size() >= kMost; }
    /// Throws an InputError with all of them, sorted by place, if there are any.
    void throw_if_any();

private:
    std::string file_;
    std::vector<InputProblem> problems_;
};

}  // namespace mrcnic::workload
