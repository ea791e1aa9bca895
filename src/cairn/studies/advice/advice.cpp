#include "cairn/studies/advice/advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/core/text.hpp"
#include "cairn/output/forecast.hpp"
#include "cairn/run/step_guard.hpp"

namespace cairn::studies {
namespace {

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr Real stable_share = 0.8;  // [-] of the stable step that is advised at most

// Without a step above 0 the scenario's own, which the program may choose.
Simulation started(Scenario scenario, const std::string& scheme, Real step) {
  scenario.scheme = scheme;
  if (step > 0) scenario.step = step, scenario.chooses_step = false;
  scenario.guards["step"] = GuardAction::off;
  for (const char* guard : {"residual", "travel", "overlap"}) scenario.guards[guard] = GuardAction::warn;
  Simulation s(std::move(scenario));
  s.start();
  return s;
}

struct Stable {
  Real step = infinity;
  std::string where;
};
Stable stable_step(const Simulation& s, const SchemeEntry& scheme) {
  Stable least;
  const StepGuard guard(scheme);
  const std::vector<GrainData> expected = s.emitters().lightest();
  const auto take = [&](const StepGuard::Finding& found, const char* where) {
    if (found.limit > 0 && found.limit < least.step) least = {found.limit, where};
  };
  take(guard.first_touch(s.scenario(), s.world(), expected), "a single contact");
  take(guard.network(s.scenario(), s.world()), "the contacts at the start");
  take(guard.packed(s.scenario(), s.world(), expected), "the packing to come");
  return least;
}

// [s] of wall time per simulated second at this step, pictures aside, which cost the same with every scheme; NaN where
// the scheme cannot run there.
Real price(Scenario scenario, const std::string& scheme, Real step, Real patience) try {
  scenario.pictures_every = 0;
  Simulation s = started(scenario, scheme, step);
  return forecast(s, 0, patience).seconds / scenario.end;
} catch (const Error&) {
  return nan;
}

// Where a collision stands in a motion: between which two, and how many contacts each has begun before.
struct Place {
  std::int64_t first, second;
  int of_first, of_second;
  auto operator<=>(const Place&) const = default;
};

// The collisions of two alone, none of whom touched anything else meanwhile, with what they realised of the
// restitution.
struct Collided {
  Real restitution, speed;  // [-] [m/s] of the approach
  Vector slip, change;      // [-] of the surfaces at the beginning, and its change, over the approach speed
};
std::map<Place, Collided> lone_collisions(std::vector<ContactEvent> ended, const std::vector<ContactEvent>& standing) {
  ended.insert(ended.end(), standing.begin(), standing.end());
  std::sort(ended.begin(), ended.end(), [](const ContactEvent& a, const ContactEvent& b) {
    return std::tie(a.began, a.first, a.second) < std::tie(b.began, b.first, b.second);
  });
  std::map<std::int64_t, int> begun;
  std::map<std::int64_t, std::vector<std::size_t>> touching;  // by grain, of those that have not ended yet
  std::vector<char> crowded(ended.size());
  std::vector<Place> places;
  for (std::size_t k = 0; k < ended.size(); ++k) {
    const ContactEvent& now = ended[k];
    for (const std::int64_t id : {now.first, now.second}) {
      if (id < 0) continue;
      auto& others = touching[id];
      std::erase_if(others, [&](std::size_t o) { return ended[o].began + ended[o].duration < now.began; });
      for (const std::size_t o : others) crowded[o] = crowded[k] = 1;
      others.push_back(k);
    }
    places.push_back({now.first, now.second, begun[now.first]++, now.second < 0 ? 0 : begun[now.second]++});
  }
  std::map<Place, Collided> all;
  for (std::size_t k = 0; k < ended.size(); ++k)
    if (!crowded[k] && ended[k].parted == 1 && ended[k].approach_speed > 0 && std::isfinite(ended[k].separation_speed))
      all[places[k]] = {ended[k].separation_speed / ended[k].approach_speed, ended[k].approach_speed,
                        (1 / ended[k].approach_speed) * ended[k].approach_slip,
                        (1 / ended[k].approach_speed) * (ended[k].separation_slip - ended[k].approach_slip)};
  return all;
}

// A motion up to an instant: its collisions, and its state in quantities that many grains share.
struct Outcome {
  std::map<Place, Collided> collisions;
  Real dissipated = 0, kinetic = 0, exchanged = 0;  // [J]
  Vector centre{};                                  // [m]
  Real path = 0;                                    // [m] its largest displacement
};
Outcome outcome_of(const Scenario& scenario, const std::string& scheme, Real step, Real window) {
  Scenario of = scenario;
  of.end = window;
  of.contact_events = true;
  // All end at the same instant: in free flight half a step changes the kinetic energy by more than collisions do.
  Simulation s = started(of, scheme, window / std::ceil(window / step * (1 - 1e-9)));
  std::vector<ContactEvent> ended;
  const auto take = [&] {
    const std::vector<ContactEvent> more = s.contact_events().take();
    ended.insert(ended.end(), more.begin(), more.end());
  };
  const auto centre = [&] {
    Vector sum{};
    Real mass = 0;
    for (const int i : s.world().grains().by_id())
      sum += s.world().grains().mass[i] * s.world().position(i), mass += s.world().grains().mass[i];
    return mass > 0 ? (1 / mass) * sum : Vector{};
  };
  const Vector before = centre();
  Real path = 0;  // [m] the largest displacement of the centre so far
  for (unsigned due = 0; !(due & Occasion::finished);) {
    due = s.advance();
    take();
    const auto at_positions = s.synchronised();
    s.observe();
    path = std::max(path, norm(centre() - before));
  }
  const auto at_positions = s.synchronised();
  s.measure();
  Outcome out;
  const Energies e = s.world().energies();
  const LedgerChannels ledger = s.world().energy_ledger(e);
  for (int c = 0; c < Channel::count; ++c)
    if (c != Channel::external && c != Channel::onset) out.dissipated += ledger[c];
  out.kinetic = e.kinetic + e.rotational, out.exchanged = s.throughput();
  out.centre = centre(), out.path = path;
  out.collisions = lone_collisions(std::move(ended), s.contact_events().standing(s.world()));
  return out;
}

// Collisions that stand at the same place in both motions.
Advice::Measured compare(const std::string& setting, const Outcome& found, const Outcome& reference, Real accuracy) {
  constexpr Real share = 0.1;     // [-] of the accuracy
  constexpr Real no_slip = 1e-9;  // [-] changes of slip over the approach speed that may be round-off
  Advice::Measured m{.setting = setting};
  Real squares = 0, whole = 0, unweighted_squares = 0, unweighted_whole = 0, slip_squares = 0, slip_whole = 0;
  for (const auto& [place, known] : reference.collisions)
    if (const auto same = found.collisions.find(place); same != found.collisions.end()) {
      const Real apart = known.restitution * known.speed, off = same->second.restitution * known.speed - apart;
      squares += off * off, whole += apart * apart, ++m.collisions;
      unweighted_squares += std::pow(same->second.restitution - known.restitution, 2);
      unweighted_whole += known.restitution * known.restitution;
      // The response depends on the direction of the impact, and errors of earlier collisions change that.
      if (norm(same->second.slip - known.slip) > share * accuracy * norm(known.slip)) continue;
      if (!(norm(known.change) > no_slip)) continue;
      const Vector response = known.speed * known.change, differs = known.speed * same->second.change - response;
      slip_squares += dot(differs, differs), slip_whole += dot(response, response), ++m.alike;
    }
  m.restitution = m.collisions > 0 ? std::sqrt(squares / whole) : nan;
  m.tangential = m.alike > 0 ? std::sqrt(slip_squares / slip_whole) : nan;
  m.unweighted = m.collisions > 0 ? std::sqrt(unweighted_squares / unweighted_whole) : nan;
  const Real scale = std::max(reference.exchanged, std::numeric_limits<Real>::min());
  const Real path = std::max(reference.path, std::numeric_limits<Real>::min());
  m.dissipated = std::fabs(found.dissipated - reference.dissipated) / scale;
  m.kinetic = std::fabs(found.kinetic - reference.kinetic) / scale;
  m.centre = norm(found.centre - reference.centre) / path;
  return m;
}

const ExpectedImpact* shortest_of(const std::vector<ExpectedImpact>& impacts) {
  const auto least = std::min_element(impacts.begin(), impacts.end(),
                                      [](const auto& a, const auto& b) { return a.duration < b.duration; });
  return least == impacts.end() ? nullptr : &*least;
}

}  // namespace

Advice advise(const Scenario& scenario, const AdviceSettings& settings, const ProgressCallback& on_progress) {
  Advice a;
  a.accuracy = settings.accuracy;
  a.scenario = scenario.title.empty() ? scenario.file : scenario.title;
  Real done = 0;
  const Real all = static_cast<Real>(settings.schemes.size() + 1) * (settings.measures ? 2 : 1);
  const auto progress = [&](const std::string& doing) {
    if (on_progress) on_progress(std::min(1.0, done++ / all), doing);
  };
  progress("the scenario");
  const Simulation present = started(scenario, scenario.scheme, 0);
  const Real own_step = present.scenario().step;
  a.impacts = expected_impacts(scenario, present.world(), present.emitters().lightest());
  const ExpectedImpact* const shortest = shortest_of(a.impacts);
  const auto error_at = [&](const SchemeEntry& scheme, Real step, bool onset) {
    return shortest == nullptr
               ? ImpactError{nan, nan}
               : impact_error(shortest->collision, scheme, shortest->duration / step, onset, shortest->oblique);
  };
  for (const SchemeEntry* scheme : settings.schemes) {
    progress(scheme->name);
    if (scheme->stability(0) == 0 || scheme->claims.adaptive) continue;  // weakly unstable; chooses its steps
    const Simulation s = started(scenario, scheme->name, own_step);
    const bool onset = s.world().settings().onset;
    const Stable stable = stable_step(s, *scheme);
    const AccurateStep accurate =
        accurate_step(s.scenario(), s.world(), s.emitters().lightest(), *scheme, settings.accuracy);
    Advice::Option o{.scheme = scheme, .onset = onset, .stable = stable.step, .accurate = infinity, .step = 0};
    if (accurate.step > 0) o.accurate = accurate.step;
    o.step = std::min({o.accurate, stable_share * stable.step, scenario.end});
    if (o.accurate <= stable_share * stable.step) {
      o.limit = "accuracy";
    } else {
      o.limit = std::isfinite(stable.step) ? "stability on " + stable.where : "nothing";
    }
    o.steps_per_contact = shortest == nullptr ? nan : shortest->duration / o.step;
    o.error = error_at(*scheme, o.step, onset);
    o.cost = price(scenario, scheme->name, o.step, settings.patience);
    if ((!accurate.reached && accurate.step > 0) || std::isnan(o.cost)) {
      a.left_out.push_back(scheme->name +
                           (std::isnan(o.cost) ? " (does not run at its step)" : " (does not reach it)"));
      continue;
    }
    Advice::Curve curve{scheme, {}, {}};
    for (const Real n : {5.0, 7.0, 10.0, 14.0, 20.0, 28.0, 40.0}) {
      if (shortest == nullptr) break;
      const Real step = shortest->duration / n;
      const ImpactError e = error_at(*scheme, step, onset);
      if (step > stable.step || !std::isfinite(e.restitution)) continue;
      curve.cost.push_back(o.cost * o.step / step), curve.error.push_back(std::max(e.restitution, e.tangential));
    }
    a.curves.push_back(std::move(curve));
    a.options.push_back(std::move(o));
  }
  if (a.options.empty())
    throw Error(Exit::bad_input, "no scheme keeps an accuracy of " + brief(100 * settings.accuracy) +
                                     " % in the collisions of this scenario; expected a larger --accuracy");
  std::stable_sort(a.options.begin(), a.options.end(), [](const auto& p, const auto& q) { return p.cost < q.cost; });
  const SchemeEntry& own = present.scheme();
  a.own = {.scheme = &own,
           .onset = present.world().settings().onset,
           .stable = own.claims.adaptive ? infinity : stable_step(present, own).step,
           .accurate = infinity,
           .step = own_step};
  a.own.steps_per_contact = shortest == nullptr ? nan : shortest->duration / own_step;
  a.own.error = own.claims.adaptive ? ImpactError{nan, nan} : error_at(own, own_step, a.own.onset);
  a.own.cost = price(scenario, own.name, own_step, settings.patience);
  if (!settings.measures) return a;

  const Advice::Option& best = a.options.front();
  a.window = settings.window > 0 ? settings.window : 0.1 * scenario.end;
  const Real fine = best.step / 8;
  const auto run = [&](const std::string& what, const std::string& scheme, Real step) {
    progress(what);
    return outcome_of(scenario, scheme, step, a.window);
  };
  const Outcome reference = run("reference", best.scheme->name, fine);
  a.measured.push_back(compare("advised: " + best.scheme->name + ", " + brief(best.step) + " s",
                               run("advised setting", best.scheme->name, best.step), reference, a.accuracy));
  a.measured.push_back(compare("own: " + own.name + ", " + brief(own_step) + " s",
                               run("own setting", own.name, own_step), reference, a.accuracy));
  a.measured.push_back(
      compare("the reference with twice its step: " + best.scheme->name + ", " + brief(2 * fine) + " s",
              run("reference, twice the step", best.scheme->name, 2 * fine), reference, a.accuracy));
  return a;
}

}  // namespace cairn::studies
