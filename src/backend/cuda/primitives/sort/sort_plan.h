// How a sort goes, by dtype and shape alone.
//
//   values   one row of a real dtype: the values are their own keys (radix.h)
//   words    rows: everything that matters is packed into 64-bit words, which one sort of all rows orders:
//              sort      row | key            (float32: the key keeps every bit; radix.cuh)
//                        row | key | bits     (dtypes of 1 and 2 bytes)
//              argsort   row | key | index
//   pairs    all others: (key, position) pairs, once per key, the least important first; the row is the last key
#pragma once

#include <bit>
#include <cstdint>

#include "cuprum/dtype.h"

namespace cuprum::cuda::primitives {

struct SortPlan {
  enum class Way : std::uint8_t { values, words, pairs };
  Way way = Way::pairs;
  int low_bits = 0;  // of a word, below the key: carried, not compared
  int key_bits = 0;
  int row_bits = 0;

  int begin_bit() const { return low_bits; }
  int end_bit() const { return low_bits + key_bits + row_bits; }
  int row_shift() const { return low_bits + key_bits; }
};

/// Bits that tell n things apart.
constexpr int bits_for(std::int64_t n) {
  return n <= 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(n - 1));
}

constexpr SortPlan plan_sort(dtype type, std::int64_t rows, std::int64_t n) {
  SortPlan plan;
  plan.key_bits = static_cast<int>(itemsize(type)) * 8;
  plan.row_bits = bits_for(rows);
  if (is_complex(type)) return plan;
  if (rows == 1) {
    plan.way = SortPlan::Way::values;
    return plan;
  }
  plan.low_bits = plan.key_bits <= 16 ? 16 : 0;
  if (plan.key_bits <= 32 && plan.end_bit() <= 64) plan.way = SortPlan::Way::words;
  return plan;
}

constexpr SortPlan plan_argsort(dtype type, std::int64_t rows, std::int64_t n) {
  SortPlan plan;
  plan.key_bits = static_cast<int>(itemsize(type)) * 8;
  plan.row_bits = bits_for(rows);
  plan.low_bits = bits_for(n);
  if (!is_complex(type) && plan.key_bits <= 32 && plan.end_bit() <= 64) plan.way = SortPlan::Way::words;
  return plan;
}

}  // namespace cuprum::cuda::primitives
