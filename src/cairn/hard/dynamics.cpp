#include "cairn/hard/dynamics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace cairn::hard {
namespace {

class Solver {
 public:
  // `rebounds` false: every approach ends without one, and contacts that would be let through are met at once.
  Solver(std::span<Body> bodies, std::span<Contact> contacts, const DynamicsSettings& settings, bool rebounds)
      : rebounds_(rebounds),
        bodies_(bodies),
        contacts_(contacts),
        limits_(contacts.size()),
        directions_(contacts.size()) {
    Real fastest = 0;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      Contact& c = contacts[k];
      const Real approach = dot(c.before, c.n), now = dot(relative_velocity(bodies, c), c.n);
      const bool meets = c.gap <= settings.until_next * std::max(approach, now);
      const Real sinking =
          std::min(c.slowest, std::max(0.0, c.resting_overlap + std::min(0.0, c.gap)) / settings.until_next);
      limits_[k] = rebounds && meets && approach > c.slowest ? -c.restitution * approach
                                                             : std::max(0.0, c.gap) / settings.until_next + sinking;
      fastest = std::max({fastest, c.slowest, meets ? std::max(approach, now) : 0.0});
      // One that carried a load goes on with it, unless it has rebounded.
      if (meets || c.gap <= c.resting_overlap || (c.normal > 0 && approach > -c.slowest))
        active_.push_back(k);
      else
        c.normal = 0, c.tangential = {};
    }
    settled_ = settings.tolerance * fastest;
  }

  Outcome solve(int most_sweeps) {
    for (const Contact& c : contacts_) apply(bodies_, c, c.tangential - c.normal * c.n);
    Outcome outcome;
    do {
      Sweep last;
      Real least = std::numeric_limits<Real>::infinity();  // [J]
      int idle = 0;                                        // sweeps without a smaller change
      do {
        const Sweep now = sweep();
        ++outcome.sweeps;
        outcome.residual = now.residual, outcome.converged = now.residual <= settled_;
        if (outcome.converged || outcome.sweeps >= most_sweeps) break;
        // Where contacts stick and slide in turn the acceleration may go round in circles; plain sweeps come to rest.
        if (idle < most_idle) idle = now.energy < least ? 0 : idle + 1;
        least = std::min(least, now.energy);
        go_on_along(idle < most_idle && now.energy < last.energy ? damped * now.energy / last.energy : 0);
        last = now;
      } while (true);
    } while (!rebounds_ && add_violated() && outcome.sweeps < most_sweeps);
    return outcome;
  }

  // Whether the solution lets some contact through.
  bool violated() const {
    for (std::size_t k = 0; k < contacts_.size(); ++k)
      if (contacts_[k].normal_response > 0 &&
          dot(relative_velocity(bodies_, contacts_[k]), contacts_[k].n) > limits_[k] + violation())
        return true;
    return false;
  }

 private:
  static constexpr Real damped = 0.9;
  static constexpr int most_idle = 30;

  struct Sweep {
    Real energy = 0;    // [J] of the changes
    Real residual = 0;  // [m/s] their root mean square
  };
  Sweep sweep() {
    Sweep s;
    Real squares = 0;  // [m^2/s^2]
    for (const std::size_t k : active_) {
      const Impulse change = visit(k);
      const Contact& c = contacts_[k];
      const Real n2 = change.normal * change.normal, t2 = dot(change.tangential, change.tangential);
      s.energy += c.normal_response * n2 + c.tangential_response * t2;
      squares += c.normal_response * c.normal_response * n2 + c.tangential_response * c.tangential_response * t2;
    }
    s.residual = std::sqrt(squares / static_cast<Real>(std::max<std::size_t>(1, active_.size())));
    return s;
  }

  // Gives contact k the impulse that it would take if all others kept theirs; returns the change.
  Impulse visit(std::size_t k) {
    Contact& c = contacts_[k];
    Impulse& change = directions_[k].change;
    change = {};
    if (!(c.normal_response > 0)) return change;
    const Vector u = relative_velocity(bodies_, c);
    const Real approach = dot(u, c.n);
    const Real normal = std::max(0.0, c.normal + (approach - limits_[k]) / c.normal_response);
    if (normal == 0 && c.normal == 0) return change;
    const Vector tangential =
        within_friction(c.tangential - (1 / c.tangential_response) * (u - approach * c.n), c.friction * normal);
    change = {normal - c.normal, tangential - c.tangential};
    apply(bodies_, c, change.tangential - change.normal * c.n);
    c.normal = normal, c.tangential = tangential;
    return change;
  }

  // Adds `beta` times the last direction to the impulses; the next direction is that and the change of the sweep.
  // Impulses outside of the admissible cone are as good a place to go on from: the next visit comes back.
  void go_on_along(Real beta) {
    for (const std::size_t k : active_) {
      Contact& c = contacts_[k];
      auto& [change, along] = directions_[k];
      const Impulse more{beta * along.normal, beta * along.tangential};
      along = {more.normal + change.normal, more.tangential + change.tangential};
      if (more.normal == 0 && more.tangential == Vector{}) continue;
      apply(bodies_, c, more.tangential - more.normal * c.n);
      c.normal += more.normal, c.tangential += more.tangential;
    }
  }

  // Contacts that the solution would let through become active; whether there are any.
  bool add_violated() {
    std::vector<std::size_t> all;
    auto next = active_.begin();
    for (std::size_t k = 0; k < contacts_.size(); ++k) {
      const bool was = next != active_.end() && *next == k;
      next += was;
      const Contact& c = contacts_[k];
      if (was || dot(relative_velocity(bodies_, c), c.n) > limits_[k] + violation()) all.push_back(k);
    }
    const bool more = all.size() > active_.size();
    active_ = std::move(all);
    for (auto& [change, along] : directions_) along = {};
    return more;
  }

  // [m/s] Single contacts may stray farther than their root mean square.
  Real violation() const { return 10 * settled_; }

  struct Direction {
    Impulse change, along;
  };
  bool rebounds_;
  std::span<Body> bodies_;
  std::span<Contact> contacts_;
  std::vector<Real> limits_;  // [m/s]
  std::vector<Direction> directions_;
  std::vector<std::size_t> active_;  // ascending
  Real settled_ = 0;                 // [m/s]
};

}  // namespace

Outcome contact_dynamics(std::span<Body> bodies, std::span<Contact> contacts, const DynamicsSettings& settings) {
  constexpr int most_rounds = 10;
  Outcome total;
  std::vector<Impulse> impulses(contacts.size());
  std::vector<Vector> start;
  for (const Contact& c : contacts) start.push_back(c.before);
  for (int round = 1; round <= most_rounds; ++round) {
    Solver solver(bodies, contacts, settings, round < most_rounds);
    const Outcome now = solver.solve(settings.most_sweeps - total.sweeps);
    total.sweeps += now.sweeps, total.residual = now.residual, total.converged = now.converged;
    const bool goes_on = total.sweeps < settings.most_sweeps && round < most_rounds && solver.violated();
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      Contact& c = contacts[k];
      impulses[k].normal += c.normal, impulses[k].tangential += c.tangential;
      c.normal = impulses[k].normal, c.tangential = impulses[k].tangential;
      if (goes_on) c.before = relative_velocity(bodies, c), c.normal = 0, c.tangential = {};
    }
    if (!goes_on) break;
  }
  // From the start of the step to its end: only then gravity does as much work on the velocities as on the height.
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const Contact& c = contacts[k];
    total.work.add(c, c.normal, c.tangential, start[k], relative_velocity(bodies, c));
  }
  return total;
}

}  // namespace cairn::hard
