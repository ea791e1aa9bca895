#include "cairn/studies/statics/statics.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>

#include "cairn/analysis/linearised_map.hpp"
#include "cairn/analysis/toys/toy_cases.hpp"
#include "cairn/core/constants.hpp"
#include "cairn/core/error.hpp"
#include "cairn/statics/cubic.hpp"

namespace cairn::studies {
namespace {

using statics::GrainColumn;
using statics::Method;
using statics::RelaxationOrder;

constexpr Real small_force = 1e-6;            // [N] at which relaxation ends
constexpr Real raised = 0.01, drop_time = 2;  // [m] [s]

GrainColumn golden(bool hertz) {
  return hertz ? GrainColumn::hertz() : GrainColumn{};
}

StaticsResult::Solution solved_column(bool hertz, Method method) {
  const GrainColumn c = golden(hertz);
  World world = c.world(hertz ? 1e-4 : 1e-9);
  const auto began = std::chrono::steady_clock::now();
  statics::StaticSystem system(world, 1);
  StaticsResult::Solution s{.hertz = hertz, .method = method};
  s.found = statics::find_equilibrium(system, {.method = method, .tolerance = 1e-8});
  s.seconds = std::chrono::duration<Real>(std::chrono::steady_clock::now() - began).count();
  s.error = c.error(world);
  s.floor_force = -world.wall_loads()[0].force.z;
  s.energy = world.energies().elastic, s.exact_energy = c.elastic_energy();
  // |u - u*| <= |K^-1| |r|: of the linear column the smallest eigenvalue is known. A column of stiffer contacts is
  // softest where they are lightest loaded, so its own smallest stiffness serves for all.
  Real softest = c.softest();
  if (hertz) {
    GrainColumn linear = c;
    linear.stiffness = 1.5 * c.stiffness * std::sqrt(c.overlap(c.count));
    softest = linear.softest();
  }
  const Real round_off = 4e-16 * 2 * c.radius * c.count * c.count;  // of positions, summed over overlaps
  s.bound = s.found.history.back().residual / softest + round_off;
  return s;
}

StaticsResult::Count counted(int grains, RelaxationOrder order) {
  GrainColumn c;
  c.count = grains;
  StaticsResult::Count of{.grains = grains, .order = order, .bound = small_force / c.softest()};
  const statics::RelaxationSettings until{.order = order, .residual = small_force, .unbalance = 0};
  World world = c.world(1e-12);
  statics::StaticSystem system(world, 1);
  std::vector<Real> weight(system.nodes().unknowns(), 0.0);
  for (int k = 0; k < grains; ++k) weight[system.nodes().stride() * k + 2] = -c.mass * c.gravity;
  statics::LinearRelaxation linear(system.tangent(), system.nodes(), weight);
  const statics::RelaxationResult r = statics::relax(static_cast<statics::RelaxationEquations&>(linear), until);
  of.linear = r.updates, of.history = r.history;
  const std::vector<Real> z = c.heights();
  for (int k = 0; k < grains; ++k)
    of.error =
        std::max(of.error, std::fabs((2 * k + 1) * c.radius + linear.u()[system.nodes().stride() * k + 2] - z[k]));
  of.contacts = statics::relax(system, until).updates;
  return of;
}

StaticsResult::NewtonRun newton_run(bool hertz, Real overlap, bool line_search, bool regularises) {
  const GrainColumn c = golden(hertz);
  World world = c.world(overlap);
  statics::StaticSystem system(world, 1);
  StaticsResult::NewtonRun run{
      .hertz = hertz, .overlap = overlap, .line_search = line_search, .regularises = regularises};
  run.found = statics::newton(system, {.unbalance = 1e-11, .line_search = line_search, .regularises = regularises});
  run.error = c.error(world) / c.heights().back();
  return run;
}

// The golden column as a linear system about its state of rest: contacts that pull as well as push. It begins where its
// springs have no force, as a column that is let go.
class Bilateral {
 public:
  Bilateral()
      : world_(GrainColumn{}.world_at_rest()),
        network_(world_.grains(), contacts_of(world_)),
        toy_(linear_bodies(network_)) {
    const GrainColumn c;
    for (BodyRows* rows : {&toy_.state().body, &toy_.current_rate().body}) {
      rows->resize(network_.size());
      for (const int row : {BodyRow::x, BodyRow::v, BodyRow::w})
        for (int i = 0; i < network_.size(); ++i) rows->set(row, i, {});
    }
    const std::vector<Real> z = c.heights();
    for (int j = 0; j < c.count; ++j)
      toy_.state().body.set(BodyRow::x, 2 * j, {0, 0, std::sqrt(c.mass) * ((2 * j + 1) * c.radius - z[j])});
    toy_.combine(toy_.state(), toy_.state(), {}, StatePart::everything);  // so that its rates are found anew
    toy_.controller().solver_tolerance = toys::no_error;
  }

  toys::Toy& toy() { return toy_; }
  Real energy() const {  // [J] above that at rest
    ContactNetwork::Motion x(network_.size()), f;
    Real kinetic = 0;
    for (int i = 0; i < network_.size(); ++i) {
      const Vector v = toy_.state().body.at(BodyRow::v, i);
      x[i] = toy_.state().body.at(BodyRow::x, i), kinetic += 0.5 * dot(v, v);
    }
    network_.apply(1, 0, x, f);
    return kinetic + 0.5 * network_.inner_product(x, f);
  }

 private:
  static std::vector<LiveContact> contacts_of(World& world) {
    world.begin();
    return world.live_contacts();
  }
  World world_;
  ContactNetwork network_;
  mutable toys::Toy toy_;
};

// The share of the energy that is left after so many steps of the implicit Euler method: in each step a mode keeps
// 1 / (1 + (omega h)^2) of its own.
Real left_by_euler(Real h, std::int64_t steps) {
  const GrainColumn c;
  const std::vector<Real> z = c.heights();
  Real whole = 0, left = 0;
  for (int mode = 1; mode <= c.count; ++mode) {
    // Eigenvectors sin(j a) of the column, a = (2 mode - 1) pi / (2 N + 1).
    const Real a = (2 * mode - 1) * pi / (2 * c.count + 1);
    const Real omega2 = 4 * c.stiffness / c.mass * std::sin(0.5 * a) * std::sin(0.5 * a);
    Real part = 0, norm2 = 0;
    for (int j = 1; j <= c.count; ++j) {
      part += std::sin(j * a) * ((2 * j - 1) * c.radius - z[j - 1]), norm2 += std::sin(j * a) * std::sin(j * a);
    }
    const Real energy = 0.5 * c.mass * omega2 * part * part / norm2;
    whole += energy, left += energy * std::pow(1 + omega2 * h * h, -static_cast<Real>(steps));
  }
  return left / whole;
}

// The implicit Euler method leaves nothing to compare with after more steps.
constexpr std::int64_t euler_steps = 3;

void hold(StaticsResult::Run& run, Real limit, std::int64_t bilateral_steps) {
  Bilateral column;
  const Real h = run.factor * limit, first = column.energy();
  const bool damps = run.scheme->claims.name == "backward_euler";
  const std::int64_t steps = damps ? 100 : bilateral_steps, every = steps / 100;
  for (std::int64_t k = 0; k <= steps; ++k) {
    if (k > 0) run.scheme->toy.advance(column.toy(), h);
    const Real energy = column.energy();
    run.relative = std::max(run.relative, std::fabs(energy / first - 1));
    if (!damps || k <= euler_steps) run.ratio = energy / first;
    if (k % every != 0) continue;
    run.time.push_back(static_cast<Real>(k) * h), run.energy.push_back(energy - first);
  }
  run.gained = run.energy.back();
  if (damps) run.theory = left_by_euler(h, euler_steps);
}

// The same column of hard grains, which do not rebound.
World of_hard_grains(const World& soft) {
  const auto contact = [](std::size_t, std::size_t) { return ContactSettings{{"restitution", 0.0}}; };
  const std::string law(DynamicsContact::name);
  WorldSettings settings = soft.settings();
  settings.laws = law_table(law, {Material{}}, contact);
  settings.hard = hard_laws(law, 1, contact);
  World world(settings);
  std::vector<GrainData> grains;
  for (const int i : soft.grains().by_id())
    grains.push_back({.position = soft.position(i), .radius = soft.grains().radius[i], .mass = soft.grains().mass[i]});
  world.insert(grains);
  return world;
}

void open(StaticsResult::Run& run, Real limit) {
  const GrainColumn c;
  World world = c.world(0, raised);
  if (run.scheme->hard) world = of_hard_grains(world);
  world.begin(!run.scheme->splitting);
  const Real h = run.factor * limit;
  const auto steps = static_cast<std::int64_t>(std::max<Real>(1, std::round(drop_time / h)));
  const std::vector<int> order = world.grains().by_id();
  for (std::int64_t k = 0; k <= steps; ++k) {
    if (k > 0) run.scheme->advance(world, h);
    run.time.push_back(world.time()), run.energy.push_back(world.residual());
    for (int j = 1; j < c.count; ++j)
      run.in_order =
          run.in_order && world.position(world.grains().index(j)).z > world.position(world.grains().index(j - 1)).z;
  }
  run.gained = run.energy.back();
}

void measure_limits(StaticsResult& r) {
  for (const Real share : {0.99, 1.01}) {
    Bilateral column;
    StaticsResult::Limit of{.share = share, .growth = 0, .overflow = false};
    const Real first = column.energy();
    constexpr int steps = 20000;
    const SchemeEntry& scheme = scheme_named("central_difference");
    for (int k = 0; k < steps && !of.overflow; ++k) {
      scheme.toy.advance(column.toy(), share * r.limit);
      of.overflow = !std::isfinite(column.energy());
      of.growth = std::max(of.growth, std::sqrt(column.energy() / first));
    }
    r.limits.push_back(of);
  }
}

}  // namespace

Selection StaticsSettings::statics_schemes() {
  Selection of;
  for (const char* name : {"newmark", "implicit_midpoint", "backward_euler", "moreau_theta", "hht_alpha"})
    of.push_back(&scheme_named(name));
  return of;
}

StaticsSettings StaticsSettings::quick() {
  StaticsSettings s;
  s.factors = {10, 100};
  s.relaxed = {5, 10, 20};
  s.schemes.pop_back();
  s.relaxes_columns = false;
  s.bilateral_steps = 200;
  return s;
}

const StaticsResult::Solution* StaticsResult::solution(bool hertz, Method method) const {
  for (const Solution& s : solutions)
    if (s.hertz == hertz && s.method == method) return &s;
  return nullptr;
}

const StaticsResult::Run* StaticsResult::run(const std::string& scheme, Real factor, bool opens) const {
  for (const Run& r : runs)
    if (r.scheme->claims.name == scheme && r.factor == factor && r.opens == opens) return &r;
  return nullptr;
}

StaticsResult study_statics(const StaticsSettings& settings, const ProgressCallback& on_progress) {
  StaticsResult r;
  r.settings = settings;
  r.limit = 2 / GrainColumn{}.largest_frequency();
  std::vector<std::pair<std::string, std::function<void()>>> tasks;
  for (const bool hertz : {false, true}) {
    for (const Method method : {Method::newton, Method::southwell, Method::gauss_seidel, Method::damped}) {
      const bool relaxes = method == Method::southwell || method == Method::gauss_seidel;
      if (relaxes && !settings.relaxes_columns) continue;
      tasks.emplace_back("columns", [&r, hertz, method] { r.solutions.push_back(solved_column(hertz, method)); });
    }
    for (const Real overlap : {1e-3, 1e-4, 1e-5, 0.0})
      for (const bool search : {false, true})
        tasks.emplace_back("Newton's method", [&r, hertz, overlap, search] {
          r.newton.push_back(newton_run(hertz, overlap, search, true));
        });
    tasks.emplace_back("Newton's method", [&r, hertz] { r.newton.push_back(newton_run(hertz, 0, false, false)); });
  }
  for (const int grains : settings.relaxed)
    for (const RelaxationOrder order : {RelaxationOrder::southwell, RelaxationOrder::gauss_seidel})
      tasks.emplace_back("relaxation", [&r, grains, order] { r.counts.push_back(counted(grains, order)); });
  tasks.emplace_back("cycles", [&r] {
    statics::Cubic cubic(0);
    r.cycle = statics::newton(cubic, {.unbalance = 1e-12, .line_search = false, .regularises = false});
  });
  tasks.emplace_back("central differences", [&r] { measure_limits(r); });
  for (const SchemeEntry* scheme : settings.schemes)
    for (const Real factor : settings.factors)
      for (const bool opens : {false, true}) {
        if (scheme->hard && !opens) continue;  // hard contacts do not pull
        tasks.emplace_back(scheme->name, [&r, &settings, scheme, factor, opens] {
          StaticsResult::Run run{.scheme = scheme, .factor = factor, .opens = opens};
          try {
            opens ? open(run, r.limit) : hold(run, r.limit, settings.bilateral_steps);
          } catch (const Error& e) {
            run.failure = e.what();
          }
          r.runs.push_back(std::move(run));
        });
      }
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (on_progress) on_progress(static_cast<Real>(k) / static_cast<Real>(tasks.size()), tasks[k].first);
    tasks[k].second();
  }
  return r;
}

}  // namespace cairn::studies
