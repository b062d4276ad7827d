// Which loops the interpreter has, and their numbers: made from the table of operations at compile time.
//
// A register holds an element of up to four bytes in a 32-bit word of its own, whose bits above the element mean
// nothing (a bool is 0 or 1 in all 32). So a conversion that keeps low bits is no instruction at all, and one loop
// often serves many dtypes. `loop_of` names the loop that does the work of (op, key); the encoder writes its number, and
// the device's table has the function at that number.
#pragma once

#include "core/loop_sharing.h"

namespace cuprum::cuda {

/// (cast, from, to), or an operation with its key.
struct LoopName {
  Op op = Op::count_;  // count_: none is needed, the result is the argument itself
  dtype key = dtype::bool_;
  dtype to = dtype::bool_;  // of a cast
};

constexpr bool fits_word(dtype t) { return itemsize(t) <= 4; }

/// The loop that converts, after the rules of kernels/cast.h.
constexpr LoopName cast_loop(dtype from, dtype to) {
  if (from == to) return {};
  if (is_bool(from)) from = dtype::uint32;  // as a word it is 0 or 1
  if (is_bool(to)) return {Op::cast, is_integer(from) ? unsigned_of_size(itemsize(from)) : from, to};
  if (is_integer(from) && is_integer(to)) {
    if (itemsize(to) == itemsize(from) || (fits_word(from) && itemsize(to) < itemsize(from))) return {};
    if (itemsize(to) < itemsize(from)) return {Op::cast, dtype::uint64, dtype::uint32};
    return {Op::cast, from, itemsize(to) == 8 ? dtype::uint64 : dtype::uint32};
  }
  // A floating number becomes an int32 whose low bits are kept.
  if (is_integer(to) && itemsize(to) < 4) to = dtype::int32;
  return {Op::cast, from, to};
}

/// The loop of (op, key) once small floats have been widened (see computes_in_float).
constexpr LoopName loop_of(Op op, dtype key) {
  if (returns_argument(op, key)) return {};
  const bool tests_number = op == Op::isfinite || op == Op::isinf || op == Op::isnan;
  if (tests_number && !is_floating(key) && !is_complex(key)) return {op, dtype::bool_};
  if (is_small_float(key) && computes_in_float(op)) return {op, dtype::float32};
  if (op == Op::where && fits_word(key)) return {op, dtype::uint32};
  return {op, shared_key(op, key)};
}

inline constexpr int kNoLoop = 0xffff;

struct LoopNumbers {
  std::uint16_t of_op[kOpCount][kDTypeCount] = {};       // of the loop with this name
  std::uint16_t of_cast[kDTypeCount][kDTypeCount] = {};  // [from][to]
  LoopName names[1024] = {};
  int count = 0;

  constexpr int find(const LoopName& name) const {
    if (name.op == Op::cast) return of_cast[static_cast<int>(name.key)][static_cast<int>(name.to)];
    return of_op[static_cast<int>(name.op)][static_cast<int>(name.key)];
  }
};

constexpr LoopNumbers number_loops() {
  LoopNumbers numbers;
  for (int op = 0; op < kOpCount; ++op) {
    for (int key = 0; key < kDTypeCount; ++key) {
      numbers.of_op[op][key] = kNoLoop;
      const Op o = static_cast<Op>(op);
      const dtype k = static_cast<dtype>(key);
      if (!has_loop(o, k)) continue;
      const LoopName name = loop_of(o, k);
      if (name.op != o || name.key != k) continue;  // another loop serves it
      numbers.names[numbers.count] = name;
      numbers.of_op[op][key] = static_cast<std::uint16_t>(numbers.count++);
    }
  }
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      numbers.of_cast[from][to] = kNoLoop;
      const LoopName name = cast_loop(static_cast<dtype>(from), static_cast<dtype>(to));
      if (name.op != Op::cast || static_cast<int>(name.key) != from || static_cast<int>(name.to) != to)
        continue;
      numbers.names[numbers.count] = name;
      numbers.of_cast[from][to] = static_cast<std::uint16_t>(numbers.count++);
    }
  }
  return numbers;
}

inline constexpr LoopNumbers kLoopNumbers = number_loops();
inline constexpr int kLoopCount = kLoopNumbers.count;

}  // namespace cuprum::cuda
