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
//
// Where ranks share a run, each has a recorder, which sees the contacts that its rank counts. Rank 0 has the events of
// all once it has collected them.
#pragma once
#include <cstdint>
#include <functional>
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

struct BegunContact {
  ContactEvent event;
  std::int64_t surface = -1;  // of a wall
};

class ContactEventRecorder {
 public:
  // Contacts of grains that are gone end with the last look. Of the rank that has all grains, before others have any.
  void see_removed(const World& world);
  // In that order about every step, by all ranks; velocities being those of the time of the positions. before_step()
  // sees what was removed, too, where one rank has all grains.
  void before_step(World& world);
  void after_step(World& world);

  // Those that began in the last step, by ids; their ends are not yet known.
  std::span<const BegunContact> begun() const { return begun_; }
  std::size_t waiting() const { return ended_.size(); }
  // Rank 0 gets what the others have, before it has all grains. Every rank calls it.
  void collect(const Domain& domain);
  // The same of those that have ended; at any time.
  void collect_ended(const Domain& domain);
  // Those that ended since this was asked last, up to the last collect_ended() where grains are apart: by step, then by
  // ids.
  std::vector<ContactEvent> take();
  void forget_ended();  // no output takes them
  // Those that stand, up to the last step, on all ranks: in pieces by ids. Rank 0 asks, the others answer.
  void each_standing(const World& world, const std::function<void(const ContactEvent&)>& take) const;
  std::vector<ContactEvent> standing(const World& world) const;
  struct StandingLook {
    std::int64_t from = 0, to = 0;  // ids of the first grain
  };
  void answer(const World& world, const StandingLook& look) const { standing_of(world, look); }
  // The section of a checkpoint that holds them, where grains are apart.
  static constexpr const char* standing_section = "contact_events.standing";
  SavedSection saved_standing(const World& world) const;

  template <class Archive>
  void for_each_saved(Archive&& a) {
    a.vector(standing_section, standing_);
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
  struct Wall {
    Vector x, v, a;  // [m] [m/s] [m/s^2] of a loaded wall by forces
  };
  struct Course {                                // of a contact that is open, under the other forces
    Real overlap = 0, approach = 0, growth = 0;  // [m] [m/s] [m/s^2] of the approach
    Vector slip{}, slip_growth{};                // [m/s] [m/s^2]
  };

  struct Ended {
    std::int64_t step = 0;
    ContactEvent event;
  };

  struct Some {
    std::vector<Standing> here;  // on rank 0
    std::int64_t all = 0;        // how many stand, of any ids
  };
  Some standing_of(const World& world, StandingLook look) const;
  void each_piece(const World& world, const std::function<void(const std::vector<Standing>&)>& take) const;
  ContactEvent so_far(const Standing& contact) const;

  static Body body_of(World& world, int i);
  static std::vector<Wall> walls_of(World& world);
  static Course course_of(const World& world, Real time, std::span<const Wall> walls, const Body& a, const Body& b,
                          std::int64_t surface);
  void find_grains(const World& world);
  void follow_grains(const World& world);
  bool counts(const Standing& contact, const Particles& grains) const;
  void order();
  int index(std::int64_t id) const {  // of a grain, -1: nowhere; 0 for a wall
    return id < 0 ? 0 : id < std::ssize(where_) ? where_[static_cast<std::size_t>(id)] : -1;
  }
  Standing new_contact(const World& world, const ContactView& view, Real now) const;
  void go_on(Standing& contact, const ContactView& view, Real now) const;
  ContactEvent end(World& world, Standing contact, Real now) const;

  std::vector<Standing> standing_;   // by ids and surface
  std::vector<ContactEvent> ended_;  // not yet taken
  std::vector<Ended> uncollected_;   // of this rank, empty while it has all grains
  Real last_ = 0, earlier_ = 0;      // [s] of the last two looks after steps
  std::vector<BegunContact> begun_;  // in the last step
  // Of the present step only.
  Real time_ = 0;                    // [s] when it began
  std::vector<Wall> walls_before_;   // then
  std::vector<Body> before_;         // the same of the grains that this rank has,
  int own_begin_ = 0, own_end_ = 0;  // of which it owned these
  std::vector<std::int64_t> id_;     // of the grains as they stand in the arrays,
  std::vector<int> where_;           // and where each id stands; -1: nowhere
};

}  // namespace cairn
