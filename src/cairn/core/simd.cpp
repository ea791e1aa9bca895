#include "cairn/core/simd.hpp"

namespace cairn {

Simd widest_simd() {
#if defined(__x86_64__)
  __builtin_cpu_init();
#ifdef CAIRN_HAS_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Simd::avx512;
#endif
#ifdef CAIRN_HAS_AVX2
  if (__builtin_cpu_supports("avx2")) return Simd::avx2;
#endif
#endif
  return Simd::baseline;
}

}  // namespace cairn
