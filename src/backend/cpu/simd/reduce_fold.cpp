// Reductions that fold with a binary operation: sum, mean, prod, min, max, fmin, fmax, any, all and the bitwise ones.
#include "backend/cpu/simd/reduce_lanes.h"
#include "kernels/arithmetic.h"
#include "kernels/bitwise.h"
#include "kernels/complex.h"
#include "kernels/minmax.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

struct Plain {};  // a fold without a simpler form for numbers

#define CUPRUM_FOLD(Name, Form, meaning)     \
  struct Name : Form {                       \
    template <class T>                       \
    CUPRUM_FN T operator()(T a, T b) const { \
      return kernels::meaning(a, b);         \
    }                                        \
  };
CUPRUM_FOLD(Add, Sum, add)
CUPRUM_FOLD(Multiply, Plain, multiply)
CUPRUM_FOLD(Minimum, Smaller, minimum)
CUPRUM_FOLD(Maximum, Larger, maximum)
CUPRUM_FOLD(FMin, Smaller, fmin)
CUPRUM_FOLD(FMax, Larger, fmax)
CUPRUM_FOLD(BitAnd, Plain, bitwise_and)
CUPRUM_FOLD(BitOr, Plain, bitwise_or)
CUPRUM_FOLD(BitXor, Plain, bitwise_xor)
#undef CUPRUM_FOLD

// Any byte but 0 is true, so bools are folded as bytes, and made 0 or 1 at the end.
struct AnyByte {
  CUPRUM_FN kernels::uint8 operator()(kernels::uint8 a, kernels::uint8 b) const { return a | b; }
};
struct AllBytes {
  CUPRUM_FN kernels::uint8 operator()(kernels::uint8 a, kernels::uint8 b) const { return a < b ? a : b; }
};
struct OddBytes {
  CUPRUM_FN kernels::uint8 operator()(kernels::uint8 a, kernels::uint8 b) const {
    return (a != 0) ^ (b != 0);
  }
};

void finish_bool(int64 n, const States& states, int64, double, void* to) {
  const auto* from = plane<kernels::uint8>(states, 0);
  for (int64 i = 0; i < n; ++i) static_cast<kernels::uint8*>(to)[i] = from[i] != 0;
}

template <class T>
void finish_mean(int64 n, const States& states, int64 count, double, void* to) {
  const T* from = plane<T>(states, 0);
  for (int64 i = 0; i < n; ++i) static_cast<T*>(to)[i] = from[i] / static_cast<T>(count);
}

template <class R>
void narrow_complex_sum(const NarrowBlocks& b) {
  narrow_fold<Add, R>(as_reals(b));
}
template <class R>
void wide_complex_sum(const WideRows& w) {
  wide_fold<Add, R>(as_reals(w));
}
template <class R>
void merge_complex_sum(int64 n, const States& to, int64, const States& from, int64) {
  merge_fold<Add, R>(2 * n, as_reals(to), 0, as_reals(from), 0);
}
template <class R>
void finish_complex_mean(int64 n, const States& states, int64 count, double, void* to) {
  finish_mean<R>(2 * n, as_reals(states), count, 0, to);
}

template <class R>
ReduceLoops complex_sum_loops(dtype result) {
  using C = kernels::complex<R>;
  ReduceLoops loops = fold_loops<Add, C>(result, false);
  loops.narrow = narrow_complex_sum<R>;
  loops.wide = wide_complex_sum<R>;
  loops.merge = merge_complex_sum<R>;
  return loops;
}

ReduceLoops& entry(ReduceTable& table, ReduceOp op, dtype t) {
  return table.loops[static_cast<int>(op)][static_cast<int>(t)];
}

template <dtype t>
void add_order(ReduceTable& table) {
  using T = Element<t>;
  constexpr bool exact = is_integer(t);
  entry(table, ReduceOp::min, t) = fold_loops<Minimum, T>(t, exact);
  entry(table, ReduceOp::max, t) = fold_loops<Maximum, T>(t, exact);
  if constexpr (exact) {
    entry(table, ReduceOp::fmin, t) = entry(table, ReduceOp::min, t);
    entry(table, ReduceOp::fmax, t) = entry(table, ReduceOp::max, t);
  } else {
    entry(table, ReduceOp::fmin, t) = fold_loops<FMin, T>(t, exact);
    entry(table, ReduceOp::fmax, t) = fold_loops<FMax, T>(t, exact);
  }
}

/// Both integers of one size: what wraps around has the same bits in both.
template <dtype t, dtype u>
void add_integers(ReduceTable& table) {
  using U = Element<u>;
  add_order<t>(table);
  add_order<u>(table);
  const auto set = [&](ReduceOp op, ReduceLoops loops) {
    entry(table, op, u) = loops;
    loops.result = t;
    entry(table, op, t) = loops;
  };
  set(ReduceOp::sum, fold_loops<Add, U>(u, true));
  set(ReduceOp::prod, fold_loops<Multiply, U>(u, true));
  set(ReduceOp::bitwise_and, fold_loops<BitAnd, U>(u, true));
  set(ReduceOp::bitwise_or, fold_loops<BitOr, U>(u, true));
  set(ReduceOp::bitwise_xor, fold_loops<BitXor, U>(u, true));
}

template <dtype t>
void add_float(ReduceTable& table) {
  using T = Element<t>;
  add_order<t>(table);
  entry(table, ReduceOp::prod, t) = fold_loops<Multiply, Element<t>>(t, false);
  entry(table, ReduceOp::sum, t) = fold_loops<Add, T>(t, false);
  entry(table, ReduceOp::mean, t) = entry(table, ReduceOp::sum, t);
  entry(table, ReduceOp::mean, t).finish = finish_mean<T>;
}

template <dtype t>
void add_complex(ReduceTable& table) {
  using R = Element<real_type(t)>;
  add_order<t>(table);
  entry(table, ReduceOp::prod, t) = fold_loops<Multiply, Element<t>>(t, false);
  entry(table, ReduceOp::sum, t) = complex_sum_loops<R>(t);
  entry(table, ReduceOp::mean, t) = complex_sum_loops<R>(t);
  entry(table, ReduceOp::mean, t).finish = finish_complex_mean<R>;
}

void add_bool(ReduceTable& table) {
  const auto set = [&](ReduceLoops loops, auto... ops) {
    loops.finish = finish_bool;
    ((entry(table, ops, dtype::bool_) = loops), ...);
  };
  using Op = ReduceOp;
  set(fold_loops<AnyByte, kernels::uint8>(dtype::bool_, true), Op::any, Op::sum, Op::max, Op::fmax,
      Op::bitwise_or);
  set(fold_loops<AllBytes, kernels::uint8>(dtype::bool_, true), Op::all, Op::prod, Op::min, Op::fmin,
      Op::bitwise_and);
  set(fold_loops<OddBytes, kernels::uint8>(dtype::bool_, true), Op::logical_xor, Op::bitwise_xor);
}

}  // namespace

void add_fold_reductions(ReduceTable& table) {
  add_bool(table);
  add_integers<dtype::int8, dtype::uint8>(table);
  add_integers<dtype::int16, dtype::uint16>(table);
  add_integers<dtype::int32, dtype::uint32>(table);
  add_integers<dtype::int64, dtype::uint64>(table);
  add_float<dtype::float32>(table);
  add_float<dtype::float64>(table);
  add_complex<dtype::complex64>(table);
  add_complex<dtype::complex128>(table);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
