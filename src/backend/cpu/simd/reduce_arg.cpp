// argmin, argmax and their nan-variants: the state is the best value and its position. Of equal values the smallest
// position wins, so the result is the same in whatever order blocks are merged.
#include "backend/cpu/simd/reduce_lanes.h"
#include "kernels/minmax.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

// better(a, b): is a to be preferred to b, wherever they stand? Best is the fold that finds the best value.
#define CUPRUM_ORDER(Name, Extreme, fold, first, second, compare, sign)                            \
  struct Name {                                                                                    \
    template <class T>                                                                             \
    CUPRUM_FN static bool better(T a, T b) {                                                       \
      return (!kernels::holds_nan(second)) & (kernels::holds_nan(first) | kernels::compare(a, b)); \
    }                                                                                              \
    /* The same of vectors of floats. */                                                           \
    template <class V>                                                                             \
    CUPRUM_FN static auto better_lanes(V a, V b) {                                                 \
      return ~kernels::holds_nan(second) & (kernels::holds_nan(first) | (a sign b));               \
    }                                                                                              \
    struct Best : Extreme {                                                                        \
      template <class T>                                                                           \
      CUPRUM_FN T operator()(T a, T b) const {                                                     \
        return kernels::fold(a, b);                                                                \
      }                                                                                            \
    };                                                                                             \
  };
CUPRUM_ORDER(Largest, Larger, maximum, a, b, greater, >)
CUPRUM_ORDER(Smallest, Smaller, minimum, a, b, less, <)
CUPRUM_ORDER(LargestNumber, Larger, fmax, b, a, greater, >)
CUPRUM_ORDER(SmallestNumber, Smaller, fmin, b, a, less, <)
#undef CUPRUM_ORDER

CUPRUM_FN int64 position(const RowPositions& rows, int64 r) {
  return rows.index ? rows.index[r] : rows.base + r * rows.step;
}

template <class Order, class T>
void arg_column(int64 rows, int64 cols, const void* p, int64 at, const RowPositions& positions, T* value,
                int64* index) {
  T best = load<T>(p, at);
  int64 best_position = position(positions, 0);
  for (int64 r = 1; r < rows; ++r) {
    const T x = load<T>(p, at + r * cols);
    const int64 where = position(positions, r);
    const bool earlier = (where < best_position) & (!Order::better(best, x));
    if (Order::better(x, best) | earlier) {
      best = x;
      best_position = where;
    }
  }
  *value = best;
  *index = best_position;
}

/// The first place of `best`, which is there, among p[0..n); a NaN is found by any NaN.
template <class T>
int64 find(int64 n, const T* p, T best) {
  const bool nan = kernels::holds_nan(best);
  constexpr int64 step = 64;
  int64 i = 0;
  for (; i + step <= n; i += step) {
    unsigned found = 0;
    if (nan) {
      for (int64 k = 0; k < step; ++k) found |= kernels::holds_nan(p[i + k]) ? 1u : 0u;
    } else {
      for (int64 k = 0; k < step; ++k) found |= p[i + k] == best ? 1u : 0u;
    }
    if (found) break;
  }
  while (nan ? !kernels::holds_nan(p[i]) : p[i] != best) ++i;
  return i;
}

/// Pieces of one column whose positions grow: first the best value of each, by vector, then its first place. Of the pieces
/// of one result only the best needs it, the first among equals: any later place will do for the others.
template <class Order, class T>
void arg_growing_columns(const NarrowBlocks& b, T* value, int64* index) {
  const T* p = static_cast<const T*>(b.src);
  const bool one_result = b.piece_step != 0;
  int64 winner = 0;
  for (int64 piece = 0; piece < b.pieces; ++piece) {
    value[piece] = fold_column<typename Order::Best>(b.rows, p + piece * b.rows);
    if (Order::better(value[piece], value[winner])) winner = piece;
  }
  RowPositions positions = b.positions;
  for (int64 piece = 0; piece < b.pieces; ++piece, p += b.rows, positions.base += b.piece_step) {
    const bool wanted = !one_result || piece == winner;
    index[piece] = position(positions, wanted ? find(b.rows, p, value[piece]) : b.rows - 1);
  }
}

// The ranks of rows, in integers of the size of the elements, so that both fit the same vector lanes.
template <class T>
using Rank = kernels::unsigned_of_size<sizeof(T)>;

/// best[i] = the better of line[i] and best[i], which has the rank `rank` and comes later, for n elements in whole vectors.
template <class Order, class T>
CUPRUM_FN void take_better(int64 n, const Stored<T>* line, Rank<T> rank, Stored<T>* best, Rank<T>* ranks) {
  if constexpr (kernels::native_float<
                    T>) {  // gcc 12 makes scalars of the tests for NaN: 8 ns for a row of 4 instead of 3.3
    constexpr int64 size = kRegisterBytes / sizeof(T);
    for (int64 i = 0; i < n; i += size) {
      Register<T> x, a;
      Register<Rank<T>> k, next = {};
      __builtin_memcpy(&x, line + i, sizeof x);
      __builtin_memcpy(&a, best + i, sizeof a);
      __builtin_memcpy(&k, ranks + i, sizeof k);
      const auto take = Order::better_lanes(x, a);
      a = take ? x : a;
      k = take ? next + rank : k;
      __builtin_memcpy(best + i, &a, sizeof a);
      __builtin_memcpy(ranks + i, &k, sizeof k);
    }
  } else {
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < n; ++i) {
      const bool take = Order::better(load<T>(line, i), load<T>(best, i));
      best[i] = take ? line[i] : best[i];
      ranks[i] = take ? rank : ranks[i];
    }
  }
}

/// A register of which only the first `n` elements are in memory.
template <class T>
CUPRUM_FN Register<T> load_part(const T* p, int64 n) {
  Register<T> v = {};
  __builtin_memcpy(&v, p, static_cast<unsigned long>(n) * sizeof(T));
  return v;
}

/// best[i] = the better of line[i], of the row with the rank `rank`, and best[i], of the row ranks[i]; of equals the row of the
/// lesser rank.
template <class Order, class T>
CUPRUM_FN void take_better_or_earlier(int64 n, const Stored<T>* line, Rank<T> rank, Stored<T>* best,
                                      Rank<T>* ranks) {
  if constexpr (kernels::native_float<T>) {  // as above: 3.5 ns for an element instead of 0.4
    constexpr int64 size = kRegisterBytes / sizeof(T);
    const auto take_lanes = [&](const Register<T>& x, Register<T>& a, Register<Rank<T>>& k) {
      const Register<Rank<T>> here = Register<Rank<T>>{} + rank;
      const auto take = Order::better_lanes(x, a) | (~Order::better_lanes(a, x) & (here < k));
      a = take ? x : a;
      k = take ? here : k;
    };
    int64 i = 0;
    for (; i + size <= n; i += size) {
      Register<T> x, a;
      Register<Rank<T>> k;
      __builtin_memcpy(&x, line + i, sizeof x);
      __builtin_memcpy(&a, best + i, sizeof a);
      __builtin_memcpy(&k, ranks + i, sizeof k);
      take_lanes(x, a, k);
      __builtin_memcpy(best + i, &a, sizeof a);
      __builtin_memcpy(ranks + i, &k, sizeof k);
    }
    if (i == n) return;
    Register<T> a = load_part(best + i, n - i);
    Register<Rank<T>> k = load_part(ranks + i, n - i);
    take_lanes(load_part(line + i, n - i), a, k);
    __builtin_memcpy(best + i, &a, static_cast<unsigned long>(n - i) * sizeof(T));
    __builtin_memcpy(ranks + i, &k, static_cast<unsigned long>(n - i) * sizeof(T));
  } else {
    CUPRUM_VECTORIZE
    for (int64 i = 0; i < n; ++i) {
      const T x = load<T>(line, i), a = load<T>(best, i);
      const bool take = Order::better(x, a) | ((rank < ranks[i]) & (!Order::better(a, x)));
      store<T>(best, i, take ? x : a);
      ranks[i] = take ? rank : ranks[i];
    }
  }
}

/// Short rows, of which positions grow: of equal values the first stays.
template <class Order, class T>
void arg_turned(const NarrowBlocks& b, Stored<T>* value, int64* index) {
  const auto* p = static_cast<const Stored<T>*>(b.src);
  each_turned<1>(b.pieces, b.rows, p, [&](auto& block, int64 at, int64 n) {
    alignas(64) Rank<T> ranks[block.kMost] = {};
    Stored<T>* best = block.line(0);
    for (int64 r = 1; r < b.rows; ++r) {
      take_better<Order, T>(block.size(), block.line(r), static_cast<Rank<T>>(r), best, ranks);
    }
    __builtin_memcpy(value + at, best, static_cast<unsigned long>(n) * sizeof(T));
    const int64 base = b.positions.base + at * b.piece_step;
    for (int64 i = 0; i < n; ++i) {
      index[at + i] = base + i * b.piece_step + static_cast<int64>(ranks[i]) * b.positions.step;
    }
  });
}

template <class Order, class T>
void narrow_arg(const NarrowBlocks& b) {
  Stored<T>* value = plane<Stored<T>>(b.to, 0);
  int64* index = plane<int64>(b.to, 1);
  if constexpr (!kernels::complex_number<T>) {
    if (b.cols == 1 && !b.positions.index && Turned<Stored<T>>::takes(b.pieces, b.rows))
      return arg_turned<Order, T>(b, value, index);
  }
  if constexpr (kernels::native_float<T> || kernels::integer<T>) {
    if (b.cols == 1 && !b.positions.index) return arg_growing_columns<Order>(b, value, index);
  }
  RowPositions positions = b.positions;
  for (int64 piece = 0; piece < b.pieces; ++piece) {
    const int64 at = piece * b.rows * b.cols;
    for (int64 c = 0; c < b.cols; ++c) {
      T best;
      arg_column<Order>(b.rows, b.cols, b.src, at + c, positions, &best, index++);
      *value++ = static_cast<Stored<T>>(best);
    }
    positions.base += b.piece_step;
  }
}

// A wide block, while it is read: the best values, and the ranks of their rows.
template <class Order, class T>
void wide_arg(const WideRows& w) {
  Stored<T>* value = plane<Stored<T>>(w.to, 0);
  Rank<T>* ranks = plane<Rank<T>>(w.to, 1);
  int64 r = 0;
  if (w.first) {
    const void* row = row_of<char>(w, 0);
    for (int64 i = 0; i < w.cols; ++i) {
      store<T>(value, i, load<T>(row, i));
      ranks[i] = w.ranks[0];
    }
    r = 1;
  }
  for (; r < w.rows; ++r)
    take_better_or_earlier<Order, T>(w.cols, row_of<Stored<T>>(w, r), w.ranks[r], value, ranks);
}

template <class T>
void end_wide_arg(int64 n, const States& read, int64, const int64* positions, const States& to) {
  __builtin_memcpy(plane<Stored<T>>(to, 0), plane<Stored<T>>(read, 0),
                   static_cast<unsigned long>(n) * sizeof(T));
  const Rank<T>* ranks = plane<Rank<T>>(read, 1);
  int64* index = plane<int64>(to, 1);
  for (int64 i = 0; i < n; ++i) index[i] = positions[ranks[i]];
}

template <class Order, class T>
void merge_arg(int64 n, const States& to, int64, const States& from, int64) {
  Stored<T>* value = plane<Stored<T>>(to, 0);
  int64* index = plane<int64>(to, 1);
  const Stored<T>* other_value = plane<Stored<T>>(from, 0);
  const int64* other_index = plane<int64>(from, 1);
  for (int64 i = 0; i < n; ++i) {
    const T x = load<T>(other_value, i), best = load<T>(value, i);
    if (Order::better(x, best) | ((other_index[i] < index[i]) & (!Order::better(best, x)))) {
      value[i] = other_value[i];
      index[i] = other_index[i];
    }
  }
}

void finish_arg(int64 n, const States& states, int64, double, void* to) {
  __builtin_memcpy(to, plane<int64>(states, 1), static_cast<unsigned long>(n) * sizeof(int64));
}

template <class Order, dtype t>
void add(ReduceTable& table, ReduceOp op) {
  using T = Element<t>;
  ReduceLoops& loops = table.loops[static_cast<int>(op)][static_cast<int>(t)];
  loops.planes = loops.wide_planes = 2;
  loops.state_bytes[0] = sizeof(T);
  loops.state_bytes[1] = sizeof(int64);
  loops.exact = true;
  loops.result = dtype::int64;
  loops.narrow = narrow_arg<Order, T>;
  loops.wide = wide_arg<Order, T>;
  loops.end_wide = end_wide_arg<T>;
  loops.merge = merge_arg<Order, T>;
  loops.finish = finish_arg;
}

template <dtype t>
void add_all(ReduceTable& table) {
  add<Largest, t>(table, ReduceOp::argmax);
  add<Smallest, t>(table, ReduceOp::argmin);
  if constexpr (is_floating(t) || is_complex(t)) {
    add<LargestNumber, t>(table, ReduceOp::nanargmax);
    add<SmallestNumber, t>(table, ReduceOp::nanargmin);
  } else {
    const int k = static_cast<int>(t);
    table.loops[static_cast<int>(ReduceOp::nanargmax)][k] =
        table.loops[static_cast<int>(ReduceOp::argmax)][k];
    table.loops[static_cast<int>(ReduceOp::nanargmin)][k] =
        table.loops[static_cast<int>(ReduceOp::argmin)][k];
  }
}

}  // namespace

void add_arg_reductions(ReduceTable& table) {
  add_all<dtype::bool_>(table);
  add_all<dtype::int8>(table);
  add_all<dtype::int16>(table);
  add_all<dtype::int32>(table);
  add_all<dtype::int64>(table);
  add_all<dtype::uint8>(table);
  add_all<dtype::uint16>(table);
  add_all<dtype::uint32>(table);
  add_all<dtype::uint64>(table);
  add_all<dtype::float32>(table);
  add_all<dtype::float64>(table);
  add_all<dtype::complex64>(table);
  add_all<dtype::complex128>(table);
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
