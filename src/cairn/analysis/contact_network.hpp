// The live contact network as a linear system M q'' + C q' + K q = 0: contacts stick, no limit cuts a dashpot, and the
// geometry is that of the present. Its largest eigenvalues limit the step of a scheme (docs/decisions/0017).
#pragma once
#include <span>
#include <vector>

#include "cairn/world/world.hpp"

namespace cairn {

class ContactNetwork {
 public:
  using Motion = std::vector<Vector>;

  // Grains without contacts take no part. `walls` move on their free axes; all other walls rest.
  ContactNetwork(const Particles& grains, std::vector<LiveContact> contacts, std::span<const LoadedWall> walls = {},
                 int threads = 1);

  // The vectors of a motion q, which are lengths times the roots of inertias [m kg^1/2]: the translation and the
  // rotation of each grain in contact, by ascending id, then the translation of each loaded wall.
  int size() const { return static_cast<int>(root_.size()); }
  std::span<const LiveContact> contacts() const { return contacts_; }

  // out = M^-1/2 (stiffness K + damping C) M^-1/2 q. Every sum has the same order on any number of threads.
  void apply(Real stiffness, Real damping, const Motion& q, Motion& out) const;
  Real inner_product(const Motion& a, const Motion& b) const;
  // The inner product of each of some motions with `a`; out += c[0] some[0] + c[1] some[1] + ... Both go through `a`
  // and `out` once.
  std::vector<Real> inner_products(std::span<const Motion> some, const Motion& a) const;
  void add(std::span<const Real> c, std::span<const Motion> some, Motion& out) const;
  Motion any_motion() const;  // of length 1, with a part in every motion that strains contacts; it follows from the ids

  struct Place {
    int grain = -1, wall = -1;          // row of the grain, or index among the loaded walls, that moves most
    int contact = -1;                   // index into contacts() of the one with the most energy
    std::array<std::int64_t, 2> ids{};  // of that contact, as LiveContact::ids
  };
  Place most_strained(Real stiffness, Real damping, const Motion& q) const;

 private:
  struct Strain {
    Vector slip, turn;  // at the contact; relative rotation times the rolling lever
  };
  Strain strain(const LiveContact& c, int a, int b, const Motion& q) const;
  Vector rolling(const LiveContact& c, const ContactRates& r, const Vector& turn) const;
  ContactRates mixed(const LiveContact& c, Real stiffness, Real damping) const;

  struct End {
    int contact;
    bool second;
  };
  std::vector<LiveContact> contacts_;
  std::vector<std::array<int, 2>> nodes_;  // of each contact: of the second body -1 where it rests
  std::vector<int> first_;                 // of each node's ends, and behind the last
  std::vector<End> ends_;
  std::vector<int> rows_;          // of the grains, node by node
  std::vector<std::int64_t> ids_;  // the same
  std::vector<Real> root_;         // of the inverse inertia of each vector [kg^-1/2] [kg^-1/2 m^-1]
  std::vector<LoadedWall> walls_;
  int threads_;
};

struct LargestEigenvalue {
  Real value = 0;     // [1/s^2] of M^-1 K, [1/s] of M^-1 C
  Real residual = 0;  // the same unit: an eigenvalue is no farther away than this
  int products = 0;   // with the matrix
  ContactNetwork::Motion mode;
};

// The largest eigenvalue of stiffness M^-1 K + damping M^-1 C by the Lanczos method with thick restarts (Wu & Simon,
// SIAM J. Matrix Anal. Appl. 22 (2000) 602). Each product is made orthogonal to all vectors of the basis, and once more
// where little of it is left. It ends where the residual is below `precision` of the value; the error of the value is
// then at most that, and mostly its square.
LargestEigenvalue largest_eigenvalue(const ContactNetwork& network, Real stiffness, Real damping,
                                     Real precision = 1e-3);

// Of one motion: stiffness [1/s^2] and damping [1/s].
struct RayleighQuotients {
  Real stiffness = 0, damping = 0;
};
RayleighQuotients rayleigh_quotients(const ContactNetwork& network, const ContactNetwork::Motion& q);

}  // namespace cairn
