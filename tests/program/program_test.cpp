// The program as its user meets it: real runs in a folder of their own, judged by how they exit, what they print and
// what they leave behind.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "cairn/core/hash.hpp"
#include "program/desk.hpp"
#include "program/shaken.hpp"

namespace cairn {
namespace {

//------------------------------------------------------------------------------------------------------ reference cases

TEST_CASE("program: the pyramid has its reference energies") {
  // Kinetic, gravitational and elastic energy, by an independent program.
  const std::map<Real, Real> reference{{0.04, 208.9116}, {0.08, 208.2682}, {0.16, 207.553},
                                       {0.40, 198.910},  {0.80, 187.540},  {0.96, 183.440}};  // [s] [J]
  struct Case {
    const char *scheme, *onset;
    Real tolerance, residual;  // [J], [-] of the throughput; residuals measured: half of this
  };
  const Case cases[] = {{"rk4", "off", 3e-3, 2e-8},
                        {"rk4", "on", 3e-3, 2e-8},
                        {"velocity_verlet_predicted", "off", 3e-3, 1e-7},
                        {"velocity_verlet_predicted", "on", 3e-3, 4e-7},
                        {"velocity_verlet", "off", 5e-3, 1e-5}};
  for (const auto& [scheme, onset, tolerance, most_residual] : cases) {
    CAPTURE(std::string(scheme));
    CAPTURE(std::string(onset));
    const Desk desk;
    const Words settings =
        set({"contact.stiffness=1e5", "contact.damping=60", std::string("run.scheme=") + scheme,
             std::string("run.onset=") + onset, "run.step=1e-5", "run.end=0.96", "output.series=0.04"});
    const json summary = desk.run("out", scenario("pyramid"), settings);
    const CsvTable series(desk / "out" / "series.csv");
    const auto time = series.column("time"), kinetic = series.column("kinetic"),
               gravitational = series.column("gravitational"), elastic = series.column("elastic");
    std::size_t compared = 0;
    for (std::size_t k = 0; k < time.size(); ++k)
      for (const auto& [t, energy] : reference)
        if (std::fabs(time[k] - t) < 1e-9) {
          CAPTURE(t);
          CHECK(std::fabs(kinetic[k] + gravitational[k] + elastic[k] - energy) < tolerance);
          ++compared;
        }
    CHECK(compared == reference.size());

    const json& e = summary.at("energy");
    CHECK(std::fabs(e.at("residual_fraction").get<Real>()) < most_residual);
    Real residual = -e.at("initial").get<Real>() - e.at("external").get<Real>();
    for (const std::string& part : words("kinetic rotational gravitational elastic dashpot slip rolling clip onset"))
      residual += e.at(part).get<Real>();
    CHECK(std::fabs(e.at("residual").get<Real>() - residual) < 1e-10);
    for (const char* guard : {"finite", "overlap", "step", "residual"}) {
      CAPTURE(std::string(guard));
      REQUIRE(summary.at("guards").contains(guard));
      CHECK(summary.at("guards").at(guard).at("action") == "refuse");
    }
    CHECK(summary.at("guards").at("step").at("message") == "");
    CHECK(summary.at("guards").at("residual").at("message") == "");
    // The spheres that roll out press deep into the box.
    CHECK(summary.at("guards").at("overlap").at("message").get<std::string>().find("wall 'box'") != std::string::npos);
  }
}

TEST_CASE("program: the column has its reference height") {
  // Kocic, A Pile of Particles (2012), table 3.2-1, as an independent program has it.
  struct Case {
    const char* stiffness;
    Real height, bottom;  // [m] top of the highest grain; what is left of the lowest one's diameter
  };
  for (const auto& [stiffness, height, bottom] :
       {Case{"4000", 58.560, 0.2956}, Case{"8000", 67.812, 0.4370}, Case{"40000", 76.478, 0.5679}}) {
    CAPTURE(std::string(stiffness));
    const Desk desk;
    const json summary = desk.run("out", scenario("column"), set({std::string("contact.stiffness=") + stiffness}));
    const CsvTable grains(desk / "out" / "final.csv");
    const auto z = grains.column("z"), radius = grains.column("radius");
    CHECK(z.size() == 131);
    CHECK(summary.at("particles") == 131);
    CHECK(summary.at("steps") == 12000);
    const auto top = static_cast<std::size_t>(std::max_element(z.begin(), z.end()) - z.begin());
    const auto low = static_cast<std::size_t>(std::min_element(z.begin(), z.end()) - z.begin());
    CHECK(std::fabs(z[top] + radius[top] - height) < 0.01);
    CHECK(std::fabs(z[low] + radius[low] - bottom) < 2e-4);
  }
}

TEST_CASE("program: billiards keep momentum to round-off and energy to second order") {
  const Desk desk;
  const json summary = desk.run("out", scenario("billiards"));
  const CsvTable series(desk / "out" / "series.csv");
  CHECK(series.column("kinetic").front() == 12.5);
  CHECK(series.column("momentum_x").front() == -5);
  for (const Real p : series.column("momentum_x")) CHECK(std::fabs(p + 5) < 1e-12);
  CHECK(series.column("contacts").back() == 0);
  CHECK(summary.at("energy").at("elastic") == 0.0);
  CHECK(std::fabs(summary.at("energy").at("kinetic").get<Real>() / 12.5 - 1) < 1e-3);

  const CsvTable grains(desk / "out" / "final.csv");
  const auto x = grains.column("x"), v = grains.column("vx"), mass = grains.column("mass"), z = grains.column("z");
  REQUIRE(x.size() == 5);
  Real momentum = 0, energy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    momentum += mass[i] * v[i], energy += 0.5 * mass[i] * v[i] * v[i];
    CHECK(z[i] == 0);
    if (i > 0) CHECK(x[i] - x[i - 1] > 0.6);  // on a line nobody passes anybody, and all are apart
  }
  CHECK(std::fabs(momentum + 5) < 1e-12);
  CHECK(energy == doctest::Approx(summary.at("energy").at("kinetic").get<Real>()).epsilon(1e-14));

  // Where in a step a contact begins is chance, and so is the error of one collision: only the mean over phases has an
  // order. Measured: 0.0147, 0.0032, 0.0007 J at 4e-4, 2e-4, 1e-4 s without the correction of onsets.
  const auto mean_error = [&](Real step, const char* onset) {
    Real sum = 0;
    constexpr int phases = 8;
    for (int k = 0; k < phases; ++k) {
      const Real left = 0.5 - k * step / phases, right = 6.4 + 2 * std::fmod(7.3 * k / phases, 1.0) * step;
      const json s = desk.run(
          "phase", scenario("billiards"),
          set({"run.step=" + json(step).dump(), std::string("run.onset=") + onset,
               "grain.0.position=[" + json(left).dump() + ",0]", "grain.4.position=[" + json(right).dump() + ",0]"}));
      sum += std::fabs(s.at("energy").at("kinetic").get<Real>() - 12.5);
    }
    return sum / phases;
  };
  const Real fine = mean_error(1e-4, "off");
  CHECK(std::log2(mean_error(4e-4, "off") / fine) / 2 == doctest::Approx(2).epsilon(0.1));
  CHECK(mean_error(1e-4, "on") < 0.1 * fine);
}

//------------------------------------------------------------------------------------------------------------- outputs

TEST_CASE("program: tables, summary and frames have the form that is promised") {
  const Desk desk;
  write(desk / "shaken.toml", shaken);
  // Nine frames: the first and one every 1 ms; the series ends between two of its rows.
  const Outcome o = desk.cairn({"run", "shaken.toml", "--out", "out", "--set", "run.end=0.0083", "--set",
                                "output.frames=0.001", "--set", "run.scheme=central_difference"});
  REQUIRE_MESSAGE(o.code == 0, o.err);
  const CsvTable series(desk / "out" / "series.csv"), grains(desk / "out" / "final.csv");
  const json summary = json::parse(content(desk / "out" / "summary.json"));
  const auto starts_with = [](const Words& names, const Words& expected) {
    return names.size() >= expected.size() && std::equal(expected.begin(), expected.end(), names.begin());
  };

  CHECK(starts_with(series.names,
                    words("time kinetic rotational gravitational elastic dashpot slip rolling clip onset external "
                          "residual momentum_x momentum_y momentum_z angular_momentum_x angular_momentum_y "
                          "angular_momentum_z barycentre_x barycentre_y barycentre_z contacts")));
  for (const char* wall : {"floor", "gate", "piston"})
    for (const char* load : {"_force_x", "_force_y", "_force_z", "_torque_x", "_torque_y", "_torque_z"})
      series.column(std::string(wall) + load);
  CHECK(starts_with(grains.names, words("id x y z vx vy vz wx wy wz radius mass")));
  for (const CsvTable* table : {&series, &grains}) {
    CHECK(std::set<std::string>(table->names.begin(), table->names.end()).size() == table->names.size());
    REQUIRE(table->comments.size() == 2);
    CHECK(table->comments[0] == "# cairn " + summary.at("versions").at("cairn").get<std::string>());
    for (const std::string& name : table->names) {
      CAPTURE(name);
      CHECK(table->comments[1].find(" " + name + " [") != std::string::npos);
    }
  }

  const auto time = series.column("time");
  REQUIRE(time.size() == 18);  // every 0.5 ms, and the end
  for (std::size_t k = 0; k < 17; ++k) CHECK(time[k] == doctest::Approx(k * 5e-4).epsilon(1e-12));
  CHECK(time.back() == doctest::Approx(8.3e-3).epsilon(1e-12));
  const auto id = grains.column("id");
  REQUIRE(summary.at("particles") == id.size());
  for (std::size_t i = 0; i < id.size(); ++i) CHECK(id[i] == static_cast<Real>(i));

  for (const std::string& key : words("scenario scheme step steps particles contacts wall_seconds "
                                      "particle_steps_per_second threads state_hash energy guards versions")) {
    CAPTURE(key);
    CHECK(summary.contains(key));
  }
  for (const std::string& key : words("initial kinetic rotational gravitational elastic dashpot slip rolling clip "
                                      "onset external residual residual_fraction")) {
    CAPTURE(key);
    CHECK(summary.at("energy").contains(key));
    CHECK(summary.at("energy").at(key).is_number());
  }
  CHECK(summary.at("scenario") == "shaken");
  CHECK(summary.at("scheme") == "central_difference");
  CHECK(summary.at("step") == 1e-4);
  CHECK(summary.at("steps") == 83);
  CHECK(summary.at("wall_seconds") > 0.0);
  CHECK(summary.at("particle_steps_per_second") > 0.0);
  CHECK(summary.at("threads") == 1);
  const std::string hash = summary.at("state_hash");
  CHECK(std::regex_match(hash, std::regex("[0-9a-f]{16}")));
  CHECK(o.out.find(hash) != std::string::npos);

  // final.csv and summary.json show one state, with the velocities at the time of the positions.
  const auto vx = grains.column("vx"), vy = grains.column("vy"), vz = grains.column("vz"), mass = grains.column("mass"),
             wx = grains.column("wx"), wy = grains.column("wy"), wz = grains.column("wz"), r = grains.column("radius");
  Real kinetic = 0, rotational = 0;
  for (std::size_t i = 0; i < id.size(); ++i) {
    kinetic += 0.5 * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
    rotational += 0.2 * mass[i] * r[i] * r[i] * (wx[i] * wx[i] + wy[i] * wy[i] + wz[i] * wz[i]);
  }
  CHECK(kinetic == doctest::Approx(summary.at("energy").at("kinetic").get<Real>()).epsilon(1e-12));
  CHECK(rotational == doctest::Approx(summary.at("energy").at("rotational").get<Real>()).epsilon(1e-12));

  // frames.pvd lists the files there are, each once, with their times.
  const std::string pvd = content(desk / "out" / "frames.pvd");
  std::set<std::string> listed;
  const std::regex data_set("<DataSet timestep=\"([^\"]*)\"[^>]*file=\"([^\"]*)\"");
  for (std::sregex_iterator at(pvd.begin(), pvd.end(), data_set), end; at != end; ++at) {
    CHECK(std::stod((*at)[1]) == doctest::Approx(1e-3 * static_cast<Real>(listed.size())).epsilon(1e-9));
    CHECK(fs::file_size(desk / "out" / (*at)[2].str()) > 10000);
    CHECK(listed.insert((*at)[2].str()).second);
  }
  CHECK(listed.size() == 9);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(desk / "out" / "frames")) ++files;
  CHECK(files == listed.size());
}

TEST_CASE("program: as many steps as the end divided by the step, rounded") {
  const Desk desk;
  const auto steps = [&](const std::string& step, const std::string& end) {
    return desk.run("out", scenario("bounce"), set({"run.step=" + step, "run.end=" + end})).at("steps");
  };
  CHECK(steps("1e-4", "0.02") == 200);
  CHECK(steps("3e-4", "1e-3") == 3);
  CHECK(steps("3e-4", "1.1e-3") == 4);
  CHECK(steps("1e-4", "1e-4") == 1);
}

TEST_CASE("program: results go to results/NAME by default, and to folders of any name") {
  const Desk desk;
  fs::create_directories(desk / "K\xc3\xb6rner und Sand");
  write(desk / "K\xc3\xb6rner und Sand" / "it's.toml", content(scenario("billiards")));
  CHECK(desk.cairn({"run", "K\xc3\xb6rner und Sand/it's.toml", "--set", "run.end=0.01"}).code == 0);
  CHECK(fs::exists(desk / "results/it's/summary.json"));
  const std::string out = "a b/\xc3\xbc 'c'/";
  desk.run(out, scenario("billiards"), {"--set", "run.end=0.01", "--stop-after", "50"});
  CHECK(desk.resume(out).at("steps") == 100);
}

TEST_CASE("program: help, lists and silence") {
  const Desk desk;
  for (const Words& arguments : {Words{"--help"}, {"run", "--help"}, {"resume", "--help"}, {"schemes", "--help"}}) {
    const Outcome o = desk.cairn(arguments);
    CHECK(o.code == 0);
    CHECK(o.out.find("Usage:") != std::string::npos);
    CHECK(o.err == "");
  }
  const Outcome run_help = desk.cairn({"run", "--help"});
  for (const char* option : {"--out", "--threads", "--set", "--stop-after", "--quiet"})
    CHECK_MESSAGE(run_help.out.find(option) != std::string::npos, option);
  CHECK(desk.cairn({"--version"}).out.starts_with("cairn "));

  const json schemes = json::parse(desk.cairn({"schemes", "--json"}).out);
  const std::string table = desk.cairn({"schemes"}).out;
  CHECK(schemes.size() >= 10);
  for (const json& scheme : schemes) {
    CHECK(scheme.at("order").is_number_integer());
    CHECK(scheme.at("reference").get<std::string>() != "");
    CHECK(table.find(scheme.at("name").get<std::string>()) != std::string::npos);
    if (scheme.at("hard")) continue;  // these do not suit the law of the scenario
    // What the list offers can be run.
    const Words once = set({"run.end=0.001", "run.scheme=" + scheme.at("name").get<std::string>()});
    const std::string run = desk.run("each", scenario("billiards"), once).at("scheme");  // with its numbers
    CHECK(run.substr(0, run.find('(')) == scheme.at("name"));
  }
  const json laws = json::parse(desk.cairn({"laws", "--json"}).out);
  CHECK(laws.size() >= 2);
  for (const json& law : laws) CHECK(law.at("summary").get<std::string>() != "");

  const Words short_run{"run", scenario("bounce"), "--set", "run.end=0.2", "--stop-after", "300", "--out"};
  for (const Words& arguments : {short_run + Words{"quiet", "--quiet"}, Words{"resume", "quiet", "--quiet"}}) {
    const Outcome o = desk.cairn(arguments);
    CHECK(o.code == 0);
    CHECK(o.out == "");
    CHECK(o.err == "");
  }
  const Outcome loud = desk.cairn(short_run + Words{"loud"});
  CHECK(loud.out.find("cairn resume loud") != std::string::npos);
  CHECK(json::parse(content(desk / "quiet/summary.json")).at("steps") == 2000);
}

}  // namespace
}  // namespace cairn
