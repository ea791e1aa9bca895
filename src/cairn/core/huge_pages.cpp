#include "cairn/core/huge_pages.hpp"

#if defined(__linux__)
#include <sys/mman.h>

#include <cstdint>
#endif

namespace cairn {
#if defined(__linux__)
namespace {

// Of whole pages within.
void advise(void* memory, std::size_t bytes, std::uintptr_t page, int advice) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t begin = (address + page - 1) / page * page, end = (address + bytes) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, advice);
}

}  // namespace
#endif

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  constexpr std::uintptr_t page = 2 << 20, least = 2 * page;  // [B]
  if (bytes >= least) advise(memory, bytes, page, MADV_HUGEPAGE);
#endif
}

void return_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  constexpr std::uintptr_t pages = 1 << 16, least = 1 << 20;  // [B] pages of any size in use; less is not worth a call
  if (bytes >= least) advise(memory, bytes, pages, MADV_DONTNEED);
#endif
}

}  // namespace cairn
