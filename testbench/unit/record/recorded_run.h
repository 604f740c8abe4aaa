#pragma once

#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <systemc>

#include "mrcnic/config/digest.h"
#include "mrcnic/config/edit.h"
#include "mrcnic/platforms/registry.h"
#include "mrcnic/platforms/run_records.h"
#include "testbench/support/harness.h"
#include "testbench/unit/record/record_files.h"

namespace mrcnic::testbench {

/// A platform with its records, in a folder of its own unless one is given.
class RecordedRun {
public:
    TemporaryFolder own_folder;
    std::filesystem::path folder;
    std::unique_ptr<platforms::Platform> platform;
    std::unique_ptr<platforms::RunRecords> records;

    using Settings = std::vector<std::pair<std::string, std::string>>;

    RecordedRun(const char* name, const Settings& settings, const std::filesystem::path& out = {})
        : folder{out.empty() ? own_folder.path() / "out" : out}
    {
        config::Config config = config::default_config(name);
        for (const auto& [path, value] : settings) {
            config::set(config, path, value);
        }
        platform = platforms::make_platform(config);
        records = std::make_unique<platforms::RunRecords>(*platform, folder, config::effective_values(config));
        platform->on_end([] { sc_core::sc_stop(); });
    }
    void to_end()
    {
        sc_core::sc_start();
        platform->kernel_has_ended();
        records->finish(1.5, 1.25);
    }
    std::vector<Row> rows(const std::string& record) const { return rows_of(folder / (record + ".csv")); }
    std::vector<Row> nd_stats() const { return rows_of(folder / "nd-stats.csv"); }
    std::vector<Row> messages() const { return rows_of(folder / "messages.csv"); }
    nlohmann::ordered_json summary() const { return nlohmann::ordered_json::parse(text_of(folder / "summary.json")); }
};

}  // namespace mrcnic::testbench
