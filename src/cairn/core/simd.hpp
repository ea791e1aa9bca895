// Instruction sets a kernel is compiled for; one is chosen at start for this processor.
#pragma once

namespace cairn {

enum class Simd { baseline, avx2, avx512 };

inline Simd widest_simd() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Simd::avx512;
  if (__builtin_cpu_supports("avx2")) return Simd::avx2;
#endif
  return Simd::baseline;
}

// Of the entry points name_baseline, name_avx2 and name_avx512 the one for `simd`.
#ifdef CAIRN_BASELINE_ONLY
#define CAIRN_CHOOSE(name, simd) name##_baseline
#else
#define CAIRN_CHOOSE(name, simd) \
  ((simd) == Simd::avx512 ? name##_avx512 : (simd) == Simd::avx2 ? name##_avx2 : name##_baseline)
#endif

}  // namespace cairn
