// One step of a scheme on a whole contact network, as the linear map that it is. Its spectral radius judges the step of
// any scheme, whereas the eigenvalues of the network prove it for schemes with one force evaluation only.
#pragma once
#include "cairn/analysis/contact_network.hpp"
#include "cairn/analysis/toys/one_body.hpp"

namespace cairn {

// The motion of a contact network as a toy, in its own vectors. Keeps a reference to the network.
toys::LinearBodies linear_bodies(const ContactNetwork& network);

class LinearisedMap {
 public:
  // Keeps a reference to the network.
  LinearisedMap(const toys::ToyScheme& scheme, const ContactNetwork& network);

  struct Radius {
    Real value = 0;      // [-] the largest magnitude of an eigenvalue
    Real residual = 0;   // [-] of its eigenvector of length 1
    bool grows = false;  // value exceeds 1 by more than round-off and the residual
    int steps = 0;       // of the scheme that were needed
  };
  // Of a step of h [s], by the Arnoldi method. Rigid motions and grains without contacts, which drift and have a
  // defective eigenvalue 1, take no part: the first motion has none of them.
  Radius spectral_radius(Real h);

  // The longest stable step [s] to a thousandth: from `forecast` up to the first step at which a motion grows, or down
  // from there. Infinite where none grows up to ten times the forecast; 0 where all do down to a tenth of it.
  Real limit(Real forecast);

  // How many times larger than in the first half a motion becomes in the second half of so many steps of h [s]. The
  // motion has a part in every mode that strains contacts; where nothing grows, the result is about 1 or less.
  Real growth(Real h, int steps = 1000);

 private:
  using Column = std::vector<Real>;
  std::vector<BodyRows*> kept();
  void step(Real h);
  void put(const Column& from, Real h);
  Column take(Real h);
  void begin(Real h);

  const ContactNetwork& network_;
  toys::ToyScheme scheme_;
  toys::Toy toy_;
};

}  // namespace cairn
