#include "cairn/io/run_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cairn/core/text.hpp"
#include "cairn/io/archive.hpp"
#include "cairn/io/checkpoint_files.hpp"
#include "cairn/io/files.hpp"

namespace cairn {
namespace {

const std::string version = CAIRN_VERSION;

struct Saver {
  ArchiveWriter& archive;
  template <class T>
  void value(const std::string& name, const T& a) {
    if constexpr (std::is_same_v<T, bool>)
      archive.add_value(name, static_cast<std::uint8_t>(a));
    else
      archive.add_value(name, a);
  }
  template <class T>
  void vector(const std::string& name, const std::vector<T>& a) {
    archive.add_values(name, a);
  }
  void text(const std::string& name, const std::string& a) { archive.add_text(name, a); }
  void slab(const std::string& name, const Slab& a) {
    std::vector<Real> all;
    all.reserve(static_cast<std::size_t>(a.rows()) * a.size());
    for (int k = 0; k < a.rows() && a.size() > 0; ++k) all.insert(all.end(), a.row(k), a.row(k) + a.size());
    archive.add_values(name, all);
  }
};

struct Loader {
  const ArchiveReader& archive;
  template <class T>
  void value(const std::string& name, T& a) {
    if constexpr (std::is_same_v<T, bool>)
      a = archive.value<std::uint8_t>(name) != 0;
    else
      a = archive.value<T>(name);
  }
  template <class T>
  void vector(const std::string& name, std::vector<T>& a) {
    a = archive.values<T>(name);
  }
  void text(const std::string& name, std::string& a) { a = archive.text(name); }
  void slab(const std::string& name, Slab& a) {
    const std::vector<Real> all = archive.values<Real>(name);
    const int size = static_cast<int>(all.size() / a.rows());
    a = Slab(a.rows());
    a.resize(size);
    for (int k = 0; k < a.rows() && size > 0; ++k)
      std::copy_n(all.data() + static_cast<std::size_t>(k) * size, size, a.row(k));
  }
};

std::vector<int> by_id(const Particles& grains) {
  std::vector<int> order(grains.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return grains.id[a] < grains.id[b]; });
  return order;
}

// Takes away what an earlier run wrote, and nothing else.
void remove_results(const std::filesystem::path& folder) {
  std::error_code ignored;
  // Checkpoints first: killed in between, it must not be resumed without the rest.
  for (const auto& [sub, prefix] : {std::pair{"checkpoint", "checkpoint."}, std::pair{"frames", "frame_"}}) {
    std::vector<std::filesystem::path> old;
    for (const auto& entry : std::filesystem::directory_iterator(folder / sub, ignored))
      if (entry.path().filename().string().starts_with(prefix)) old.push_back(entry.path());
    for (const auto& path : old) std::filesystem::remove(path, ignored);
    std::filesystem::remove(folder / sub, ignored);  // only if nothing is left
  }
  for (const char* file : {"frames.pvd", "final.csv", "summary.json"}) std::filesystem::remove(folder / file, ignored);
}

std::string checkpoint_folder(const std::string& folder) {
  return folder + "/checkpoint";
}

ArchiveReader newest_checkpoint(const std::string& folder, std::string& warning) {
  if (!std::filesystem::is_directory(checkpoint_folder(folder)))
    throw Error(Exit::io, "nothing to resume in " + folder + ": it holds no checkpoint of a run; start one with: " +
                              "cairn run SCENARIO --out " + folder);
  return load_newest(checkpoint_folder(folder), warning);
}

}  // namespace

std::vector<Table::Column> RunFolder::series_columns() const {
  std::vector<Table::Column> columns = {{"time", "s"},
                                        {"kinetic", "J"},
                                        {"rotational", "J"},
                                        {"gravitational", "J"},
                                        {"elastic", "J"},
                                        {"dashpot", "J"},
                                        {"slip", "J"},
                                        {"rolling", "J"},
                                        {"clip", "J"},
                                        {"onset", "J"},
                                        {"external", "J"},
                                        {"residual", "J"},
                                        {"momentum_x", "kg m/s"},
                                        {"momentum_y", "kg m/s"},
                                        {"momentum_z", "kg m/s"},
                                        {"angular_momentum_x", "kg m^2/s"},
                                        {"angular_momentum_y", "kg m^2/s"},
                                        {"angular_momentum_z", "kg m^2/s"},
                                        {"barycentre_x", "m"},
                                        {"barycentre_y", "m"},
                                        {"barycentre_z", "m"},
                                        {"contacts", "1"},
                                        {"grains", "1"},
                                        {"steps", "1"},
                                        {"step", "s"}};
  for (const std::string& wall : simulation_->world().settings().walls)
    for (const char* what : {"force", "torque"})
      for (const char* axis : {"x", "y", "z"})
        columns.push_back({wall + "_" + what + "_" + axis, what == std::string("force") ? "N" : "N m"});
  for (std::size_t k = 0; k < simulation_->removals().size(); ++k) {
    const std::string name = "removed_" + simulation_->removals().name(k);
    columns.push_back({name, "1"});
    columns.push_back({name + "_mass", "kg"});
  }
  return columns;
}

RunFolder RunFolder::create(FolderLock lock, const ScenarioSource& source, Simulation& simulation) {
  const std::string folder = lock.folder();
  RunFolder run(std::move(lock), source, simulation);
  remove_results(folder);
  run.series_.emplace(Table::create(folder + "/series.csv", version, run.series_columns()));
  if (simulation.scenario().frames_every > 0) {
    make_folder(folder + "/frames");
    run.frames_.emplace(folder + "/frames.pvd");
  }
  run.observe(series_due | frame_due | checkpoint_due);  // however soon it is killed, it can be resumed
  return run;
}

ScenarioSource RunFolder::read_source(const std::string& folder, std::string& warning) {
  const ArchiveReader archive = newest_checkpoint(folder, warning);
  ScenarioSource source{archive.text("scenario.name"), archive.text("scenario.text"), {}};
  const std::string overrides = archive.text("scenario.overrides");
  for (std::size_t at = 0; at < overrides.size();) {
    const std::size_t end = overrides.find('\0', at);
    source.overrides.push_back(overrides.substr(at, end - at));
    at = end + 1;
  }
  return source;
}

RunFolder RunFolder::resume(FolderLock lock, const ScenarioSource& source, Simulation& simulation) {
  const std::string folder = lock.folder();
  std::string warning;
  const ArchiveReader archive = newest_checkpoint(folder, warning);
  simulation.for_each_saved(Loader{archive});
  simulation.restored();
  RunFolder run(std::move(lock), source, simulation);
  run.started_at_ = simulation.steps();
  run.series_.emplace(
      Table::resume(folder + "/series.csv", run.series_columns(), archive.value<std::uint64_t>("series.offset")));
  if (simulation.scenario().frames_every > 0) {
    make_folder(folder + "/frames");
    std::vector<FrameFile> frames;
    if (std::filesystem::exists(folder + "/frames.pvd")) frames = read_pvd(folder + "/frames.pvd");
    frames.resize(std::min<std::size_t>(frames.size(), archive.value<std::uint64_t>("frames.count")));
    run.frames_.emplace(folder + "/frames.pvd", std::move(frames));
  }
  return run;
}

std::string RunFolder::checkpoint() {
  ArchiveWriter archive;
  archive.add_text("scenario.name", source_.name);
  archive.add_text("scenario.text", source_.text);
  std::string overrides;
  for (const std::string& o : source_.overrides) overrides += o + '\0';
  archive.add_text("scenario.overrides", overrides);
  series_->sync();
  archive.add_value("series.offset", series_->offset());
  archive.add_value("frames.count", static_cast<std::uint64_t>(frames_ ? frames_->frames().size() : 0));
  simulation_->for_each_saved(Saver{archive});
  return archive.finish();
}

void RunFolder::save(const std::string& checkpoint) {
  make_folder(checkpoint_folder(folder()));
  save_generation(checkpoint_folder(folder()), checkpoint);
}

void RunFolder::observe(unsigned occasions) {
  if (occasions & (series_due | frame_due)) {
    const auto synchronised = simulation_->synchronised();
    if (occasions & series_due) {
      write_series();
      simulation_->observe();  // its guard speaks after the row that shows why
    }
    if (occasions & frame_due && frames_) write_frame();
  }
  if (occasions & checkpoint_due) save_checkpoint();
}

void RunFolder::write_series() {
  const World& w = simulation_->world();
  const Energies e = w.energies();
  const Momenta m = w.momenta();
  const Books& b = w.state().books;
  std::vector<Table::Cell> row = {w.time(), e.kinetic, e.rotational, e.gravitational, e.elastic};
  for (Real a : b) row.emplace_back(a);
  row.emplace_back(w.residual());
  for (const Vector& a : {m.linear, m.angular, m.barycentre})
    row.emplace_back(a.x), row.emplace_back(a.y), row.emplace_back(a.z);
  row.emplace_back(std::int64_t{w.contacts()});
  row.emplace_back(std::int64_t{w.size()});
  row.emplace_back(w.steps());
  row.emplace_back(w.steps() > 0 ? w.last_step() : simulation_->scenario().step);
  for (const WallLoad& load : w.wall_loads())
    for (const Vector& a : {load.force, load.torque})
      row.emplace_back(a.x), row.emplace_back(a.y), row.emplace_back(a.z);
  for (std::size_t k = 0; k < simulation_->removals().size(); ++k) {
    row.emplace_back(simulation_->removals().grains(k));
    row.emplace_back(simulation_->removals().mass(k));
  }
  series_->row(row);
  series_->flush();
  last_row_ = w.steps();
}

void RunFolder::write_frame() {
  const World& w = simulation_->world();
  const std::vector<int> order = by_id(w.grains());
  const std::vector<int> touching = w.coordination();
  const auto count = order.size();
  std::vector<Real> xyz, velocity, spin, radius, mass;
  std::vector<std::int64_t> ids, coordination;
  const auto append = [](std::vector<Real>& to, const Vector& a) { to.insert(to.end(), {a.x, a.y, a.z}); };
  for (int i : order) {
    append(xyz, w.state().body.at(row_x, i));
    append(velocity, w.state().body.at(row_v, i));
    append(spin, w.state().body.at(row_w, i));
    radius.push_back(w.grains().radius[i]);
    mass.push_back(w.grains().mass[i]);
    ids.push_back(w.grains().id[i]);
    coordination.push_back(touching[i]);
  }
  const PointArray arrays[] = {{"radius", 1, radius},
                               {"mass", 1, mass},
                               {"velocity", 3, velocity},
                               {"spin", 3, spin},
                               {"coordination", 1, coordination}};
  const std::string file = fmt::format("frames/frame_{:06}.vtp", frames_->frames().size());
  write_vtp(folder() + "/" + file, static_cast<int>(count), xyz, arrays, ids);
  frames_->add(w.time(), file);
}

void RunFolder::write_final() {
  const World& w = simulation_->world();
  const Table::Column columns[] = {{"id", "1"},     {"x", "m"},      {"y", "m"},      {"z", "m"},
                                   {"vx", "m/s"},   {"vy", "m/s"},   {"vz", "m/s"},   {"wx", "rad/s"},
                                   {"wy", "rad/s"}, {"wz", "rad/s"}, {"radius", "m"}, {"mass", "kg"},
                                   {"type", "1"},   {"ix", "1"},     {"iy", "1"},     {"iz", "1"}};
  Table table = Table::create(folder() + "/final.csv", version, columns);
  for (int i : by_id(w.grains())) {
    const Vector x = w.state().body.at(row_x, i), v = w.state().body.at(row_v, i), s = w.state().body.at(row_w, i);
    const auto& k = w.grains().image[i];
    table.row({w.grains().id[i], x.x, x.y, x.z, v.x, v.y, v.z, s.x, s.y, s.z, w.grains().radius[i], w.grains().mass[i],
               std::int64_t{1 + w.grains().material[i]}, std::int64_t{k[0]}, std::int64_t{k[1]}, std::int64_t{k[2]}});
  }
  table.close();
}

std::string RunFolder::summary_json(const Ending& ending) const {
  const World& w = simulation_->world();
  const Energies e = w.energies();
  nlohmann::ordered_json j;
  j["scenario"] = simulation_->scenario().title.empty() ? source_.name : simulation_->scenario().title;
  j["scenario_file"] = source_.name;
  j["settings"] = source_.overrides;
  j["scheme"] = simulation_->scheme().claims.name;
  j["law"] = simulation_->scenario().law;
  j["step"] = w.last_step();
  j["steps"] = w.steps();
  j["time"] = w.time();
  j["particles"] = w.size();
  j["contacts"] = w.contacts();
  j["finished"] = ending.stopped_by.empty();
  j["stopped_by"] = ending.stopped_by;
  j["wall_seconds"] = ending.wall_seconds;
  const Real work = static_cast<Real>(w.steps() - started_at_) * w.size();
  j["particle_steps_per_second"] = ending.wall_seconds > 0 ? work / ending.wall_seconds : 0;
  j["threads"] = w.settings().threads;
  j["state_hash"] = fmt::format("{:016x}", w.hash());
  auto& energy = j["energy"];
  energy["initial"] = w.initial_energy();
  energy["kinetic"] = e.kinetic;
  energy["rotational"] = e.rotational;
  energy["gravitational"] = e.gravitational;
  energy["elastic"] = e.elastic;
  for (int c = 0; c < channels; ++c) energy[channel_names[c]] = w.state().books[c];
  energy["residual"] = w.residual();
  energy["residual_fraction"] = simulation_->residual_fraction();
  const Momenta m = w.momenta();
  const auto numbers = [](const Vector& a) { return std::array<Real, 3>{a.x, a.y, a.z}; };
  j["momentum"] = numbers(m.linear);
  j["angular_momentum"] = numbers(m.angular);
  j["barycentre"] = numbers(m.barycentre);
  const Emitters& emitters = simulation_->emitters();
  for (std::size_t k = 0; k < emitters.size(); ++k)
    j["emitters"][emitters.spec(k).name] = {{"grains", emitters.emitted(k)},
                                            {"waiting", emitters.waiting(k, w.time())}};
  const Removals& removals = simulation_->removals();
  for (std::size_t k = 0; k < removals.size(); ++k)
    j["removals"][removals.name(k)] = {{"grains", removals.grains(k)}, {"mass", removals.mass(k)}};
  auto& guards = j["guards"];
  guards = nlohmann::ordered_json::object();
  for (const GuardReport& g : simulation_->guards()) guards[g.name] = {{"action", g.action}, {"message", g.message}};
  j["step_limit"] = simulation_->step_limit();
  j["force_passes"] = w.force_passes();
  j["list_rebuilds"] = w.rebuilds();
  if (simulation_->scheme().claims.adaptive) {
    const Controller& c = simulation_->world().controller();
    j["accepted_steps"] = c.accepted;
    j["rejected_steps"] = c.rejected;
  }
  j["versions"] = {{"cairn", version}, {"compiler", __VERSION__}};
  return j.dump(2) + "\n";
}

void RunFolder::finish(const Ending& ending) {
  const std::string last =
      checkpoint();  // before looking, so that a run that goes on does not show where it was stopped
  const auto synchronised = simulation_->synchronised();
  simulation_->observe();
  save(last);
  write_end(ending);
}

void RunFolder::give_up(const Ending& ending) {
  const auto synchronised = simulation_->synchronised();
  simulation_->measure();
  if (simulation_->steps() != last_row_) write_series();
  write_end(ending);
}

void RunFolder::write_end(const Ending& ending) {
  write_final();
  write_file_atomically(folder() + "/summary.json", summary_json(ending));
}

}  // namespace cairn
