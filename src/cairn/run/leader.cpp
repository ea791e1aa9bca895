#include "cairn/run/leader.hpp"

#include "cairn/core/error.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/changes.hpp"
#include "cairn/run/lost_grains.hpp"
#include "cairn/run/round_off.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

enum class Order { spread, step, question, gather, end };

void take_part(ByteReader& message, World& world) {
  switch (message.take<Question>()) {
    case Question::energies:
      world.energies();
      break;
    case Question::momenta:
      world.momenta();
      break;
    case Question::moments:
      world.moments(message.take<int>());
      break;
    case Question::wall_loads:
      world.wall_loads();
      break;
    case Question::extent:
      world.extent();
      break;
    case Question::lost_grains:
      fast_and_falling(world, message.take<LostGrainsLook>());
      break;
    case Question::round_off:
      worst_round_off(world, message.take<RoundOffLook>());
      break;
  }
}

void check(const Scenario& s, const SchemeEntry& scheme) {
  const auto refuse = [](const std::string& what) {
    throw Error(Exit::bad_input, what + " cannot be used on several ranks; run it on one");
  };
  if (scheme.hard) refuse("a law of hard contacts");
  if (s.sees_contacts()) refuse("output.contact_events or output.expected_energy");
  if (s.ledger_split) refuse("output.ledger_split");
}

}  // namespace

Leader::Leader(Ranks& ranks, Partition& partition, const Scenario& scenario, const SchemeEntry& scheme, Probes& probes)
    : ranks_(ranks), partition_(partition), probes_(probes) {
  check(scenario, scheme);
}

Leader::~Leader() {
  Bytes words;
  ByteWriter(words).add(Order::end);
  say(words);
}

void Leader::join(World& world) {
  world.join(ranks_, partition_, [this](const Bytes& question) {
    Bytes words;
    ByteWriter message(words);
    message.add(Order::question);
    message.add(question.data(), question.size());
    say(words);
  });
}

void Leader::say(const Bytes& words) {
  Bytes to_all = words;
  ranks_.broadcast(to_all);
}

void Leader::spread(World& world, const Setting& setting) {
  if (!world.whole()) return;
  // Equations of few grains are solved directly, which ranks do not share. While they are apart, grains do not get
  // fewer.
  if (setting.scheme.claims.implicit && world.size() <= Linearisation::few_grains) return;
  Bytes words;
  ByteWriter message(words);
  message.add(Order::spread);
  message.text("scheme", setting.scheme.name);
  message.add(setting.changes.done().size());
  setting.walls.for_each_saved(message);
  say(words);
  world.spread();
}

void Leader::advance(World& world, const Setting& setting, Real h) {
  spread(world, setting);
  if (!world.whole()) {
    Bytes words;
    ByteWriter message(words);
    message.add(Order::step);
    message.add(h);
    say(words);
  }
  setting.scheme.advance(world, h);
}

void Leader::gather(World& world) {
  if (world.whole()) return;
  Bytes words;
  ByteWriter(words).add(Order::gather);
  say(words);
  probes_.collect(world.domain());
  world.gather();
}

void Simulation::make_step(Real h) {
  probes_.before_step(world_);
  if (leader_)
    leader_->advance(world_, {*scheme_, changes_, wall_origins_}, h);
  else
    scheme_->advance(world_, h);
  probes_.after_step(world_);
}

void Simulation::gather() {
  if (leader_) leader_->gather(world_);
}

void Simulation::lead(Ranks& ranks, Partition& partition) {
  leader_ = std::make_unique<Leader>(ranks, partition, scenario_, *scheme_, probes_);
  leader_->join(world_);
}

void Simulation::spread() {
  if (leader_) leader_->spread(world_, {*scheme_, changes_, wall_origins_});
}

void follow(Ranks& ranks, Partition& partition, Scenario scenario) {
  const Changes changes(scenario);
  World world(world_settings(scenario));
  world.join(ranks, partition);
  Probes probes(scenario, world.settings().cell);
  const SchemeEntry* scheme = nullptr;
  for (;;) {
    Bytes words;
    ranks.broadcast(words);
    ByteReader message(words);
    switch (message.take<Order>()) {
      case Order::spread: {
        std::string name;
        message.text("scheme", name);
        scheme = &scheme_named(name);
        const auto done = message.take<std::size_t>();
        WallOrigins walls;
        walls.for_each_saved(message);
        restore_changes(changes, done, walls, scenario, world);
        world.spread();
        break;
      }
      case Order::step:
        try {
          probes.before_step(world);
          scheme->advance(world, message.take<Real>());
          probes.after_step(world);
        } catch (const Error&) {
          // The leader meets it too, and says what follows.
        }
        break;
      case Order::question:
        take_part(message, world);
        break;
      case Order::gather:
        probes.collect(world.domain());
        world.gather();
        break;
      case Order::end:
        return;
    }
  }
}

}  // namespace cairn
