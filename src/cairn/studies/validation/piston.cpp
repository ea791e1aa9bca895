// A grain between a fixed wall and an approaching wall: the compression of a one-dimensional gas.
#include <cmath>

#include "cairn/studies/validation/world.hpp"

namespace cairn::studies {

// Elastic contacts of the linear law last pi / omega, in which the grain moves with the wall it touches: the motion is
// known exactly. Every bounce on the piston adds twice its speed u. From bounce to bounce (v - u) L stays as it is,
// with the speed v after the bounce and the room L then; that is the adiabatic law E L^2 = const of one dimension for
// slow pistons. Contacts delay the grain, and the room shrinks by u t_c in each.
ValidationCase validate_piston(const ValidationSettings& settings, const ProgressCallback& on_progress) {
  if (on_progress) on_progress(0, "piston");
  constexpr Real radius = 0.01, mass = 0.01, room = 0.2, speed = 1, piston = 0.02;  // [m] [kg] [m] [m/s] [m/s]
  constexpr Real contact_time = 1e-3;                                               // [s]
  constexpr int bounces = 10, steps_per_contact = 200;
  constexpr Real omega = pi / contact_time, step = contact_time / steps_per_contact;
  ContactSettings contact;
  contact["stiffness"] = mass * omega * omega;
  WorldSettings s;
  s.laws = law_table("linear", {Material{}}, [&](auto, auto) { return contact; });
  s.gravity = {};
  add_plane(s, {}, {1, 0, 0});
  Motion motion;
  motion.velocity = {-piston, 0, 0};
  add_plane(s, {room + 2 * radius, 0, 0}, {-1, 0, 0}, motion);
  const Real start = 0.3 * room;  // [m] gap to the fixed wall
  const GrainData grain{.position = {radius + start, 0, 0}, .velocity = {speed, 0, 0}, .radius = radius, .mass = mass};

  // Exactly: the instant at which the last bounce on the piston ends, and the room after the first and the last.
  Real time = 0, at = start, v = speed, first_room = 0, last_room = 0;
  const auto room_now = [&] { return room - piston * time; };
  for (int k = 0; k < bounces; ++k) {
    time += (room_now() - at) / (v + piston) + contact_time;
    at = room_now(), v += 2 * piston;
    (k == 0 ? first_room : last_room) = at;
    if (k + 1 < bounces) time += at / v + contact_time, at = 0;
  }

  ValidationRun run(settings, s, {&grain, 1}, step);
  const World& w = run.world();
  ValidationFigure f{
      "Piston", "A grain between a fixed and an approaching wall", "time [s]", "kinetic energy [J]", {}, {}, {}, {}};
  Real gap_before = room - start, left = 0, room_at_last = 0;
  int seen = 0;
  while (seen < bounces && w.time() < 2 * time) {
    run.advance();
    const Real gap = room - piston * w.time() - (run.position(0).x - radius);
    if (gap_before <= 0 && gap > 0) {  // leaves the piston
      left = w.time() - step * gap / (gap - gap_before);
      ++seen;
      room_at_last = room - piston * left;
      f.found_x.push_back(left), f.found_y.push_back(0.5 * mass * dot(run.velocity(0), run.velocity(0)));
    }
    gap_before = gap;
  }
  const Real found = -run.velocity(0).x;
  const Energies energies = w.energies();
  // A scheme of second order that finds the contact within a step has an error of up to (omega h)^2 / 8.
  const Real per_step = pi / steps_per_contact, bound = (2 * bounces - 1) * per_step * per_step / 8;
  for (int k = 0; k <= 100; ++k) {
    const Real t = left * k / 100, slow = piston + (speed + piston) * first_room / (room - piston * t);
    f.expected_x.push_back(t), f.expected_y.push_back(0.5 * mass * slow * slow);
  }
  ValidationCase c;
  c.figures.push_back(f);
  const char* const source = "closed form";
  c.rows.push_back(
      {"Piston", "speed after 10 bounces", "m/s", speed + 2 * bounces * piston, found, bound, true, source});
  c.rows.push_back({"Piston", "time of the 10th bounce", "s", time, left, bound, true, source});
  c.rows.push_back({"Piston", "(v - u) L after 10 bounces", "m^2/s", (speed + piston) * first_room,
                    (found - piston) * room_at_last, bound + (2 * bounces - 2) * piston * contact_time / last_room,
                    true, "adiabatic law"});
  const Real gained = 0.5 * mass * (v * v - speed * speed);
  c.rows.push_back({"Piston", "work of the piston in the ledger", "J", gained,
                    w.energy_ledger(energies)[Channel::external], 2 * bound * v * v / (v * v - speed * speed), true,
                    source});
  return c;
}

}  // namespace cairn::studies
