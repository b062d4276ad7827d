// Which loop serves (operation, key). Loops that would be the same machine code are made once: signed and
// unsigned integers share one where the result has the same bits, selection goes by size, what returns its
// argument is a copy, and what is constant is a fill.
#pragma once

#include "backend/cpu/simd/small_float_loops.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

template <int size>
void copy_bytes(int64 n, void* dst, const void* a, const void*, const void*) {
  if (dst != a) __builtin_memcpy(dst, a, static_cast<unsigned long>(n) * size);
}

template <bool value>
void fill_bool(int64 n, void* dst, const void*, const void*, const void*) {
  __builtin_memset(dst, value, static_cast<unsigned long>(n));
}

/// The loop of (op, key).
template <class Meaning, Op op, dtype key>
constexpr LoopFn loop_of() {
  constexpr bool tests_number = op == Op::isfinite || op == Op::isinf || op == Op::isnan;
  if constexpr (returns_argument(op, key)) {
    return &copy_bytes<itemsize(key)>;
  } else if constexpr (tests_number && !is_floating(key) && !is_complex(key)) {
    return &fill_bool<op == Op::isfinite>;
  } else if constexpr (is_small_float(key) && computes_in_float(op)) {
    return &via_float<map_of<Meaning, op, dtype::float32>(), op, key>;
  } else {
    return map_of<Meaning, op, shared_key(op, key)>();
  }
}

template <class Meaning, Op op, dtype key>
void add_loop(LoopTable& table) {
  if constexpr (has_loop(op, key)) {
    table.loop[static_cast<int>(op)][static_cast<int>(key)] = loop_of<Meaning, op, key>();
  }
}

/// Enters the loops of one operation, for every key that its row of the table has.
template <Op op, int key = 0, class Meaning>
void add_loops(LoopTable& table, Meaning meaning) {
  add_loop<Meaning, op, static_cast<dtype>(key)>(table);
  if constexpr (key + 1 < kDTypeCount) add_loops<op, key + 1>(table, meaning);
}

#include "core/op_families.def"

/// The overloads kernels::name as one callable type, and its loops.
#define CUPRUM_ADD_LOOPS(name) \
  add_loops<Op::name>(         \
      table, [](auto... x) __attribute__((always_inline)) { return kernels::name(x...); });

// One function per file loops_<family>.cpp.
void add_arithmetic_loops(LoopTable& table);
void add_comparison_loops(LoopTable& table);
void add_logical_loops(LoopTable& table);
void add_bitwise_loops(LoopTable& table);
void add_rounding_loops(LoopTable& table);
void add_exponential_loops(LoopTable& table);
void add_trigonometric_loops(LoopTable& table);
void add_floating_loops(LoopTable& table);
void add_complex_loops(LoopTable& table);
void add_internal_loops(LoopTable& table);
void add_cast_loops(LoopTable& table);

// These replace loops by faster ones with the same meaning, and run after those above.
void use_vector_functions(LoopTable& table);
void use_vector_division(LoopTable& table);
void use_staged_loops(LoopTable& table);

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
