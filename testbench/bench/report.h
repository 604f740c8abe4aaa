#pragma once

#include <string>
#include <vector>

#include "testbench/bench/figures.h"

namespace mrcnic::bench {

/// Two tables for people: the cases, and the figures beside their goals.
void print_tables(const CaseResults& results, const std::vector<Figure>& figures);

/// The same for programs. @throws std::runtime_error if the file cannot be written
void write_json(const std::string& file, const CaseResults& results, const std::vector<Figure>& figures);

}  // namespace mrcnic::bench
