#include "cli/arguments.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <systemc>

#include "cli/output.h"
#include "mrcnic/base/version.h"
#include "mrcnic/config/quantity.h"

namespace mrcnic::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  mrcnic run platforms/examples/pair.toml\n"
    "  mrcnic run platforms/examples/star.toml --set workload.File=my.cm --out results\n"
    "  mrcnic run platforms/examples/line_rate_receive.toml --set nic.HostInterface.NICSide.LaneCount=8\n"
    "  mrcnic run platforms/examples/pair.toml --trace pcap --trace-to 10us\n"
    "  mrcnic check platforms/examples/pair.toml --set nic.SemanticLayer.MSS=1024\n"
    "  mrcnic attributes | grep -i buffer\n"
    "\n"
    "Exit codes:\n"
    "  0    done: every message has finished\n"
    "  2    error of the command line, the configuration or the workload\n"
    "  3    the run failed: an invariant of the model is broken, or nothing is left to happen yet a message "
    "unfinished\n"
    "  4    the stop time came before every message had finished; records are complete\n"
    "  130  interrupted by SIGINT or SIGTERM; records so far are complete\n";

using Work = std::function<ExitCode()>;

std::string version_text()
{
    return fmt::format("mrcnic {}\nSystemC {}\nbuild type {}", kVersion, sc_core::sc_release(), MRCNIC_BUILD_TYPE);
}

/// An option with one of these words as value.
template <typename Value>
void add_choice(CLI::App& command, const std::string& name, Value& target,
                std::vector<std::pair<std::string, Value>> words, const std::string& doc)
{
    const auto choose = [name, &target, words = std::move(words)](const std::string& text) {
        std::string allowed;
        for (const auto& [word, value] : words) {
            if (word == text) {
                target = value;
                return;
            }
            allowed += (allowed.empty() ? "" : ", ") + word;
        }
        throw CLI::ValidationError{fmt::format("{} {}: unknown; allowed: {}", name, text, allowed)};
    };
    command.add_option_function<std::string>(name, choose, doc)->option_text("WORD")->take_last();
}

void add_source(CLI::App& command, ConfigSource& source)
{
    command.add_option("FILE", source.file, "the configuration, a TOML file")->required()->option_text(" ");
    command
        .add_option("--set", source.overrides,
                    "sets an attribute by its dotted path, whatever FILE says; may be repeated")
        ->option_text("PATH=VALUE")
        ->allow_extra_args(false);
}

/// The names of a comma-separated list, empty ones too.
std::vector<std::string> names_of(const std::string& list)
{
    std::vector<std::string> names(1);
    for (const char character : list) {
        if (character == ',') {
            names.emplace_back();
        } else {
            names.back() += character;
        }
    }
    return names;
}

void choose_traces(const std::string& list, platforms::Traces& traces)
{
    constexpr std::array<std::string_view, 3> kLater{"timeline", "wave", "tlp"};
    for (const std::string& name : names_of(list)) {
        if (std::find(kLater.begin(), kLater.end(), name) != kLater.end()) {
            throw CLI::ValidationError{fmt::format("--trace {}: not in this version; allowed: pcap", name)};
        }
        if (name != "pcap") {
            throw CLI::ValidationError{fmt::format("--trace {}: unknown; allowed: pcap", name)};
        }
        traces.pcap = true;
    }
}

/// An option with an instant as value, for those who have chosen traces.
CLI::Option& add_instant(CLI::App& command, const std::string& name, Picoseconds& target, const std::string& doc)
{
    const auto set = [name, &target](const std::string& text) {
        const auto parsed = config::parse_quantity(text, config::Dimension::time);
        if (!parsed) {
            throw CLI::ValidationError{fmt::format("{} {}: {}", name, text, parsed.error)};
        }
        target = *parsed.value;
    };
    return *command.add_option_function<std::string>(name, set, doc)->option_text("T")->take_last();
}

void add_traces(CLI::App& command, platforms::Traces& traces)
{
    const auto choose = [&traces](const std::string& list) { choose_traces(list, traces); };
    CLI::Option* const trace =
        command
            .add_option_function<std::string>(
                "--trace", choose, "writes traces into the folder; a comma-separated list of: pcap (wire.pcapng)")
            ->option_text("LIST")
            ->take_last();
    add_instant(command, "--trace-from", traces.window.from, "traces begin at this instant, such as 10us [0]")
        .needs(trace);
    add_instant(command, "--trace-to", traces.window.to, "traces end before this instant [the end]").needs(trace);
}

void check_window(const platforms::Traces& traces)
{
    if (traces.window.to <= traces.window.from) {
        throw CLI::ValidationError{fmt::format("--trace-to {}ps: not after --trace-from {}ps; allowed: a later instant",
                                               traces.window.to, traces.window.from)};
    }
}

void add_run(CLI::App& app, Work& work)
{
    CLI::App& command = *app.add_subcommand("run", "runs the platform that FILE describes");
    const auto options = std::make_shared<RunOptions>();
    add_source(command, options->source);
    command.add_option("--out", options->out, "folder of the records and summary.json, made if it is missing [out]")
        ->option_text("DIR")
        ->take_last();
    const auto set_seed = [options](const std::string& text) {
        if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos) {
            throw CLI::ValidationError{fmt::format("--seed {}: no whole number; allowed: 0 to 10^18 - 1", text)};
        }
        options->seed = text;
    };
    command.add_option_function<std::string>("--seed", set_seed, "sets simulation.Seed")->option_text("N")->take_last();
    add_traces(command, options->traces);
    add_choice<ProgressMode>(command, "--progress", options->progress,
                             {{"auto", ProgressMode::automatic}, {"on", ProgressMode::on}, {"off", ProgressMode::off}},
                             "progress on standard error: on, off, or auto: if a person watches on a terminal [auto]");
    command.add_flag("--quiet", options->quiet, "no table at the end, and no progress unless it is on");
    command.callback([&work, options] {
        check_window(options->traces);
        work = [options] { return run(*options); };
    });
}

void add_check(CLI::App& app, Work& work)
{
    CLI::App& command =
        *app.add_subcommand("check", "validates FILE and its workload, prints every attribute's value and origin");
    const auto source = std::make_shared<ConfigSource>();
    add_source(command, *source);
    command.callback([&work, source] { work = [source] { return check(*source); }; });
}

void add_lists(CLI::App& app, Work& work)
{
    CLI::App& command =
        *app.add_subcommand("attributes", "prints every attribute: path, type, unit, default, range, meaning");
    const auto format = std::make_shared<AttributeFormat>(AttributeFormat::table);
    add_choice<AttributeFormat>(
        command, "--format", *format,
        {{"table", AttributeFormat::table}, {"json", AttributeFormat::json}, {"markdown", AttributeFormat::markdown}},
        "table, json or markdown [table]");
    command.callback([&work, format] { work = [format] { return list_attributes(*format); }; });
    app.add_subcommand("platforms", "prints the built-in platforms")->callback([&work] { work = list_platforms; });
}

/// "a, b, c" of what `name_of` gives for each.
template <typename Items, typename Name>
std::string joined(const Items& items, Name name_of)
{
    std::string text;
    for (const auto* item : items) {
        text += (text.empty() ? "" : ", ") + name_of(*item);
    }
    return text;
}

bool is_option(const std::string& argument)
{
    return !argument.empty() && argument.front() == '-';
}

/// "--frob: unknown option; allowed: ..."
std::string describe_unexpected(const std::vector<std::string>& unexpected, const CLI::App& command)
{
    const auto option = std::find_if(unexpected.begin(), unexpected.end(), is_option);
    const std::string options = joined(command.get_options(), [](const CLI::Option& o) { return o.get_name(); });
    return option != unexpected.end() ? fmt::format("{}: unknown option; allowed: {}", *option, options)
                                      : fmt::format("{}: unknown argument; allowed: {}", unexpected.front(), options);
}

/// What is wrong, and what is allowed instead.
std::string describe(const CLI::App& app, const CLI::ParseError& error)
{
    const std::vector<std::string> unexpected = app.remaining(true);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    const bool names_command = chosen.empty() && (unexpected.empty() || !is_option(unexpected.front()));
    if (names_command) {
        const auto all = app.get_subcommands([](const CLI::App*) { return true; });
        return fmt::format("{}; allowed: {}",
                           unexpected.empty() ? "a command is missing" : unexpected.front() + ": unknown command",
                           joined(all, [](const CLI::App& c) { return c.get_name(); }));
    }
    if (!unexpected.empty()) {
        return describe_unexpected(unexpected, command);
    }
    const std::string what = error.what();
    // The library's own words for it, "1 required TEXT missing", tell a user little.
    const bool lacks_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
    return fmt::format("{}; see mrcnic {} --help",
                       lacks_value ? what.substr(0, what.find(':')) + ": has no value" : what, command.get_name());
}

}  // namespace

Request parse_arguments(int argc, const char* const* argv)
{
    Work work;
    CLI::App app{"Cycle-accurate model of an MRC NIC: runs platforms that TOML files describe.", "mrcnic"};
    app.set_help_flag("-h,--help", "prints this help");
    app.set_version_flag("--version", version_text(), "prints version, SystemC version and build type");
    app.require_subcommand(1);
    app.footer(kExamples);
    add_run(app, work);
    add_check(app, work);
    add_lists(app, work);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) {
        app.exit(success);  // prints help or version
        return kDone;
    } catch (const CLI::ParseError& error) {
        print_error(describe(app, error));
        return kUsageError;
    }
    return work;
}

}  // namespace mrcnic::cli
