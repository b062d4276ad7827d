// Cumulative folds of every dtype, made from the scalar meanings.
#include "backend/cpu/simd/scan.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/folds.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

using kernels::Max;
using kernels::Min;
using kernels::Prod;
using kernels::Sum;

template <class F, class T>
constexpr ScanKind kind_of() {
  constexpr bool orders = kernels::same<F, Min> || kernels::same<F, Max>;
  if (orders || kernels::boolean<T> || kernels::integer<T>) return ScanKind::exact;
  // A product leaves the range of its dtype within a few elements, and float16 rounds at every step: both are
  // folded one by one, as NumPy does.
  return kernels::same<F, Sum> && !kernels::small_float<T> ? ScanKind::chunked : ScanKind::sequential;
}

template <class T>
T read(const unsigned char* p) {
  Stored<T> value;
  __builtin_memcpy(&value, p, sizeof(value));
  return load<T>(&value, 0);
}

template <class T>
void write(unsigned char* p, T value) {
  Stored<T> stored;
  store<T>(&stored, 0, value);
  __builtin_memcpy(p, &stored, sizeof(stored));
}

template <class T>
bool is_finite(T x) {
  if constexpr (kernels::complex_number<T>) {
    return is_finite(x.re) && is_finite(x.im);
  } else {
    return x - x == 0;
  }
}

template <class F, class T, int kLanes>
void total_lanes(const ScanLane* lane, int64_t n, int64_t in_step, T* totals) {
  T acc[kLanes];
  for (int k = 0; k < kLanes; ++k) acc[k] = read<T>(lane[k].in);
  for (int64_t i = 1; i < n; ++i) {
    for (int k = 0; k < kLanes; ++k) acc[k] = F::fold(acc[k], read<T>(lane[k].in + i * in_step));
  }
  for (int k = 0; k < kLanes; ++k) totals[k] = acc[k];
}

template <class F, class T, int kLanes>
void carry_lanes(const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step, T* state, bool fresh) {
  T acc[kLanes];
  for (int k = 0; k < kLanes; ++k) {
    const T first = read<T>(lane[k].in);
    acc[k] = fresh ? first : F::fold(state[k], first);
    write(lane[k].out, acc[k]);
  }
  for (int64_t i = 1; i < n; ++i) {
    for (int k = 0; k < kLanes; ++k) {
      acc[k] = F::fold(acc[k], read<T>(lane[k].in + i * in_step));
      write(lane[k].out + i * out_step, acc[k]);
    }
  }
  for (int k = 0; k < kLanes; ++k) state[k] = acc[k];
}

template <class F, class T, int kLanes>
void offset_lanes(const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step, const T* start) {
  T acc[kLanes], before[kLanes];
  for (int k = 0; k < kLanes; ++k) {
    before[k] = start[k];
    acc[k] = read<T>(lane[k].in);
    write(lane[k].out, F::fold(before[k], acc[k]));
  }
  for (int64_t i = 1; i < n; ++i) {
    for (int k = 0; k < kLanes; ++k) {
      acc[k] = F::fold(acc[k], read<T>(lane[k].in + i * in_step));
      write(lane[k].out + i * out_step, F::fold(before[k], acc[k]));
    }
  }
}

// The loops above with the usual steps known to the compiler, for all lanes or one.
template <class F, class T>
void total(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, void* totals) {
  T* to = static_cast<T*>(totals);
  if (lanes == kScanLanes) {
    if (in_step == sizeof(T)) return total_lanes<F, T, kScanLanes>(lane, n, sizeof(T), to);
    return total_lanes<F, T, kScanLanes>(lane, n, in_step, to);
  }
  for (int k = 0; k < lanes; ++k) total_lanes<F, T, 1>(lane + k, n, in_step, to + k);
}

template <class F, class T>
void carry(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step, void* state,
           bool fresh) {
  T* acc = static_cast<T*>(state);
  if (lanes == kScanLanes) {
    if (in_step == sizeof(T) && out_step == sizeof(T)) {
      return carry_lanes<F, T, kScanLanes>(lane, n, sizeof(T), sizeof(T), acc, fresh);
    }
    return carry_lanes<F, T, kScanLanes>(lane, n, in_step, out_step, acc, fresh);
  }
  for (int k = 0; k < lanes; ++k) carry_lanes<F, T, 1>(lane + k, n, in_step, out_step, acc + k, fresh);
}

template <class F, class T>
void offset(int lanes, const ScanLane* lane, int64_t n, int64_t in_step, int64_t out_step,
            const void* start) {
  const T* before = static_cast<const T*>(start);
  if (lanes == kScanLanes) {
    if (in_step == sizeof(T) && out_step == sizeof(T)) {
      return offset_lanes<F, T, kScanLanes>(lane, n, sizeof(T), sizeof(T), before);
    }
    return offset_lanes<F, T, kScanLanes>(lane, n, in_step, out_step, before);
  }
  for (int k = 0; k < lanes; ++k) offset_lanes<F, T, 1>(lane + k, n, in_step, out_step, before + k);
}

template <class T>
bool overflowed(const void* start, const void* total) {
  const T before = *static_cast<const T*>(start);
  return !is_finite(*static_cast<const T*>(total)) && !kernels::holds_nan(before);
}

/// Folds row after row of the columns into `state`; each row of results is the state.
template <class F, class T>
bool carry_columns(const unsigned char* in, unsigned char* out, int64_t n, int64_t in_step, int64_t out_step,
                   int64_t width, void* state, bool fresh) {
  T* acc = static_cast<T*>(state);
  for (int64_t i = 0; i < n; ++i, in += in_step, out += out_step) {
    if (i == 0 && fresh) {
      for (int64_t c = 0; c < width; ++c) acc[c] = load<T>(in, c);
    } else {
      CUPRUM_VECTORIZE
      for (int64_t c = 0; c < width; ++c) acc[c] = F::fold(acc[c], load<T>(in, c));
    }
    CUPRUM_VECTORIZE
    for (int64_t c = 0; c < width; ++c) store<T>(out, c, acc[c]);
  }
  return false;
}

template <class F, class T>
bool chunked_columns(const unsigned char* in, unsigned char* out, int64_t n, int64_t in_step,
                     int64_t out_step, int64_t width, void* state, bool fresh) {
  if (fresh) return carry_columns<F, T>(in, out, n, in_step, out_step, width, state, fresh);
  T* start = static_cast<T*>(state);
  T acc[kScanWidth];
  for (int64_t i = 0; i < n; ++i, in += in_step, out += out_step) {
    if (i == 0) {
      for (int64_t c = 0; c < width; ++c) acc[c] = load<T>(in, c);
    } else {
      CUPRUM_VECTORIZE
      for (int64_t c = 0; c < width; ++c) acc[c] = F::fold(acc[c], load<T>(in, c));
    }
    CUPRUM_VECTORIZE
    for (int64_t c = 0; c < width; ++c) store<T>(out, c, F::fold(start[c], acc[c]));
  }
  for (int64_t c = 0; c < width; ++c) {
    if (overflowed<T>(start + c, acc + c)) return true;
  }
  for (int64_t c = 0; c < width; ++c) start[c] = F::fold(start[c], acc[c]);
  return false;
}

template <class F, class T>
constexpr ScanLoops make() {
  constexpr ScanKind kind = kind_of<F, T>();
  if constexpr (kind == ScanKind::chunked) {
    return {kind, total<F, T>, carry<F, T>, offset<F, T>, overflowed<T>, chunked_columns<F, T>};
  } else if constexpr (kind == ScanKind::exact) {
    return {kind, total<F, T>, carry<F, T>, nullptr, nullptr, carry_columns<F, T>};
  } else {
    return {kind, nullptr, carry<F, T>, nullptr, nullptr, carry_columns<F, T>};
  }
}

template <class F>
struct Table {
  static constexpr ScanLoops loops[kDTypeCount] = {
      make<F, Element<dtype::bool_>>(),      make<F, Element<dtype::int8>>(),
      make<F, Element<dtype::int16>>(),      make<F, Element<dtype::int32>>(),
      make<F, Element<dtype::int64>>(),      make<F, Element<dtype::uint8>>(),
      make<F, Element<dtype::uint16>>(),     make<F, Element<dtype::uint32>>(),
      make<F, Element<dtype::uint64>>(),     make<F, Element<dtype::float16>>(),
      make<F, Element<dtype::bfloat16>>(),   make<F, Element<dtype::float32>>(),
      make<F, Element<dtype::float64>>(),    make<F, Element<dtype::complex64>>(),
      make<F, Element<dtype::complex128>>(),
  };
};

}  // namespace

const ScanLoops& scan_loops(int op, dtype type) {
  const int t = static_cast<int>(type);
  switch (op) {
    case 0: return Table<Sum>::loops[t];
    case 1: return Table<Prod>::loops[t];
    case 2: return Table<Min>::loops[t];
    default: return Table<Max>::loops[t];
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
