// The frames of a run: grains in frames/, contacts in contacts/, each with its list; grains in frames.xyz.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "cairn/output/growing_files.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

class FrameFiles {
 public:
  // Opens the files that the scenario, which must outlive this, asks for, if any.
  FrameFiles(std::string folder, const Scenario& scenario, GrowingFiles& growing);

  // Writes frame `number` of the present state, and calls `finished` with each file that is complete.
  void write(const World& world, std::uint64_t number,
             const std::function<void(const std::string& name, const FileSum& sum)>& finished);

 private:
  std::string folder_;
  const Scenario* scenario_;
  FrameCollection *grains_ = nullptr, *contacts_ = nullptr;
  TextFile* xyz_ = nullptr;
};

}  // namespace cairn
