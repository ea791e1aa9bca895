// Relaxation: one body at a time goes to where its own forces balance while all others stay. Southwell's order takes
// the body with the largest residual (Southwell, Relaxation Methods, 1940); Gauss-Seidel's goes round. On a line a body
// is one unknown, and the updates are those of single equations.
#pragma once
#include "cairn/statics/static_system.hpp"

namespace cairn::statics {

enum class RelaxationOrder { southwell, gauss_seidel };

struct RelaxationSettings {
  RelaxationOrder order = RelaxationOrder::southwell;
  Real residual = 0;      // [N] stops where the length of the residual is below this; 0: never
  Real unbalance = 1e-8;  // [-] or where the unbalanced-force ratio is at most this; 0: never
  Real displacement = 0;  // [m] or where no body went farther in as many updates as there are; 0: never
  std::int64_t most_updates = 1'000'000'000;
};

struct RelaxationResult {
  Stop stop = Stop::most_iterations;
  std::int64_t updates = 0;
  std::vector<Iterate> history;
};

// The equations that are relaxed, body by body.
class RelaxationEquations {
 public:
  virtual ~RelaxationEquations() = default;
  virtual int bodies() const = 0;
  virtual Real residual2(int body) const = 0;  // [N^2] square of the length of its residual
  // Balances one body; the residuals that change by it, its own first, are those of `changed`. Returns how far the body
  // went [m].
  virtual Real update(int body, std::vector<int>& changed) = 0;
  // Now and then, between updates: finds residuals anew, and the unbalanced-force ratio.
  virtual Real look() = 0;
  virtual bool wants_look() const { return false; }
};

RelaxationResult relax(RelaxationEquations& equations, const RelaxationSettings& settings,
                       const OnIterate& on_iterate = {});

// The linear equations K u = f of a tangent: contacts that pull as well as push. The solution
// is `u` [m], beginning at 0.
class LinearRelaxation : public RelaxationEquations {
 public:
  LinearRelaxation(const ContactTangent& tangent, const Nodes& nodes, std::vector<Real> f);
  int bodies() const override { return nodes_.count(); }
  Real residual2(int body) const override;
  Real update(int body, std::vector<int>& changed) override;
  Real look() override { return 1; }
  const std::vector<Real>& u() const { return u_; }

 private:
  const ContactTangent& tangent_;
  const Nodes& nodes_;
  std::vector<Real> f_, u_, residual_, own_;
};

// The contacts themselves, which open, close and slip; each update takes the tangent of the present.
RelaxationResult relax(StaticSystem& system, const RelaxationSettings& settings, const OnIterate& on_iterate = {});

}  // namespace cairn::statics
