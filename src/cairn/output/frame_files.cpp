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
  const auto reals = [&](int column) { return real_column(w, column); };
  std::vector<PointArray> arrays{
      {"radius", 1, reals(ShownColumn::radius)},
      {"mass", 1, reals(ShownColumn::mass)},
      {"velocity", 3, reals(ShownColumn::v)},
      {"spin", 3, reals(ShownColumn::w)},
      {"type", 1, WholeOf([of = whole_column(w, ShownColumn::material)](std::size_t k) { return 1 + of(k); })}};
  const auto counted =
      std::find_if(fields.begin(), fields.end(), [](const GrainColumn& c) { return c.array.name == coordination; });
  arrays.push_back(counted->array);
  for (const GrainColumn& column : fields)
    if (column.array.name != coordination) arrays.push_back(column.array);
  const std::string name = names::frame.name(number);
  return {name, write_vtp(folder + "/" + name, w.grains_of_all(), reals(ShownColumn::x), arrays,
                          whole_column(w, ShownColumn::id))};
}

ListedFile write_contacts(const std::string& folder, const World& w, std::uint64_t number) {
  const std::vector<ContactView> all = w.closed_contacts();
  const auto component = [](const Vector& a, std::size_t k) { return k % 3 == 0 ? a.x : k % 3 == 1 ? a.y : a.z; };
  const auto of_contact = [&](Vector ContactView::*vector) {
    return RealOf([&all, component, vector](std::size_t k) { return component(all[k / 3].*vector, k); });
  };
  const PointArray arrays[] = {
      {"normal_force", 3, of_contact(&ContactView::normal)},
      {"tangential_force", 3, of_contact(&ContactView::tangential)},
      {"overlap", 1, RealOf([&](std::size_t k) { return all[k].overlap; })},
      {"spring_length", 1, RealOf([&](std::size_t k) { return norm(all[k].spring); })},
      {"first", 1, WholeOf([&](std::size_t k) { return all[k].first; })},
      {"second", 1, WholeOf([&](std::size_t k) { return all[k].second; })},
      {"first_type", 1, WholeOf([&](std::size_t k) { return std::int64_t{1 + all[k].first_material}; })},
      {"second_type", 1, WholeOf([&](std::size_t k) { return std::int64_t{1 + all[k].second_material}; })}};
  const std::string name = names::contact_frame.name(number);
  return {name, write_lines_vtp(folder + "/" + name, static_cast<int>(all.size()), RealOf([&](std::size_t k) {
                                  const ContactView& c = all[k / 6];
                                  return component(k % 6 < 3 ? c.from : c.to, k);
                                }),
                                arrays)};
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
