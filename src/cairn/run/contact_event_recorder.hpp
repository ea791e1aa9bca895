// Contacts from their beginning to their end, as they are seen between steps: how long, how fast, how hard, how deep.
// The recorder looks before and after every step and changes nothing. Between its looks:
//
// * Beginning and end are the instants at which the overlap passes zero. A contact that is open moves under the other
//   forces alone, so the instant and the speed follow from free motion at constant acceleration: from the look before
//   the contact, and back from the look after it. Bodies in free flight are exact.
// * The largest overlap is that of cubics through overlaps and their rates: of fourth order in the step.
// * The largest normal force is that of a parabola through three looks: of third order in the step, fourth about a
//   symmetric peak. Where a contact has fewer looks, or its force is largest at its first or last, it is the largest
//   force of a look.
// * The largest tangential force is always that of a look.
//
// A contact that begins and ends within one step is not seen. One that stands when recording starts begins there.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn {

struct ContactEvent {
  std::int64_t first = 0, second = 0;  // ids of the grains; second: -1 - wall for a wall
  Real began = 0, duration = 0;        // [s]
  Real peak_force = 0;                 // [N] normal, positive apart
  Real peak_force_time = 0;            // [s]
  Real peak_overlap = 0;               // [m]
  Real peak_tangential_force = 0;      // [N]
  Real approach_speed = 0;             // [m/s] along the normal, when it began
  Real separation_speed = 0;           // [m/s] the same apart, when it ended; NaN where the two did not part
  Vector approach_slip{};              // [m/s] of the first's surface on the second's, when it began
  Vector separation_slip{};            // [m/s] when it ended; zero where the two did not part
  std::int64_t parted = 0;             // 1: the two parted; 0: one was taken away, or the contact still stands
  std::int64_t first_material = 0, second_material = 0;  // as Particles::material counts them; of the wall
};

class ContactEventRecorder {
 public:
  // In that order about every step, velocities being those of the time of the positions. Grains that came or went
  // since the step before are seen by before_step().
  void before_step(World& world);
  void after_step(World& world);

  // Those that began in the last step, by ids; their ends are not yet known.
  std::span<const ContactEvent> begun() const { return begun_; }
  std::size_t waiting() const { return ended_.size(); }
  // Those that ended since this was asked last: by step, then by ids.
  std::vector<ContactEvent> take();
  // Those that stand, up to the last step.
  std::vector<ContactEvent> standing() const;

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector("contact_events.standing", standing_);
    a.vector("contact_events.ended", ended_);
    a.value("contact_events.last", last_);
    a.value("contact_events.earlier", earlier_);
  }

 private:
  struct Standing {  // plain values without padding, as checkpoints need them
    ContactEvent event;
    std::int64_t surface = -1;       // of a wall
    Real overlap = 0, approach = 0;  // [m] [m/s] at the last look
    Real force = 0, earlier = 0;     // [N] normal, at the last look and the one before
    std::int64_t looks = 0;
  };
  struct Body {
    Vector x, v, a, w;  // [m] [m/s] [m/s^2] [rad/s]
    Real radius;        // [m]
  };
  struct Course {                                // of a contact that is open, under the other forces
    Real overlap = 0, approach = 0, growth = 0;  // [m] [m/s] [m/s^2] of the approach
    Vector slip{}, slip_growth{};                // [m/s] [m/s^2]
  };

  static Body body_of(World& world, int i);
  static Course course_of(const World& world, Real time, const Body& a, const Body& b, std::int64_t surface);
  bool find_grains(const World& world);
  int index(std::int64_t id) const { return id < 0 ? 0 : where_[static_cast<std::size_t>(id)]; }
  Standing new_contact(const World& world, const ContactView& view, Real now) const;
  void go_on(Standing& contact, const ContactView& view, Real now) const;
  void end(World& world, Standing contact, Real now);

  std::vector<Standing> standing_;   // by ids and surface
  std::vector<ContactEvent> ended_;  // not yet taken
  Real last_ = 0, earlier_ = 0;      // [s] of the last two looks after steps
  std::vector<ContactEvent> begun_;  // in the last step
  // Of the present step only.
  Real time_ = 0;                 // [s] when it began
  std::vector<Body> before_;      // then
  std::vector<std::int64_t> id_;  // of the grains as they stand in the arrays,
  std::vector<int> where_;        // and where each id stands; -1: nowhere
};

}  // namespace cairn
