#include "backend/cpu/simd/fold_at.h"

#include "backend/cpu/simd/elements.h"
#include "kernels/arithmetic.h"
#include "kernels/complex.h"
#include "kernels/minmax.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

// How many elements ahead a place is fetched: as far as memory is away. (1e6 additions to random places of 40 MB: 7.1 ms with 16, 5.0 with
// 32, 3.3 with 64, 2.2 with 128, 1.9 with 192 and with 256; benchmarks/results/cpu-commits-2026-11-19.md.)
constexpr int64_t kAhead = 192;

// The places are a copy: those that the caller has could be what is written, and would be read again for each element.
template <class T, class Meaning, bool kFetch, int64_t kTurns>
CUPRUM_FN void fold_run(int64_t n, void* to, const Places places, const void* from, int64_t step) {
  const auto element = [&](int64_t i) {
    const int64_t at = places.index[i];
    return static_cast<unsigned char*>(to) + (at + ((at >> 63) & places.extent)) * places.stride;
  };
  const auto fold = [&](int64_t i, int64_t copy) {
    if constexpr (kFetch) __builtin_prefetch(element(i + kAhead < n ? i + kAhead : i), 1);
    Stored<T> a, b;
    unsigned char* here = element(i) + copy * places.apart;
    __builtin_memcpy(&a, here, sizeof(a));
    __builtin_memcpy(&b, static_cast<const unsigned char*>(from) + i * step, sizeof(b));
    store<T>(&a, 0, Meaning()(load<T>(&a, 0), load<T>(&b, 0)));
    __builtin_memcpy(here, &a, sizeof(a));
  };
  int64_t i = 0;
  for (; i + kTurns <= n; i += kTurns) {
    for (int64_t turn = 0; turn < kTurns; ++turn) fold(i + turn, turn);
  }
  for (; i < n; ++i) fold(i, 0);
}

template <class T, class Meaning>
void fold_at(int64_t n, void* to, const Places& places, const void* from, int64_t step) {
  if constexpr (kernels::integer<T>) {
    if (places.apart != 0) return fold_run<T, Meaning, false, kCopies>(n, to, places, from, step);
  }
  places.ahead ? fold_run<T, Meaning, true, 1>(n, to, places, from, step)
               : fold_run<T, Meaning, false, 1>(n, to, places, from, step);
}

/// The loops of one meaning; the booleans of subtract are missing, as in NumPy.
template <class Meaning, bool kHasBool>
FoldAtFn loop_of(dtype key) {
  switch (key) {
    case dtype::bool_:
      if constexpr (kHasBool) return fold_at<bool, Meaning>;
      return nullptr;
    case dtype::int8: return fold_at<Element<dtype::int8>, Meaning>;
    case dtype::int16: return fold_at<Element<dtype::int16>, Meaning>;
    case dtype::int32: return fold_at<Element<dtype::int32>, Meaning>;
    case dtype::int64: return fold_at<Element<dtype::int64>, Meaning>;
    case dtype::uint8: return fold_at<Element<dtype::uint8>, Meaning>;
    case dtype::uint16: return fold_at<Element<dtype::uint16>, Meaning>;
    case dtype::uint32: return fold_at<Element<dtype::uint32>, Meaning>;
    case dtype::uint64: return fold_at<Element<dtype::uint64>, Meaning>;
    case dtype::float16: return fold_at<Element<dtype::float16>, Meaning>;
    case dtype::bfloat16: return fold_at<Element<dtype::bfloat16>, Meaning>;
    case dtype::float32: return fold_at<float, Meaning>;
    case dtype::float64: return fold_at<double, Meaning>;
    case dtype::complex64: return fold_at<Element<dtype::complex64>, Meaning>;
    case dtype::complex128: return fold_at<Element<dtype::complex128>, Meaning>;
  }
  return nullptr;
}

}  // namespace

FoldAtFn fold_at_loop(Op op, dtype key) {
  const auto add = [](auto a, auto b) { return kernels::add(a, b); };
  const auto subtract = [](auto a, auto b) { return kernels::subtract(a, b); };
  const auto multiply = [](auto a, auto b) { return kernels::multiply(a, b); };
  const auto maximum = [](auto a, auto b) { return kernels::maximum(a, b); };
  const auto minimum = [](auto a, auto b) { return kernels::minimum(a, b); };
  switch (op) {
    case Op::add: return loop_of<decltype(add), true>(key);
    case Op::subtract: return loop_of<decltype(subtract), false>(key);
    case Op::multiply: return loop_of<decltype(multiply), true>(key);
    case Op::maximum: return loop_of<decltype(maximum), true>(key);
    case Op::minimum: return loop_of<decltype(minimum), true>(key);
    default: return nullptr;
  }
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
