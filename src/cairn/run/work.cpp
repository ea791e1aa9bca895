#include "cairn/run/work.hpp"

namespace cairn {

Real grain_time(Real grains, Real duration) {
  constexpr Real empty = 10;  // grains whose cost a step has without any
  return duration * (empty + grains);
}

Real grain_time(const Emitters& emitters, std::int64_t grains, Real from, Real to) {
  constexpr int samples = 200;
  Real come = 0;
  for (int k = 0; k < samples; ++k)
    for (std::size_t e = 0; e < emitters.size(); ++e)
      come += static_cast<Real>(emitters.waiting(e, from + (to - from) * (k + 0.5) / samples));
  return grain_time(static_cast<Real>(grains) + come / samples, to - from);
}

void WorkForecast::record(Real seconds, Real work) {
  now_ = {seconds, work};
  if (seconds < 2 * newer_.seconds) return;
  older_ = newer_;
  newer_ = now_;
}

std::optional<Real> WorkForecast::seconds_for(Real work) const {
  if (!(now_.work > older_.work)) return {};
  return work * (now_.seconds - older_.seconds) / (now_.work - older_.work);
}

}  // namespace cairn
