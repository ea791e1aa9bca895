// Which build of the passes over contacts runs (core/simd.hpp).
#include "cairn/contact/kernels/onset.hpp"

namespace cairn {

// Of the slots given, or all.
using Entry = void(const ContactPass&, const ContactTables&, const LawTable&, const int* slots, int begin, int end,
                   int first_row, ContactSums&);
Entry pair_pass_baseline, pair_pass_avx2, pair_pass_avx512;
Entry wall_pass_baseline, wall_pass_avx2, wall_pass_avx512;

void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(pair_pass, simd);
  entry(pass, tables, laws, nullptr, begin, end, first_row, sums);
}

void pair_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, std::span<const int> slots,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(pair_pass, simd);
  entry(pass, tables, laws, slots.data(), 0, static_cast<int>(slots.size()), first_row, sums);
}

void wall_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, int begin, int end,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(wall_pass, simd);
  entry(pass, tables, laws, nullptr, begin, end, first_row, sums);
}

void wall_pass(const ContactPass& pass, const ContactTables& tables, const LawTable& laws, std::span<const int> slots,
               int first_row, [[maybe_unused]] Simd simd, ContactSums& sums) {
  Entry* const entry = CAIRN_CHOOSE(wall_pass, simd);
  entry(pass, tables, laws, slots.data(), 0, static_cast<int>(slots.size()), first_row, sums);
}

using OnsetEntry = void(const OnsetPass&, const ContactTables&, const LawTable&, const int* slots, const int* which,
                        int count, Corrected*, Books* past);
OnsetEntry onset_pass_baseline, onset_pass_avx2, onset_pass_avx512;

void onset_pass(const OnsetPass& pass, const ContactTables& tables, const LawTable& laws, std::span<const int> slots,
                std::span<const int> which, [[maybe_unused]] Simd simd, Corrected* corrected, Books* past) {
  OnsetEntry* const entry = CAIRN_CHOOSE(onset_pass, simd);
  entry(pass, tables, laws, slots.data(), which.data(), static_cast<int>(which.size()), corrected, past);
}

}  // namespace cairn
