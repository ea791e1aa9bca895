#include "cairn/output/frame_files.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "cairn/formats/files.hpp"
#include "cairn/formats/run_names.hpp"
#include "cairn/formats/xyz_frames.hpp"
#include "cairn/output/grain_columns.hpp"

namespace cairn {
namespace {

ListedFile write_grains(const std::string& folder, const World& w, std::span<const PointArray> more,
                        std::uint64_t number) {
  const std::vector<int> order = w.grains().by_id();
  const std::vector<int> touching = w.coordination();
  const BodyRows& body = w.state().body;
  const auto of_body = [&](int row) {
    return RealOf(
        [&body, &order, row](std::size_t k) { return body.row(row + static_cast<int>(k % 3))[order[k / 3]]; });
  };
  const auto of_grain = [&](const std::vector<Real>& field) {
    return RealOf([&](std::size_t k) { return field[order[k]]; });
  };
  std::vector<PointArray> arrays{{"radius", 1, of_grain(w.grains().radius)},
                                 {"mass", 1, of_grain(w.grains().mass)},
                                 {"velocity", 3, of_body(BodyRow::v)},
                                 {"spin", 3, of_body(BodyRow::w)},
                                 {"type", 1, WholeOf([&](std::size_t k) { return type_of(w, order[k]); })},
                                 {"coordination", 1, WholeOf([&](std::size_t k) { return touching[order[k]]; })}};
  std::copy_if(more.begin(), more.end(), std::back_inserter(arrays),
               [](const PointArray& array) { return array.name != "coordination"; });
  const std::string name = names::frame.name(number);
  return {name, write_vtp(folder + "/" + name, static_cast<int>(order.size()), of_body(BodyRow::x), arrays,
                          WholeOf([&](std::size_t k) { return w.grains().id[order[k]]; }))};
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
  const std::vector<int> order = w.grains().by_id();
  const auto grain = [&](std::size_t k) -> XyzGrain {
    const int i = order[k];
    return {w.grains().id[i],
            w.state().body.at(BodyRow::x, i),
            w.velocity(i),
            w.spin(i),
            w.grains().radius[i],
            type_of(w, i),
            scenario.materials[w.grains().material[i]].name};
  };
  write_xyz(w.time(), w.settings().cell, order.size(), grain, more, [&](std::string_view text) { file.write(text); });
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
  std::vector<PointArray> more;
  if (grains_ || xyz_)
    for (const GrainColumn& column : requested_columns(w, *scenario_)) more.push_back(column.array);
  if (grains_) add(*grains_, write_grains(folder_, w, more, number));
  if (contacts_) add(*contacts_, write_contacts(folder_, w, number));
  if (xyz_) write_grains(*xyz_, w, *scenario_, more);
}

}  // namespace cairn
