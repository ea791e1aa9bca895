// The order conditions of Runge-Kutta methods.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cairn/integrate/runge_kutta.hpp"

namespace cairn {

// The derivative weight at each stage, the size and the density of a rooted tree (Hairer, Norsett & Wanner I, II.2).
template <int N>
struct Tree {
  std::array<Real, N> at_stage;
  int size;
  Real density;
};

// All trees of up to `largest` nodes, each once: a tree is a root on a multiset of smaller trees.
template <int N>
std::vector<Tree<N>> trees(const Tableau<N>& t, int largest) {
  std::vector<Tree<N>> all;
  const auto grow = [&](const auto& self, Tree<N> root, std::size_t from, int size) -> void {
    if (root.size == size) {
      root.density *= size;
      all.push_back(root);
      return;
    }
    for (std::size_t k = from; k < all.size() && root.size + all[k].size <= size; ++k) {
      Tree<N> more = root;
      for (int i = 0; i < N; ++i) {
        Real sum = 0;
        for (int j = 0; j < i; ++j) sum += t.a[i][j] * all[k].at_stage[j];
        more.at_stage[i] *= sum;
      }
      more.size += all[k].size, more.density *= all[k].density;
      self(self, more, k, size);
    }
  };
  for (int size = 1; size <= largest; ++size) {
    Tree<N> root{{}, 1, 1};
    root.at_stage.fill(1);
    grow(grow, root, 0, size);
  }
  return all;
}

// The largest order whose conditions all hold.
template <int N>
int order_of(const Tableau<N>& t, const decltype(Tableau<N>::b)& weights) {
  int order = 7;
  for (const Tree<N>& tree : trees(t, order)) {
    Real sum = 0;
    for (int i = 0; i < N; ++i) sum += weights[i] * tree.at_stage[i];
    if (std::fabs(sum - 1 / tree.density) > 1e-14) order = std::min(order, tree.size - 1);
  }
  return order;
}

}  // namespace cairn
