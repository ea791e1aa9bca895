#include "cairn/facade/held_simulation.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "cairn/output/probe_table.hpp"
#include "cairn/scenario/change_reader.hpp"
#include "cairn/scenario/scenario_file.hpp"

namespace cairn::facade {

void CellRows::set_columns(std::vector<Column> columns) {
  columns_ = std::move(columns);
  cells_.clear(), fields_.clear();
  for (const Column& column : columns_)
    fields_.push_back({column.name.c_str(), column.unit.c_str(), column.whole ? CAIRN_INT64 : CAIRN_REAL, 1,
                       fields_.size() * sizeof(Real)});
}

bool CellRows::has_columns(const std::vector<Column>& columns) const {
  return std::equal(columns.begin(), columns.end(), columns_.begin(), columns_.end(),
                    [](const Column& a, const Column& b) { return a.name == b.name && a.whole == b.whole; });
}

void CellRows::add(std::span<const RecordColumn::Value> row) {
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    const Real number = std::visit([](const auto a) { return static_cast<Real>(a); }, row[k]);
    const std::int64_t* const whole = std::get_if<std::int64_t>(&row[k]);
    cells_.push_back(!columns_[k].whole ? number : std::bit_cast<Real>(whole ? *whole : std::int64_t(number)));
  }
}

}  // namespace cairn::facade

using namespace cairn;

cairn_simulation::cairn_simulation(ScenarioSource source_, Scenario scenario)
    : source(std::move(source_)), simulation(std::make_unique<Simulation>(std::move(scenario))) {}

void cairn_simulation::start() {
  simulation->start();
  find_columns();
  record(Occasion::series | (simulation->scenario().probes.empty() ? 0u : Occasion::probe));
}

void cairn_simulation::load(const ArchiveReader& archive) {
  load_simulation(archive, *simulation);
  simulation->restored();
  const RunSoFar so_far = saved_so_far(archive);
  last_row = so_far.last_row, taken_before = so_far.taken;
  find_columns();
}

void cairn_simulation::find_columns() {
  columns = record_columns(simulation->scenario());
  std::vector<facade::CellRows::Column> heads;
  {
    const RecordSample sample = record_sample(std::as_const(at_positions()));
    for (const RecordColumn& column : columns)
      heads.push_back({column.name, column.unit, std::holds_alternative<std::int64_t>(column.value(sample))});
  }
  if (!series.has_columns(heads)) series.set_columns(std::move(heads));
  heads.clear();
  for (const Table::Column& column : probe_columns(simulation->scenario()))
    heads.push_back({column.name, column.unit, column.name == "probe"});
  if (!probes.has_columns(heads)) probes.set_columns(std::move(heads));
}

Simulation& cairn_simulation::at_positions() {
  if (!synchronised) synchronised.reset(new World::Synchronised(simulation->synchronised()));
  return *simulation;
}

Simulation& cairn_simulation::moving() {
  synchronised.reset();
  contacts_known = false;
  return *simulation;
}

const std::vector<ContactView>& cairn_simulation::closed_contacts() {
  if (!contacts_known) contacts = at_positions().world().closed_contacts();
  contacts_known = true;
  return contacts;
}

const Look& cairn_simulation::present_look() {
  const Simulation& s = at_positions();
  if (!look) look = first_look(s.world(), s.scenario());
  if (s.world().size() > 0) follow(look->view, s.world(), s.scenario());
  return *look;
}

void cairn_simulation::record(unsigned occasions) {
  if (std::vector<ContactEvent> ended = simulation->contact_events().take(); simulation->scenario().contact_events)
    events.insert(events.end(), ended.begin(), ended.end());
  if (!(occasions & (Occasion::series | Occasion::probe))) return;
  at_positions();
  if (occasions & Occasion::series) {
    const RecordSample sample = record_sample(*simulation, last_row);
    std::vector<RecordColumn::Value> row;
    for (const RecordColumn& column : columns) row.push_back(column.value(sample));
    series.add(row);
    last_row = simulation->steps();
    simulation->observe();  // its guard speaks after the row that shows why
  }
  if (!(occasions & Occasion::probe)) return;
  for (const ProbeRow& seen : simulation->probes().take(simulation->world())) {
    const std::vector<ProbeSpec>& specs = simulation->scenario().probes;
    const auto which =
        std::find_if(specs.begin(), specs.end(), [&](const ProbeSpec& p) { return p.name == seen.name; });
    std::vector<RecordColumn::Value> row;
    for (const Table::Cell& cell : probe_cells(seen, simulation->scenario().dimension)) {
      if (const Real* number = std::get_if<Real>(&cell))
        row.push_back(*number);
      else if (const std::int64_t* whole = std::get_if<std::int64_t>(&cell))
        row.push_back(*whole);
      else
        row.push_back(std::int64_t{which - specs.begin()});
    }
    probes.add(row);
  }
}

void cairn_simulation::record_end() {
  if (!simulation->over()) return;
  record(simulation->takes_series() && simulation->steps() != last_row ? Occasion::series : 0u);
  at_positions().observe();
}

std::string cairn_simulation::checkpoint() {
  Simulation& s = moving();
  s.require_whole_step();
  record(0);
  const RunSoFar so_far{
      .list = "", .last_row = last_row, .frames = 0, .picture_times = {}, .taken = taken_before};  // no clock runs here
  std::string bytes;
  ArchiveWriter archive([&](std::string_view part) { bytes += part; });
  save_run(archive, source, so_far, nullptr, s);
  archive.finish();
  return bytes;
}

// As a resumed run of the program takes changes: the scenario is read again with them, and the state goes on in it.
void cairn_simulation::change(const std::vector<std::string>& overrides) {
  for (const std::string& o : overrides)
    if (const std::string key = o.substr(0, o.find('=')); !may_change(key))
      throw Error(Exit::bad_input, "--set " + o + ": " + key +
                                       " cannot change while a run goes on; expected a key that may "
                                       "(docs/scenario.md marks them)");
  ScenarioSource changed = source;
  changed.text = with_change(source.text, simulation->changes().done().size(), simulation->world().time(), overrides);
  Scenario scenario = parse_scenario(changed.text, changed.name, changed.overrides);
  scenario.threads = simulation->scenario().threads;
  const ArchiveReader state = ArchiveReader::parse(checkpoint(), "the state");
  auto next = std::make_unique<Simulation>(std::move(scenario));
  load_simulation(state, *next);
  next->restored();
  next->make_changes();
  grain_steps_before += simulation->grain_steps();
  simulation = std::move(next), source = std::move(changed);
  find_columns();
}
