#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "cairn/contact/laws/all.hpp"
#include "cairn/core/error.hpp"
#include "cairn/formats/document.hpp"
#include "cairn/formats/embedded.hpp"
#include "cairn/run/registry.hpp"
#include "cairn/scenario/key_doc.hpp"
#include "cairn/scenario/scenario_file.hpp"
#include "completion.hpp"

namespace cairn {
namespace {

using Candidates = std::vector<Candidate>;

Candidates of_schemes() {
  Candidates all;
  for (const SchemeEntry& e : scheme_catalogue())
    all.push_back({std::string(e.claims.name), std::string(e.claims.family)});
  for (const SchemeEntry& e : hard_scheme_catalogue())
    all.push_back({std::string(e.claims.name), std::string(e.claims.family)});
  return all;
}

Candidates of_laws() {
  Candidates all;
  for_each_law([&](auto law) { all.push_back({decltype(law)::name, decltype(law)::summary}); });
  for_each_hard_law([&](auto law) { all.push_back({std::string(law.name), std::string(law.summary)}); });
  return all;
}

Candidates of_families() {
  Candidates all;
  for (const SchemeEntry& e : scheme_catalogue()) {
    const auto same = [&](const Candidate& c) { return c.word == e.claims.family; };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({std::string(e.claims.family), ""});
  }
  all.push_back({std::string(hard_scheme_catalogue()[0].claims.family), ""});
  return all;
}

Candidates of_cases() {
  Candidates all;
  for (const EmbeddedFile& file : ready_cases())
    all.push_back({std::string(file.name.substr(0, file.name.find('.'))), ""});
  return all;
}

// The names of the entries of [[wall]] and of other lists in the scenario file on the command line.
std::map<std::string, std::vector<std::string>> names_in(const std::string& file) {
  std::map<std::string, std::vector<std::string>> names;
  try {
    const Node document = parse_document(read_scenario_text(file), file);
    for (const Entry& section : *document.table())
      if (section.node.array() != nullptr && section.node.array()->size() > 1)
        for (const Node& entry : *section.node.array())
          if (!name_of(entry).empty()) names[section.key].emplace_back(name_of(entry));
  } catch (const Error&) {  // what cannot be read has no names
  }
  return names;
}

Candidates of_keys(const std::string& file) {
  const auto names = file.empty() ? decltype(names_in(file)){} : names_in(file);
  Candidates all;
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.type == KeyDoc::Type::table || doc.type == KeyDoc::Type::tables) continue;
    const std::string section(doc.section), list = section.substr(0, section.find('.'));
    const auto add = [&](const std::string& path) {
      all.push_back({inside(path, doc.key) + "=", std::string(doc.doc)});
    };
    const auto found = names.find(list);
    if (found == names.end())
      add(section);
    else
      for (const std::string& name : found->second) add(list + "." + name + section.substr(list.size()));
  }
  return all;
}

// Values of the key of a setting, "contact.law"; none where it takes numbers or texts.
Candidates of_values(std::string_view path) {
  const std::string_view section = path.substr(0, path.find('.')), key = path.substr(path.rfind('.') + 1);
  for (const KeyDoc& doc : scenario_keys()) {
    if (doc.key != key || (doc.section != section && !doc.section.starts_with(std::string(section) + "."))) continue;
    Candidates all;
    if (doc.type == KeyDoc::Type::flag) all = {{"true", ""}, {"false", ""}};
    if (doc.type == KeyDoc::Type::scheme) all = of_schemes();
    for (const std::string_view word : doc.choices) all.push_back({std::string(word), ""});
    return all;
  }
  return {};
}

// All of them behind what stands already: "run.scheme=", "rk4,".
Candidates behind(const std::string& start, Candidates all) {
  for (Candidate& one : all) one.word = start + one.word;
  return all;
}

// Candidates for an option or a positional argument of this type; `word` is typed so far.
Candidates of_type(const std::string& type, const std::string& word, const std::string& file) {
  const std::string list = word.substr(0, word.rfind(',') + 1);
  if (type == "SCHEME") return of_schemes();
  if (type == "SCHEMES") return behind(list, of_schemes());
  if (type == "LAW") return of_laws();
  if (type == "FAMILY") return of_families();
  if (type == "CASE") return of_cases();
  if (type == "SHELL") return {{"bash", ""}, {"zsh", ""}, {"fish", ""}};
  if (!type.starts_with("KEY=")) return {};
  const std::size_t equals = word.find('=');
  if (equals == word.npos) return of_keys(file);
  const bool many = type != "KEY=VALUE" && list.size() > equals;
  return behind(many ? list : word.substr(0, equals + 1), of_values(std::string_view(word).substr(0, equals)));
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& command) {
  std::vector<const CLI::Option*> all;
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) all.push_back(option);
  return all;
}

Candidates of_commands(const CLI::App& command) {
  Candidates all;
  for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; }))
    all.push_back({one->get_name(), one->get_description()});
  return all;
}

Candidates of_options(const CLI::App& command) {
  Candidates all;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) all.push_back({"--" + name, option->get_description()});
  return all;
}

}  // namespace

std::string value_type(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string name = option.get_type_name();
  return name.substr(0, name.find(':'));  // what a check adds stands behind
}

std::vector<Candidate> candidates(const CLI::App& app, std::span<const std::string> words) {
  if (words.empty()) return {};
  const CLI::App* command = &app;
  const CLI::Option* open = nullptr;  // an option that waits for its value
  std::vector<std::string> given;     // of the positionals
  const std::string& word = words.back();
  for (const std::string& before : words.first(words.size() - 1)) {
    if (open != nullptr) {
      open = nullptr;
    } else if (before.starts_with('-')) {
      const CLI::Option* option = command->get_option_no_throw(before);
      if (option != nullptr && option->get_type_size() > 0) open = option;
    } else if (const auto inner = of_commands(*command);
               std::any_of(inner.begin(), inner.end(), [&](const Candidate& c) { return c.word == before; })) {
      command = command->get_subcommand(before);
    } else {
      given.push_back(before);
    }
  }
  const std::string file = given.empty() ? "" : given[0];
  Candidates all;
  std::string start;
  if (open != nullptr) {
    all = of_type(value_type(*open), word, file);
  } else if (const std::size_t equals = word.find('='); word.starts_with("--") && equals != word.npos) {
    const CLI::Option* option = command->get_option_no_throw(word.substr(0, equals));
    if (option != nullptr)
      all = behind(word.substr(0, equals + 1), of_type(value_type(*option), word.substr(equals + 1), file));
  } else if (word.starts_with('-')) {
    all = of_options(*command);
  } else {
    all = of_commands(*command);
    const auto positionals = positionals_of(*command);
    if (given.size() < positionals.size())
      for (Candidate& one : of_type(value_type(*positionals[given.size()]), word, file)) all.push_back(std::move(one));
  }
  std::erase_if(all, [&](const Candidate& c) { return !c.word.starts_with(word); });
  return all;
}

}  // namespace cairn
