// Ranks as processes of MPI, and a partition by recursive coordinate bisection (Zoltan). The only room that knows these
// libraries; it is built where both are found (CAIRN_MPI).
#pragma once
#include <memory>

#include "cairn/domain/ranks.hpp"

namespace cairn {

// MPI from its start to its end. Make one, in the main thread, before threads are made.
class MpiSession {
 public:
  MpiSession();
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  Ranks& ranks() { return *ranks_; }
  std::unique_ptr<Partition> partition();
  // Ends all ranks at once, where one of them cannot go on.
  [[noreturn]] static void abort(int code);

 private:
  std::unique_ptr<Ranks> ranks_;
};

}  // namespace cairn
