// Instruction sets that kernels are compiled for; one is chosen at start for this processor.
#pragma once
#include <utility>

namespace cairn {

enum class Simd { baseline, avx2, avx512 };

// The widest set of this processor for which the library has kernels.
Simd widest_simd();

// A library may have kernels for some sets alone (CAIRN_KERNELS in CMakeLists.txt).
#ifdef CAIRN_HAS_AVX512
#define CAIRN_AVX512_OR(name, other, simd) (simd) == Simd::avx512 ? name##_avx512 : other
#else
#define CAIRN_AVX512_OR(name, other, simd) other
#endif
#ifdef CAIRN_HAS_AVX2
#define CAIRN_AVX2_OR(name, other, simd) (simd) >= Simd::avx2 ? name##_avx2 : other
#else
#define CAIRN_AVX2_OR(name, other, simd) other
#endif
#define CAIRN_CHOOSE(name, simd) (CAIRN_AVX512_OR(name, CAIRN_AVX2_OR(name, name##_baseline, simd), simd))

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
