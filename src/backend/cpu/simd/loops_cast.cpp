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

/// From a byte that stands for a bool. The comparison "byte != 0" would make a mask that has to be widened to the
/// lanes of the target (0.45 ns per float32); the byte made 0 or 1 by arithmetic is converted as an integer (0.1 ns).
template <class To>
struct CastFromBool {
  CUPRUM_FN To operator()(kernels::uint8 x) const {
    const kernels::uint8 sign = static_cast<kernels::uint8>(x | (0u - x));
    return kernels::cast<To>(static_cast<kernels::uint8>(sign >> 7));
  }
};

// float16 goes through a block of float32, which the machine converts in single instructions (F16C).
template <class To>
void cast_from_float16(int64 n, void* dst, const void* a, const void*, const void*) {
  alignas(64) float wide[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    widen_all(m, wide, static_cast<const kernels::float16*>(a) + done);
    map<CastTo<To>, To, float>(m, static_cast<Stored<To>*>(dst) + done, wide, nullptr, nullptr);
  }
}

/// A float32 that rounds to float16 as x does: integers that float32 cannot hold are infinite in float16.
struct CastTowardsFloat16 {
  template <class From>
  CUPRUM_FN float operator()(From x) const {
    if constexpr (kernels::complex_number<From>) {
      return (*this)(x.re);
    } else if constexpr (kernels::same<From, double>) {
      return kernels::round_to_odd(x);
    } else {
      return kernels::cast<float>(x);
    }
  }
};

template <class From>
void cast_to_float16(int64 n, void* dst, const void* a, const void*, const void*) {
  alignas(64) float wide[kChunk];
  for (int64 done = 0; done < n; done += kChunk) {
    const int64 m = n - done < kChunk ? n - done : kChunk;
    map<CastTowardsFloat16, float, From>(m, wide, static_cast<const Stored<From>*>(a) + done, nullptr,
                                         nullptr);
    narrow_all(m, static_cast<kernels::float16*>(dst) + done, wide);
  }
}

template <dtype from, dtype to>
constexpr LoopFn cast_loop() {
  if constexpr (from == to) {
    return &copy_bytes<itemsize(from)>;
  } else if constexpr (is_integer(from) && is_integer(to) && itemsize(to) <= itemsize(from)) {
    // Keeps the low bits: the signs do not matter.
    if constexpr (itemsize(to) == itemsize(from)) return &copy_bytes<itemsize(from)>;
    return &map<CastTo<Element<unsigned_of_size(itemsize(to))>>, Element<unsigned_of_size(itemsize(to))>,
                Element<unsigned_of_size(itemsize(from))>>;
  } else if constexpr (is_integer(from) && is_integer(to)) {
    // Extends by the sign of the source.
    return &map<CastTo<Element<unsigned_of_size(itemsize(to))>>, Element<unsigned_of_size(itemsize(to))>,
                Element<from>>;
  } else if constexpr (from == dtype::bool_ && to != dtype::float16) {
    return &map<CastFromBool<Element<to>>, Element<to>, kernels::uint8>;
  } else if constexpr (from == dtype::float16) {
    return &cast_from_float16<Element<to>>;
  } else if constexpr (to == dtype::float16) {
    return &cast_to_float16<Element<from>>;
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
