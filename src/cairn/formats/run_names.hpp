// The names of all files a run writes into its folder, for writing and for removing them. A file of any other name,
// however similar, belongs to the user.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::names {

inline constexpr const char* scenario = "scenario.toml";
inline constexpr const char* series = "series.csv";
inline constexpr const char* contact_events = "contact_events.csv";
inline constexpr const char* probes = "probes.csv";
inline constexpr const char* final_state = "final.csv";
inline constexpr const char* summary = "summary.json";
inline constexpr const char* report = "report.html";
inline constexpr const char* frames_list = "frames.pvd";
inline constexpr const char* contacts_list = "contacts.pvd";
inline constexpr const char* frames_xyz = "frames.xyz";
inline constexpr const char* checksums = "checksums.txt";
inline constexpr const char* single[] = {scenario, series,      contact_events, probes,     final_state, summary,
                                         report,   frames_list, contacts_list,  frames_xyz, checksums};

// Files of a folder of their own within that of the run, counted: frames/frame_000012.vtp.
struct Numbered {
  const char *folder, *prefix;
  int digits;  // at least
  const char* ending;

  std::string file(std::uint64_t number) const;  // within its folder
  std::string name(std::uint64_t number) const { return std::string(folder) + "/" + file(number); }
  std::optional<std::uint64_t> number_of(std::string_view file) const;  // none: it is not one of these
};
inline constexpr Numbered checkpoint{"checkpoint", "checkpoint.", 1, ""};
inline constexpr Numbered frame{"frames", "frame_", 6, ".vtp"};
inline constexpr Numbered contact_frame{"contacts", "contacts_", 6, ".vtp"};
inline constexpr Numbered picture{"pictures", "picture_", 6, ".png"};
inline constexpr Numbered numbered[] = {checkpoint, frame, contact_frame, picture};

bool is_numbered(std::string_view name);  // in the run's folder

// The figures a report may have, each in files of these endings.
inline constexpr const char* figures_folder = "figures";
inline constexpr const char* figures[] = {"energy", "residual", "motion",      "external", "contacts", "coordination",
                                          "height", "step",     "wall_forces", "removed",  "mass_flow"};
inline constexpr const char* figure_endings[] = {".csv", ".gp", ".svg"};

// The files in the run's folder that have one of these names, as "frames/frame_000012.vtp"; with `parts` also
// NAME.part, which a killed run leaves of a file it was writing.
std::vector<std::string> written_in(const std::string& folder, bool parts = false);

// Removes the files of an earlier run, and nothing else.
void remove_results(const std::string& folder);
// Moves them into a folder beside, whose name it returns; empty where there are none (formats/earlier_results.hpp).
std::string keep_results(const std::string& folder);

// Error(io) where a folder within that of the run is a link to another.
void refuse_links(const std::string& folder);

}  // namespace cairn::names
