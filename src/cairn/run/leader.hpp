// A run that several ranks share (domain/domain.hpp). Rank 0 leads: it has the Simulation, reads and writes. The others
// follow: each has a World of the same settings, and does what the leader says.
#pragma once
#include <functional>
#include <string>

#include "cairn/run/registry.hpp"
#include "cairn/run/scenario.hpp"

namespace cairn {

struct WallOrigins;
class Changes;
class Probes;
class ContactEventRecorder;

class Leader {
 public:
  // Error(bad_input) where the run cannot be shared; the message says why.
  Leader(Ranks& ranks, Partition& partition, const SchemeEntry& scheme, Probes& probes, ContactEventRecorder& events);
  ~Leader();  // the others end
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;

  void join(World& world);
  // What the others need to know of the run before its grains are spread.
  struct Setting {
    const SchemeEntry& scheme;
    const Changes& changes;
    WallOrigins& walls;
  };
  // Grains go to their owners, where they have not yet: before World::begin() too, which begin() is then.
  void spread(World& world, const Setting& setting);
  void begin(World& world, bool springs);
  // A step of at most h [s], by all ranks.
  void advance(World& world, const Setting& setting, Real h);
  void gather(World& world);

 private:
  void say(const Bytes& words);

  Ranks& ranks_;
  Partition& partition_;
  Probes& probes_;
  ContactEventRecorder& events_;
};

// A rank's part of a picture, when rank 0 asks for it. The caller gives it, because run/ does not know render/.
using Painter = std::function<void(Question, ByteReader& message, const World&, const Scenario&)>;
// What the other ranks do from the start to the end of a run of this scenario.
void follow(Ranks& ranks, Partition& partition, Scenario scenario, const Painter& paint);

}  // namespace cairn
