// The summary of a run: what it was, how it ended, and the energies, guards and contacts of its last state. It needs no
// folder. Each field is declared once, with its name, in for_each_field; summary.json is a writer and a reader of it,
// and the report and studies read its members.
#pragma once
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cairn/run/assumed.hpp"
#include "cairn/run/contact_summary.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {

// Fields that may be left out where they have nothing to say.
struct LeftOutIfEmpty {};

// Values by name, in order.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

struct EnergySummary {  // [J]
  Real initial = 0, kinetic = 0, rotational = 0, gravitational = 0, elastic = 0;
  LedgerChannels ledger{};
  Real residual = 0;
  Real residual_fraction = 0;  // [-] of the energy exchanged
  Real numerical_damping = 0;  // [-] damping ratio of the scheme itself in the stiffest contact
};

struct EmitterSummary {
  std::int64_t grains = 0, waiting = 0;
};
struct ChangeSummary {  // that has happened
  Real time = 0;        // [s]
  std::int64_t step = 0;
  std::string when;                   // "kinetic < 1e-06"; empty: it had a time
  std::vector<std::string> settings;  // "wall.gate.present = false"
};
struct StepSummary {       // that the program chose
  Real time = 0;           // [s] from when on
  std::int64_t steps = 0;  // done before
  Real length = 0;         // [s]
  std::string reason;      // "limited by impacts of ..."
};
struct RemovalSummary {
  std::int64_t grains = 0;
  Real mass = 0;  // [kg]
};
struct WallSummary {
  std::int64_t number = 0;  // in columns of contacts: -1 for the first
  std::string material;
};
struct GuardSummary {
  std::string action, message;
};

struct EffortSummary {  // of implicit schemes; mean per step
  Real force_calls = 0, iterations = 0, linear_iterations = 0;
  std::int64_t unsettled_steps = 0;
};

struct SchemeSummary {
  std::string family, reference;
  std::int64_t order = 0, order_damped = 0, order_spring = 0, order_sliding = 0, calls = 0;
  bool symplectic = false, adaptive = false, implicit = false, a_stable = false;
  Real stability = 0;  // [-] limit of h omega without damping; infinite: none
};

struct LawSummary {
  std::string summary, reference;
};

struct PairSummary {  // of head-on collisions of the lightest grains of two materials
  std::string first, second;
  Real stiffness = 0, restitution = 0, friction = 0;  // [N/m] [-] [-]
  Real duration = 0, steps = 0;                       // [s] [steps]
};

struct CountSummary {
  std::int64_t began = 0, ended = 0, shortest_steps = 0;
};

struct OverlapSummary {
  Real fraction = 0;                   // [-] of the smaller radius
  Real time = 0;                       // [s]
  std::int64_t first = 0, second = 0;  // ids; second: -1 for the first wall of the scenario, -2 for the next
  std::string between;                 // "grain 3 and wall 'box'"
};

struct PictureSummary {
  Real time = 0;  // [s]
  std::string file;
};

struct ColourSummary {  // of the grains in pictures
  std::string by;       // output.colour
  std::string quantity, unit;
  Real low = 0, high = 0;              // range of the colours, the same in all pictures
  std::vector<std::string> materials;  // in the order of their colours; only by "material"
};

struct VersionSummary {
  std::string cairn, compiler;
};

struct RunSummary {
  std::string scenario, scenario_file, scenario_text;  // title, or else the file; its text
  std::vector<std::string> settings;                   // --set
  std::string scheme, scheme_reason, law;
  bool onset = false;  // corrected
  Real step = 0;       // [s] the last
  std::int64_t steps = 0;
  std::vector<StepSummary> chosen_steps;  // where the program chooses the step
  Real time = 0, end = 0;                 // [s] reached; asked for
  std::int64_t particles = 0, contacts = 0;
  bool finished = false;
  std::string stopped_by;
  Real wall_seconds = 0, particle_steps_per_second = 0;  // of all its parts, where it was resumed
  std::int64_t threads = 1;                              // of each rank
  std::optional<std::int64_t> ranks;                     // none: one process
  std::string state_hash;
  EnergySummary energy;
  Vector momentum{}, angular_momentum{}, barycentre{};  // [kg m/s] [kg m^2/s] [m]
  Named<std::int64_t> materials;                        // the number of each, from 1: the columns "type"
  Named<WallSummary> walls;
  Named<EmitterSummary> emitters;
  bool moving_walls = false;
  Named<RemovalSummary> removals;
  Named<ChangeSummary> changes;
  Named<GuardSummary> guards;               // those that reported
  Real step_limit = 0, step_limit_end = 0;  // [s] at the start, at the end; 0: no contacts
  std::int64_t force_passes = 0, list_rebuilds = 0;
  std::optional<std::int64_t> accepted_steps, rejected_steps;  // of adaptive schemes
  std::optional<EffortSummary> effort;
  SchemeSummary scheme_claims;
  LawSummary law_about;
  Named<AssumedValue> assumed;  // parameters that [contact] leaves out
  Real contact_speed = 0;       // [m/s] of the collisions in contact_pairs
  std::vector<PairSummary> contact_pairs;
  std::int64_t contact_pairs_in_all = 0;
  CountSummary contact_count;
  std::optional<OverlapSummary> largest_overlap;  // of the run; none: nothing touched
  std::optional<ShortestCollision> shortest_collision;
  std::vector<PictureSummary> pictures;
  std::optional<ColourSummary> picture_colours;
  std::string citation;
  VersionSummary versions;
};

// The time that the steps of a run took, summed over the processes that ran parts of it. A step of n grains counts as
// n.
struct TimeTaken {
  Real seconds = 0, grain_steps = 0;

  Real speed() const { return seconds > 0 ? grain_steps / seconds : 0; }  // [1/s] in grain-steps
  friend TimeTaken operator+(TimeTaken a, TimeTaken b) {
    return {a.seconds + b.seconds, a.grain_steps + b.grain_steps};
  }
};

// How a run ended.
struct Ending {
  TimeTaken taken{};
  std::string stopped_by{};  // what stopped it before its time, "SIGINT" say; empty: it ran to its end
};

// Within Simulation::synchronised(). Texts of the scenario, pictures, versions and citation are left to those who know
// them.
RunSummary run_summary(const Simulation& simulation, const Ending& ending = {});

template <class F>
void for_each_field(EnergySummary& e, F&& f) {
  f("initial", e.initial), f("kinetic", e.kinetic), f("rotational", e.rotational);
  f("gravitational", e.gravitational), f("elastic", e.elastic);
  for (int c = 0; c < Channel::count; ++c) f(channel_names[c], e.ledger[c]);
  f("residual", e.residual), f("residual_fraction", e.residual_fraction), f("numerical_damping", e.numerical_damping);
}
template <class F>
void for_each_field(EmitterSummary& e, F&& f) {
  f("grains", e.grains), f("waiting", e.waiting);
}
template <class F>
void for_each_field(ChangeSummary& c, F&& f) {
  f("time", c.time), f("step", c.step), f("when", c.when, LeftOutIfEmpty{}), f("settings", c.settings);
}
template <class F>
void for_each_field(StepSummary& s, F&& f) {
  f("time", s.time), f("steps", s.steps), f("length", s.length), f("reason", s.reason);
}
template <class F>
void for_each_field(RemovalSummary& r, F&& f) {
  f("grains", r.grains), f("mass", r.mass);
}
template <class F>
void for_each_field(WallSummary& w, F&& f) {
  f("number", w.number), f("material", w.material);
}
template <class F>
void for_each_field(GuardSummary& g, F&& f) {
  f("action", g.action), f("message", g.message);
}
template <class F>
void for_each_field(EffortSummary& e, F&& f) {
  f("force_calls", e.force_calls), f("iterations", e.iterations), f("linear_iterations", e.linear_iterations);
  f("unsettled_steps", e.unsettled_steps);
}
template <class F>
void for_each_field(SchemeSummary& s, F&& f) {
  f("family", s.family), f("reference", s.reference), f("order", s.order), f("order_damped", s.order_damped);
  f("order_spring", s.order_spring), f("order_sliding", s.order_sliding), f("calls", s.calls);
  f("symplectic", s.symplectic), f("adaptive", s.adaptive), f("implicit", s.implicit), f("a_stable", s.a_stable);
  f("stability", s.stability);
}
template <class F>
void for_each_field(LawSummary& l, F&& f) {
  f("summary", l.summary), f("reference", l.reference);
}
template <class F>
void for_each_field(PairSummary& p, F&& f) {
  f("first", p.first), f("second", p.second), f("stiffness", p.stiffness), f("restitution", p.restitution);
  f("friction", p.friction), f("duration", p.duration), f("steps", p.steps);
}
template <class F>
void for_each_field(CountSummary& c, F&& f) {
  f("began", c.began), f("ended", c.ended), f("shortest_steps", c.shortest_steps);
}
template <class F>
void for_each_field(OverlapSummary& o, F&& f) {
  f("fraction", o.fraction), f("time", o.time), f("first", o.first), f("second", o.second), f("between", o.between);
}
template <class F>
void for_each_field(PictureSummary& p, F&& f) {
  f("time", p.time), f("file", p.file);
}
template <class F>
void for_each_field(ColourSummary& c, F&& f) {
  constexpr LeftOutIfEmpty optional;
  f("by", c.by), f("quantity", c.quantity), f("unit", c.unit), f("low", c.low), f("high", c.high);
  f("materials", c.materials, optional);
}
template <class F>
void for_each_field(VersionSummary& v, F&& f) {
  f("cairn", v.cairn), f("compiler", v.compiler);
}

template <class F>
void for_each_field(RunSummary& s, F&& f) {
  constexpr LeftOutIfEmpty optional;
  f("scenario", s.scenario), f("scenario_file", s.scenario_file), f("scenario_text", s.scenario_text);
  f("settings", s.settings), f("scheme", s.scheme), f("scheme_reason", s.scheme_reason), f("law", s.law),
      f("onset", s.onset);
  f("step", s.step), f("steps", s.steps), f("chosen_steps", s.chosen_steps, optional);
  f("time", s.time), f("end", s.end);
  f("particles", s.particles), f("contacts", s.contacts);
  f("finished", s.finished), f("stopped_by", s.stopped_by);
  f("wall_seconds", s.wall_seconds), f("particle_steps_per_second", s.particle_steps_per_second);
  f("threads", s.threads), f("ranks", s.ranks), f("state_hash", s.state_hash), f("energy", s.energy);
  f("momentum", s.momentum), f("angular_momentum", s.angular_momentum), f("barycentre", s.barycentre);
  f("materials", s.materials, optional), f("walls", s.walls, optional);
  f("emitters", s.emitters, optional), f("moving_walls", s.moving_walls), f("removals", s.removals, optional);
  f("changes", s.changes, optional);
  f("guards", s.guards), f("step_limit", s.step_limit), f("step_limit_end", s.step_limit_end);
  f("force_passes", s.force_passes), f("list_rebuilds", s.list_rebuilds);
  f("accepted_steps", s.accepted_steps, optional), f("rejected_steps", s.rejected_steps, optional);
  f("effort", s.effort, optional), f("scheme_claims", s.scheme_claims), f("law_about", s.law_about);
  f("assumed", s.assumed);
  f("contact_speed", s.contact_speed), f("contact_pairs", s.contact_pairs);
  f("contact_pairs_in_all", s.contact_pairs_in_all), f("contact_count", s.contact_count);
  f("largest_overlap", s.largest_overlap);
  f("shortest_collision", s.shortest_collision), f("pictures", s.pictures);
  f("picture_colours", s.picture_colours, optional);
  f("citation", s.citation), f("versions", s.versions);
}

}  // namespace cairn
