#include "cairn/output/run_archive.hpp"

#include <span>
#include <type_traits>

#include "cairn/core/slab.hpp"
#include "cairn/render/look.hpp"
#include "cairn/run/simulation.hpp"

namespace cairn {
namespace {

// f(begin, end, numbers) with room for all numbers of bodies [begin, end), which a file has body after body.
template <class F>
void for_blocks_of(int bodies, F&& f) {
  std::vector<Real> numbers(static_cast<std::size_t>(BodyRows::numbers) * std::min(bodies, combine_block));
  for (int begin = 0; begin < bodies; begin += combine_block) {
    const int end = std::min(bodies, begin + combine_block);
    f(begin, end, std::span(numbers).first(static_cast<std::size_t>(BodyRows::numbers) * (end - begin)));
  }
}

struct Saver {
  ArchiveWriter& archive;
  const SavedSections& of_ranks;  // which rank 0 has not got
  bool put(const std::string& name) {
    const auto at = of_ranks.find(name);
    if (at == of_ranks.end()) return false;
    archive.add_section(name, at->second.element, at->second.size, at->second.write);
    return true;
  }
  template <class T>
  void value(const std::string& name, const T& a) {
    if constexpr (std::is_same_v<T, bool>)
      archive.add_value(name, static_cast<std::uint8_t>(a));
    else
      archive.add_value(name, a);
  }
  template <class T>
  void vector(const std::string& name, const std::vector<T>& a) {
    if (!put(name)) archive.add_values(name, a);
  }
  void text(const std::string& name, const std::string& a) { archive.add_text(name, a); }
  void slab(const std::string& name, const Slab& a) {
    if (put(name)) return;
    const auto row = sizeof(Real) * static_cast<std::size_t>(a.size());
    archive.add_section(name, sizeof(Real), row * static_cast<std::size_t>(a.rows()),
                        [&](const ArchiveWriter::Sink& to) {
                          for (int k = 0; k < a.rows() && row > 0; ++k)
                            to({reinterpret_cast<const char*>(a.row(k)), row});
                        });
  }
  template <int vectors>
  void slab(const std::string& name, const VectorRows<vectors>& a) {
    if (!put(name)) archive.add_values(name, a.all());
  }
  void slab(const std::string& name, const BodyRows& a) {
    if (put(name)) return;
    const auto bytes = sizeof(Real) * BodyRows::numbers * static_cast<std::size_t>(a.size());
    archive.add_section(name, sizeof(Real), bytes, [&](const ArchiveWriter::Sink& to) {
      for_blocks_of(a.size(), [&](int begin, int end, std::span<Real> numbers) {
        Real* at = numbers.data();
        for (int i = begin; i < end; ++i) at = a.write(i, at);
        to({reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()});
      });
    });
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
    const std::size_t size = archive.count<Real>(name) / a.rows();
    a = Slab(a.rows());
    a.resize(static_cast<int>(size));
    for (int k = 0; k < a.rows() && size > 0; ++k) archive.read(name, k * size, std::span(a.row(k), size));
  }
  template <int vectors>
  void slab(const std::string& name, VectorRows<vectors>& a) {
    a = VectorRows<vectors>();
    a.resize(static_cast<int>(archive.count<Real>(name) / VectorRows<vectors>::stride));
    if (a.size() > 0) archive.read(name, 0, a.all());
  }
  void slab(const std::string& name, BodyRows& a) {
    a = BodyRows();
    a.resize(static_cast<int>(archive.count<Real>(name) / BodyRows::numbers));
    for_blocks_of(a.size(), [&](int begin, int end, std::span<Real> numbers) {
      archive.read(name, std::size_t{BodyRows::numbers} * begin, numbers);
      const Real* at = numbers.data();
      for (int i = begin; i < end; ++i) at = a.read(i, at);
    });
  }
};

}  // namespace

void save_run(ArchiveWriter& archive, const ScenarioSource& source, const RunSoFar& so_far, Look* look,
              Simulation& simulation) {
  archive.add_text("scenario.name", source.name);
  archive.add_text("scenario.text", source.text);
  std::string overrides;
  for (const std::string& o : source.overrides) overrides += o + '\0';
  archive.add_text("scenario.overrides", overrides);
  archive.add_text("files", so_far.list);
  archive.add_value("series.last_row", so_far.last_row);
  archive.add_value("frames.count", so_far.frames);
  archive.add_values("pictures.times", so_far.picture_times);
  archive.add_value("taken", so_far.taken);
  if (look != nullptr) look->for_each_saved(Saver{archive, {}});
  const SavedSections of_ranks = simulation.saved_sections();
  simulation.for_each_saved(Saver{archive, of_ranks});
}

ScenarioSource saved_source(const ArchiveReader& archive) {
  ScenarioSource source{archive.text("scenario.name"), archive.text("scenario.text"), {}};
  const std::string overrides = archive.text("scenario.overrides");
  for (std::size_t at = 0; at < overrides.size();) {
    const std::size_t end = overrides.find('\0', at);
    source.overrides.push_back(overrides.substr(at, end - at));
    at = end + 1;
  }
  return source;
}

RunSoFar saved_so_far(const ArchiveReader& archive) {
  return {archive.text("files"), archive.value<std::int64_t>("series.last_row"),
          archive.value<std::uint64_t>("frames.count"), archive.values<Real>("pictures.times"),
          archive.has("taken") ? archive.value<TimeTaken>("taken") : TimeTaken{}};  // older checkpoints do not have it
}

bool load_look(const ArchiveReader& archive, Look& look) {
  if (!archive.has("pictures.view")) return false;
  look.for_each_saved(Loader{archive});
  return true;
}

void load_simulation(const ArchiveReader& archive, Simulation& simulation) {
  simulation.for_each_saved(Loader{archive});
}

}  // namespace cairn
