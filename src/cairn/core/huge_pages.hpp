#pragma once
#include <cstddef>

namespace cairn {

// Asks the system for pages of 2 MB in place of 4 kB under new memory of some megabytes: the neighbours of a grain
// stand anywhere in it, and a processor remembers where few pages are. Without such pages nothing happens.
void prefer_huge_pages(void* memory, std::size_t bytes);

// The system takes back the memory of a block in use whose content is needed no more.
void return_pages(void* memory, std::size_t bytes);

}  // namespace cairn
