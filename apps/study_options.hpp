// Options and output that the commands of all studies share.
#pragma once
#include <functional>
#include <string>

#include "cairn/studies/shown.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace cairn {

// The option's text is not empty; its number is above 0 and finite.
extern const CLI::Validator not_empty, positive_number;

// The options of every study.
struct StudyOptions {
  std::string out, csv, schemes;
  bool force = false, quick = false, quiet = false, json = false;

  void add_to(CLI::App& command);
};

// Runs a study, writes the files of the report that it returns, and prints its table and findings.
void run_study(const std::string& name, const StudyOptions& options,
               const std::function<studies::StudyReport(const studies::ProgressCallback& on_progress)>& study);

}  // namespace cairn
