// Instruction sets a kernel is compiled for; one is chosen at start for this processor.
#pragma once
#include <utility>

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

#ifdef CAIRN_BASELINE_ONLY
#define CAIRN_CHOOSE(name, simd) name##_baseline
#else
#define CAIRN_CHOOSE(name, simd) \
  ((simd) == Simd::avx512 ? name##_avx512 : (simd) == Simd::avx2 ? name##_avx2 : name##_baseline)
#endif

// Declares a kernel with these arguments, which a file *_pass.cpp defines once per instruction set, and
// name(simd, arguments...), which calls the one for `simd`.
#define CAIRN_KERNEL(name, ...)                                      \
  using name##_kernel = void(__VA_ARGS__);                           \
  name##_kernel name##_baseline, name##_avx2, name##_avx512;         \
  template <class... Arguments>                                      \
  void name([[maybe_unused]] Simd simd, Arguments&&... arguments) {  \
    CAIRN_CHOOSE(name, simd)(std::forward<Arguments>(arguments)...); \
  }

}  // namespace cairn
