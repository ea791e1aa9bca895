// The exact tangent stiffness of a packing at rest, contact by contact: how the force and the two torques of each
// contact change with the displacements and rotations of its bodies, by jets of the law's own force. Springs follow the
// displacement. Products with it need no global matrix.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "cairn/world/contact_scene.hpp"

namespace cairn::statics {

// The unknowns: for each node the displacement [m] along x, y, z and, where grains rotate, the rotation times the
// radius [m]. Nodes are the grains by ascending id, then the loaded walls. Components that are not free stay 0.
struct Nodes {
  int grains = 0, walls = 0;
  int dimension = 3;                      // 1: z, 2: x and z, 3
  bool rotates = false;                   // forces depend on rotations
  bool symmetric = true;                  // forces have a potential: no friction
  std::vector<int> row;                   // of each grain: index into the arrays of the World
  std::vector<int> node;                  // the inverse
  std::vector<std::int64_t> id;           // of each grain
  std::vector<Real> mass;                 // [kg] of each node
  std::vector<Real> inertia;              // [kg] of each grain, over the radius squared
  std::vector<std::array<bool, 6>> free;  // of each node

  int count() const { return grains + walls; }
  int stride() const { return rotates ? 6 : 3; }
  std::size_t unknowns() const { return static_cast<std::size_t>(count()) * stride(); }
};

// Whether friction acts anywhere.
bool rubs(const WorldSettings& settings);
// The stiffness of contacts that just touch is that at an overlap of `floor` times the smaller radius [-]; 0: it is
// exact, and bodies that just touch have none.
struct TangentOptions {
  Real floor = 0;
};

class ContactTangent {
 public:
  // At the state y, which is at rest.
  void assemble(const ContactScene& scene, const State& y, const Nodes& nodes, const TangentOptions& options);

  // out = (K + shift M) q.
  void apply(std::span<const Real> q, Real shift, std::vector<Real>& out, int threads) const;

  struct Contact {
    int first = 0, second = -1;  // nodes; second -1: a wall that no force moves
  };
  std::span<const Contact> contacts() const { return contacts_; }
  // The change [N/m] of the force on the first body, and of the torques on the first and the second over their radii,
  // in the columns of (first minus second displacement, rotation of the first, rotation of the second); 3 x 3 without
  // rotations, else 9 x 9.
  std::span<const Real> block(std::size_t contact) const { return {&blocks_[contact * size_ * size_], size_ * size_}; }
  int size() const { return static_cast<int>(size_); }
  // K of one node with itself, stride x stride by rows.
  std::vector<Real> diagonal(int threads) const;
  Real stiffest() const { return stiffest_; }  // [1/s^2] largest diagonal entry over its mass

  // The contacts of each node, with whether the node is their second body.
  struct End {
    int contact;
    bool second;
  };
  std::span<const End> ends(int node) const {
    return {ends_.data() + first_end_[node], ends_.data() + first_end_[node + 1]};
  }

 private:
  const Nodes* nodes_ = nullptr;
  std::vector<Contact> contacts_;
  std::size_t size_ = 3;
  std::vector<Real> blocks_;
  std::vector<int> first_end_;
  std::vector<End> ends_;
  Real stiffest_ = 0;
  mutable std::vector<Real> answers_;  // of apply(), contact by contact
};

// The block of the contact in one slot; false, and nothing written, where it has no force.
bool contact_block(const ContactScene& scene, const State& y, const Nodes& nodes, int slot, Real floor,
                   std::span<Real> block);

}  // namespace cairn::statics
