#include "cairn/output/frame_files.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/formats/xyz_frames.hpp"
#include "cairn/output/grain_columns.hpp"

namespace cairn {
namespace {

constexpr std::string_view coordination = "coordination";

ListedFile write_grains(const std::string& folder, const World& w, std::span<const GrainColumn> fields,
                        std::uint64_t number) {
  const auto reals = [&](int column) { return values_of<Real>(w, RecordLook::What::column, column); };
  std::vector<PointArray> arrays{
      {"radius", 1, reals(ShownColumn::radius)},
      {"mass", 1, reals(ShownColumn::mass)},
      {"velocity", 3, reals(ShownColumn::v)},
      {"spin", 3, reals(ShownColumn::w)},
      {"type", 1,
       WholeOf([of = values_of<std::int64_t>(w, RecordLook::What::column, ShownColumn::material)](std::size_t k) {
         return 1 + of(k);
       })}};
  const auto counted =
      std::find_if(fields.begin(), fields.end(), [](const GrainColumn& c) { return c.array.name == coordination; });
  arrays.push_back(counted->array);
  for (const GrainColumn& column : fields)
    if (column.array.name != coordination) arrays.push_back(column.array);
  const std::string name = names::frame.name(number);
  return {name, write_vtp(folder + "/" + name, w.grains_of_all(), reals(ShownColumn::x), arrays,
                          values_of<std::int64_t>(w, RecordLook::What::column, ShownColumn::id))};
}

// The contacts of all ranks, while they are shown.
class ShownContacts {
 public:
  explicit ShownContacts(const World& world) : world_(world), count_(world.show_contacts(true)) {}
  ~ShownContacts() { world_.show_contacts(false); }
  ShownContacts(const ShownContacts&) = delete;
  ShownContacts& operator=(const ShownContacts&) = delete;
  int count() const { return static_cast<int>(count_); }

  // Value by value.
  RealOf reals(int column) const { return values_of<Real>(world_, RecordLook::What::contacts, column); }
  WholeOf wholes(int column) const { return values_of<std::int64_t>(world_, RecordLook::What::contacts, column); }

 private:
  const World& world_;
  std::int64_t count_;
};

ListedFile write_contacts(const std::string& folder, const World& w, std::uint64_t number) {
  const ShownContacts all(w);
  const auto type = [&](int column) { return WholeOf([of = all.wholes(column)](std::size_t k) { return 1 + of(k); }); };
  const PointArray arrays[] = {{"normal_force", 3, all.reals(ShownContact::normal)},
                               {"tangential_force", 3, all.reals(ShownContact::tangential)},
                               {"overlap", 1, all.reals(ShownContact::overlap)},
                               {"spring_length", 1, all.reals(ShownContact::spring_length)},
                               {"first", 1, all.wholes(ShownContact::first)},
                               {"second", 1, all.wholes(ShownContact::second)},
                               {"first_type", 1, type(ShownContact::first_material)},
                               {"second_type", 1, type(ShownContact::second_material)}};
  const std::string name = names::contact_frame.name(number);
  return {name, write_lines_vtp(folder + "/" + name, all.count(), all.reals(ShownContact::ends), arrays)};
}

void write_grains(TextFile& file, const World& w, const Scenario& scenario, std::span<const PointArray> more) {
  RecordStream grains(w, {.what = RecordLook::What::shown}, sizeof(ShownGrain));
  const auto grain = [&](std::size_t k) -> XyzGrain {
    const auto g = grains.at<ShownGrain>(k);
    return {g.id, g.x, g.v, g.w, g.radius, 1 + g.material, scenario.materials[g.material].name};
  };
  const Extent extent = w.extent();
  write_xyz(w.time(), w.settings().cell, {extent.low, extent.high}, static_cast<std::size_t>(w.grains_of_all()), grain,
            more, [&](std::string_view text) { file.write(text); });
  file.flush();
}

}  // namespace

// Frames of before are kept, whether or not this process writes any.
FrameFiles::FrameFiles(std::string folder, const Scenario& scenario, GrowingFiles& growing)
    : folder_(std::move(folder)), scenario_(&scenario) {
  if (!takes_frames(scenario)) return;
  const auto collection = [&](const names::Numbered& files, const char* list) {
    make_folder(folder_ + "/" + files.folder);
    return &growing.collection(list);
  };
  if (scenario.frame_format != FrameFormat::xyz) grains_ = collection(names::frame, names::frames_list);
  if (scenario.contact_frames) contacts_ = collection(names::contact_frame, names::contacts_list);
  if (scenario.frame_format != FrameFormat::vtp) xyz_ = &growing.text(names::frames_xyz);
}

void FrameFiles::write(const World& w, std::uint64_t number,
                       const std::function<void(const std::string& name, const FileSum& sum)>& finished) {
  const auto add = [&](FrameCollection& list, const ListedFile& file) {
    list.add(w.time(), file.name);
    finished(file.name, file.sum);
  };
  if (grains_ || xyz_) {
    std::vector<GrainField> fields = scenario_->fields;
    if (grains_ && std::find(fields.begin(), fields.end(), GrainField::coordination) == fields.end())
      fields.push_back(GrainField::coordination);
    const std::vector<GrainColumn> columns = columns_of(w, scenario_->dimension, fields);
    if (grains_) add(*grains_, write_grains(folder_, w, columns, number));
    std::vector<PointArray> more;
    for (std::size_t k = 0; k < scenario_->fields.size(); ++k) more.push_back(columns[k].array);
    if (xyz_) write_grains(*xyz_, w, *scenario_, more);
  }
  if (contacts_) add(*contacts_, write_contacts(folder_, w, number));
}

}  // namespace cairn
