// Orders: the error against the step, and its slope, for each scheme on motions that each test one claim. The study
// also measures whether friction equals Coulomb's while a contact slides, which an order does not show.
#pragma once
#include <string>
#include <vector>

#include "cairn/analysis/convergence.hpp"
#include "cairn/analysis/sliding.hpp"
#include "cairn/studies/schemes.hpp"
#include "cairn/studies/shown.hpp"

namespace cairn::studies {

struct OrdersSettings {
  Selection schemes = select_schemes("");
  int calls = 32768;      // most force calls of a run of one body
  int pair_calls = 8192;  // most force calls of a run of the engine's pair
  static OrdersSettings quick() { return {.calls = 8192, .pair_calls = 2048}; }
};

struct OrdersResult {
  struct Case {
    std::string name, words;
    Real end, floor;  // [s]; errors below the floor are round-off and the reference's own
    bool pair;        // two grains of the engine
  };
  struct Entry {
    const SchemeEntry* scheme;
    std::size_t in;  // of cases
    int claimed;
    Convergence found;
  };
  struct Slide {
    const SchemeEntry* scheme;
    const SlidingCase* in;
    Sliding found;
  };
  std::vector<Case> cases;
  std::vector<Entry> entries;  // scheme by scheme, case by case
  std::vector<Slide> slides;   // scheme by scheme, case by case
};

OrdersResult study_orders(const OrdersSettings& settings, const ProgressCallback& on_progress = {});
StudyReport show(const OrdersResult& result);

}  // namespace cairn::studies
