// The kernel of sliding products on the CUDA backend, run on the host, against its definition.
#include <cstdint>

#include "backend/reference/primitives.h"
#include "random_views.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/product/sliding_dot.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

/// What slide does.
template <class T>
void slide(const View& a, const View& v, std::int64_t left, const View& out) {
  const SlidingProduct<T> dot{reinterpret_cast<const T*>(a.data.address()),
                              a.shape[0],
                              reinterpret_cast<const T*>(v.data.address()),
                              v.shape[0],
                              left,
                              reinterpret_cast<T*>(out.data.address()),
                              out.shape[0]};
  const auto blocks = static_cast<unsigned>((dot.count + kSlidingResults - 1) / kSlidingResults);
  run_grid(blocks, 1, kSlidingThreads, [&] { sliding_tiles<T>(dot); });
}

/// Small whole numbers: their sums are exact in whatever order.
Owned whole_numbers(Rng& rng, dtype type, std::int64_t n) {
  Owned view = random_layout(rng, type, {n}, true);
  fill(view, [&] { return reference::cast(Scalar::of(dtype::int64, pick(rng, -2, 2)), type); });
  return view;
}

template <class T>
void check(dtype type) {
  Rng rng(1);
  for (auto [length, taps] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                              {9, 4},
                              {3000, 7},
                              {1100, 130},
                              {140, 139},
                              {2100, 2100}}) {
    const Owned a = whole_numbers(rng, type, length), v = whole_numbers(rng, type, taps);
    for (auto [left, right] : {std::pair<std::int64_t, std::int64_t>{0, 0},
                               {taps - 1, taps - 1},
                               {taps / 2, taps - taps / 2 - 1}}) {
      const Dims shape{length + left + right - taps + 1};
      const Owned expected = empty_like(rng, type, shape), out = random_layout(rng, type, shape, true);
      reference::sliding_dot(a, v, left, expected);
      slide<T>(a, v, left, out);
      expect_same(out, expected, std::string(name(type)) + " " + std::to_string(length), Same::value);
    }
  }
}

TEST(CudaSlidingDot, EveryOverlap) {
  check<float>(dtype::float32);
  check<double>(dtype::float64);
  check<bool>(dtype::bool_);
  check<kernels::uint8>(dtype::uint8);
  check<kernels::uint64>(dtype::int64);
  check<kernels::complex64>(dtype::complex64);
  check<kernels::complex128>(dtype::complex128);
}

TEST(CudaSlidingDot, InfinitiesMeetNoZerosBeyondTheEnds) {
  Rng rng(2);
  const Owned a = random_layout(rng, dtype::float32, {1500}, true),
              v = random_layout(rng, dtype::float32, {90}, true);
  fill(a, [] { return Scalar::of(dtype::float32, 1.0f); });
  fill(v, [] { return Scalar::of(dtype::float32, __builtin_inff()); });
  const Owned out = random_layout(rng, dtype::float32, {1589}, true);
  slide<float>(a, v, 89, out);
  const auto* sums = reinterpret_cast<const float*>(out.data.address());
  for (int i = 0; i < 1589; ++i) EXPECT_EQ(sums[i], __builtin_inff()) << i;
}

}  // namespace
}  // namespace cuprum
