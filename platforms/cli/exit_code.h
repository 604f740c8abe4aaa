#pragma once

namespace mrcnic::cli {

/// What the program ends with.
enum ExitCode : int {
    kDone = 0,
    kUsageError = 2,    ///< of the command line, the configuration or the workload
    kRunFailed = 3,     ///< a broken invariant of the model, or an error of the run
    kUnfinished = 4,    ///< the stop time came before every message had finished
    kInterrupted = 130  ///< by SIGINT or SIGTERM; records so far are closed and valid
};

}  // namespace mrcnic::cli
