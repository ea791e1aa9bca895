// Files that travel inside the program, so that it needs none of them installed. Made by cmake/embed.cmake.
#pragma once
#include <span>
#include <string_view>

namespace cairn {

struct EmbeddedFile {
  std::string_view name;  // "hopper.toml"
  std::string_view text;
};

std::span<const EmbeddedFile> ready_cases();  // the scenarios of scenarios/
std::span<const EmbeddedFile>
catalogue_prose();                            // what docs/schemes.md says beside the figures (catalogue/catalogue.hpp)
std::span<const EmbeddedFile> completions();  // the scripts of packaging/ for shells
std::span<const EmbeddedFile> page_assets();  // what every HTML page carries (render/page.hpp)

}  // namespace cairn
