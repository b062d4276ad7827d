// Conversions between every two dtypes.
#include "backend/cpu/simd/loop_of.h"
#include "kernels/cast.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

template <class To>
struct CastTo {
  template <class From>
  CUPRUM_FN To operator()(From x) const {
    return kernels::cast<To>(x);
  }
};

/// The source dtype with the same bits in the result: truncation and float16's rounding aside, few share.
template <dtype from, dtype to>
constexpr LoopFn cast_loop() {
  if constexpr (from == to) {
    return &copy_bytes<itemsize(from)>;
  } else if constexpr (is_integer(from) && is_integer(to) && itemsize(to) <= itemsize(from)) {
    // Keeps the low bits: the signs do not matter.
    if constexpr (itemsize(to) == itemsize(from)) return &copy_bytes<itemsize(from)>;
    return &map<CastTo<Element<unsigned_of(to)>>, Element<unsigned_of(to)>, Element<unsigned_of(from)>>;
  } else if constexpr (is_integer(from) && is_integer(to)) {
    // Extends by the sign of the source.
    return &map<CastTo<Element<unsigned_of(to)>>, Element<unsigned_of(to)>, Element<from>>;
  } else {
    return &map<CastTo<Element<to>>, Element<to>, Element<from>>;
  }
}

template <int from = 0, int to = 0>
void add_casts(LoopTable& table) {
  table.cast[from][to] = cast_loop<static_cast<dtype>(from), static_cast<dtype>(to)>();
  if constexpr (to + 1 < kDTypeCount) {
    add_casts<from, to + 1>(table);
  } else if constexpr (from + 1 < kDTypeCount) {
    add_casts<from + 1, 0>(table);
  }
}

}  // namespace

void add_cast_loops(LoopTable& table) { add_casts(table); }

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
