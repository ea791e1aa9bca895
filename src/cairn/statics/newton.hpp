// The Newton-Raphson method for equations of equilibrium f(u) = 0, K = -df/du: K du = f, u <- u + du. The equations are
// behind an interface, so that the method can be tried on any function.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cairn/core/vec3.hpp"

namespace cairn::statics {

// How one linear solution ended.
struct LinearSolution {
  bool singular = false;    // no solution was found that can be trusted
  bool indefinite = false;  // a direction was met in which the state is unstable; du leads as far as it was not
  int iterations = 0;       // of an iterative method; 0: solved directly
};

class Equations {
 public:
  virtual ~Equations() = default;
  // f at the present state [N]; torques are divided by the radius.
  virtual const std::vector<Real>& residual() const = 0;
  // The first stopping rule compares this: the length of the residual [N], or an unbalanced-force ratio [-].
  virtual Real unbalance() = 0;
  // (K + shift M) du = f to the relative `tolerance`; shift [1/s^2], du [m].
  virtual LinearSolution solve(Real shift, Real tolerance, std::vector<Real>& du) = 0;
  // Where the tangent is singular: takes one that is not, without a shift; false if there is none.
  virtual bool regularise() { return false; }
  // A shift [1/s^2] as stiff as the stiffest part.
  virtual Real largest_shift() = 0;
  virtual Real longest(std::span<const Real> du) const = 0;  // [m] displacement of one body
  // The state is the one last accepted plus share du; the residual follows. Any share may be tried in turn.
  virtual void attempt(const std::vector<Real>& du, Real share) = 0;
  virtual void accept() = 0;
  // Whether f has a potential, so that its slope along du tells a minimum from a mere crossing.
  virtual bool has_potential() const { return true; }
};

struct NewtonSettings {
  Real unbalance = 1e-8;  // stops where Equations::unbalance() is at most this
  Real displacement = 0;  // [m] or where the last du moved nothing farther; 0: never
  int most_iterations = 200;
  int patience = 0;              // ends as stalled after so many iterations without a smaller residual; 0: never
  bool line_search = true;       // false: whole steps only, as the method is printed
  bool regularises = true;       // false: ends where K is singular
  Real longest_step = 0;         // [m] that one iteration may move a body; 0: any
  Real linear_tolerance = 1e-3;  // [-] of the last linear solutions; the first ones are less accurate
};

enum class Stop {
  residual,
  displacement,
  cycle,
  singular,
  stalled,
  most_iterations,
  interrupted,
  falls  // no grain touches anything, and forces pull
};
// "the residual force is below its tolerance" and so on.
std::string in_words(Stop stop);

enum class IterateStage { method, local_damping };

// One row of the history of a method.
struct Iterate {
  IterateStage stage = IterateStage::method;
  std::int64_t updates = 0;  // iterations, steps, or updates of single unknowns so far
  Real unbalance = 0;        // as Equations::unbalance()
  Real residual = 0;         // [N] its length
  Real displacement = 0;     // [m] the farthest any body went in the last update
  Real share = 1;            // [-] of the step that the line search took
  Real shift = 0;            // [1/s^2]
  int linear_iterations = 0;
};

struct NewtonResult {
  Stop stop = Stop::most_iterations;
  int iterations = 0;
  int period = 0;       // of the cycle, in iterations
  int regularised = 0;  // iterations whose tangent was singular, or unstable along some direction
  std::int64_t linear_iterations = 0;
  std::vector<Iterate> history;  // from the start on
};

// Called after every iteration; false interrupts.
using OnIterate = std::function<bool(const Iterate&)>;

NewtonResult newton(Equations& equations, const NewtonSettings& settings, const OnIterate& on_iterate = {});

// Sums in blocks of fixed size: the bits do not depend on the number of threads.
Real inner_product(std::span<const Real> a, std::span<const Real> b, int threads = 1);

}  // namespace cairn::statics
