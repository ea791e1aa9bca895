#include "cairn/run/leader.hpp"

#include "cairn/core/error.hpp"
#include "cairn/run/build.hpp"
#include "cairn/run/changes.hpp"
#include "cairn/run/contact_event_recorder.hpp"
#include "cairn/run/expected_energy.hpp"
#include "cairn/run/grain_fields.hpp"
#include "cairn/run/ledger_split.hpp"
#include "cairn/run/lost_grains.hpp"
#include "cairn/run/network_limits.hpp"
#include "cairn/run/round_off.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

enum class Order { spread, begin, step, question, gather, end };

// What a rank keeps of a run beside its World.
struct Follower {
  Probes& probes;
  ContactEventRecorder& events;
  const Removals& removals;
};

void take_part(ByteReader& message, World& world, const Scenario& scenario, const Follower& parts,
               const Painter& paint) {
  const auto question = message.take<Question>();
  switch (question) {
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
    case Question::closed:
      world.closed();
      break;
    case Question::lightest:
      world.lightest();
      break;
    case Question::lost_grains:
      fast_and_falling(world, message.take<LostGrainsLook>());
      break;
    case Question::round_off:
      worst_round_off(world, message.take<RoundOffLook>());
      break;
    case Question::network_bound:
      network_bound(world);
      break;
    case Question::contact_count:
      world.gather_count();
      break;
    case Question::saved:
      world.saved();
      break;
    case Question::records:
      world.records(message.take<RecordLook>());
      break;
    case Question::fields:
      show_fields(world, message.take<FieldsLook>());
      break;
    case Question::contacts:
      world.show_contacts(message.take<bool>());
      break;
    case Question::probes:
      parts.probes.answer(world, message.take<Probes::Due>());
      break;
    case Question::ended_contacts:
      parts.events.collect_ended(world.domain());
      break;
    case Question::standing_contacts:
      parts.events.answer(world, message.take<ContactEventRecorder::StandingLook>());
      break;
    case Question::leaving:
      parts.removals.holds_any(world, message.take<int>());
      break;
    case Question::near_emitter:
      Emitters::in_the_way(world, message.take<Emitters::WayLook>());
      break;
    case Question::look:
    case Question::view:
    case Question::picture:
      paint(question, message, world, scenario);
      break;
  }
}

// What looks about every step. Velocities of a scheme that staggers them come to the time of the positions where one
// rank has all grains, which then looks alone.
struct Lookers {
  const Scenario& scenario;
  ContactEventRecorder& events;
  ExpectedLoss& expected_loss;
  LedgerSplit& ledger_split;

  bool any() const { return scenario.sees_contacts() || scenario.ledger_split; }
  void before_step(World& world) const {
    if (scenario.sees_contacts()) events.before_step(world);
  }
  void after_step(World& world) const {
    if (scenario.sees_contacts()) {
      events.after_step(world);
      if (scenario.expected_energy) expected_loss.add(world, events.begun());
      if (!scenario.contact_events) events.forget_ended();
    }
    if (scenario.ledger_split) ledger_split.after_step(world);
  }
};

}  // namespace

Leader::Leader(Ranks& ranks, Partition& partition, const SchemeEntry& scheme, Probes& probes,
               ContactEventRecorder& events)
    : ranks_(ranks), partition_(partition), probes_(probes), events_(events) {
  if (scheme.hard)
    throw Error(Exit::bad_input, "a law of hard contacts cannot be used on several ranks; run it on one");
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

void Leader::begin(World& world, bool springs) {
  if (!world.whole()) {
    Bytes words;
    ByteWriter message(words);
    message.add(Order::begin);
    message.add(springs);
    say(words);
  }
  world.begin(springs);
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
  events_.collect(world.domain());
  world.gather();
}

void Simulation::require_whole_step() const {
  if (world_.mid_step())
    throw Error(Exit::guard,
                "an error ended the last step before it was whole, and nothing can follow: start again, or "
                "go on from an earlier checkpoint");
}

void Simulation::make_step(Real h) {
  require_whole_step();
  const Lookers lookers{scenario_, contact_events_, expected_loss_, ledger_split_};
  const auto look = [&](auto&& at_positions) {
    if (!lookers.any()) return;
    if (scheme_->staggered) gather();
    const World::Synchronised synchronised = this->synchronised();
    at_positions();
  };
  look([&] { lookers.before_step(world_); });
  probes_.before_step(world_);
  if (leader_)
    leader_->advance(world_, {*scheme_, changes_, wall_origins_}, h);
  else
    scheme_->advance(world_, h);
  probes_.after_step(world_);
  look([&] { lookers.after_step(world_); });
}

void Simulation::gather() {
  if (leader_) leader_->gather(world_);
}

void Simulation::collect() {
  collect_events();
  probes_.count_all(world_);
  world_.gather_count();
}

void Simulation::collect_events() {
  if (world_.whole() || !scenario_.sees_contacts()) return;
  world_.domain().ask(Question::ended_contacts);
  contact_events_.collect_ended(world_.domain());
}

SavedSections Simulation::saved_sections() {
  SavedSections all = world_.saved_sections();
  if (!world_.whole() && scenario_.sees_contacts())
    all.emplace(ContactEventRecorder::standing_section, contact_events_.saved_standing(world_));
  return all;
}

void Simulation::lead(Ranks& ranks, Partition& partition) {
  leader_ = std::make_unique<Leader>(ranks, partition, *scheme_, probes_, contact_events_);
  leader_->join(world_);
}

void Simulation::spread() {
  if (!leader_) return;
  if (scenario_.sees_contacts() && world_.whole()) contact_events_.see_removed(world_);
  leader_->spread(world_, {*scheme_, changes_, wall_origins_});
}

void follow(Ranks& ranks, Partition& partition, Scenario scenario, const Painter& paint) {
  const Changes changes(scenario);
  World world(world_settings(scenario));
  world.join(ranks, partition);
  Probes probes(scenario, world.settings().cell);
  ContactEventRecorder events;
  const Removals removals(scenario);
  ExpectedLoss expected_loss;
  LedgerSplit ledger_split;
  const Lookers lookers{scenario, events, expected_loss, ledger_split};
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
      case Order::begin:
        world.begin(message.take<bool>());
        break;
      case Order::step:
        try {
          if (!scheme->staggered) lookers.before_step(world);
          probes.before_step(world);
          scheme->advance(world, message.take<Real>());
          probes.after_step(world);
          if (!scheme->staggered) lookers.after_step(world);
        } catch (const Error&) {
          // The leader meets it too, and says what follows.
        }
        break;
      case Order::question:
        take_part(message, world, scenario, {probes, events, removals}, paint);
        break;
      case Order::gather:
        probes.collect(world.domain());
        events.collect(world.domain());
        world.gather();
        break;
      case Order::end:
        return;
    }
  }
}

}  // namespace cairn
