// Any bytes are a LAMMPS data file or an Error.
#include "cairn/core/error.hpp"
#include "cairn/formats/lammps_data.hpp"

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  try {
    cairn::parse_lammps_data(std::string_view(data, size), "f");
  } catch (const cairn::Error&) {
  }
  return 0;
}
