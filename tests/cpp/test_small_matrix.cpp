// Groups of small matrices: every instruction set gives the same bits, and a lane does not depend on its neighbours.
#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <random>
#include <vector>

#include "backend/cpu/simd/small_matrix.h"
#include "backend/cpu/simd/small_orthogonal.h"

namespace cuprum {
namespace {

/// The kernels of one level.
struct Level {
  decltype(&CUPRUM_BASE_LEVEL::small_eliminate) eliminate;
  decltype(&CUPRUM_BASE_LEVEL::small_cholesky) cholesky;
  decltype(&CUPRUM_BASE_LEVEL::small_qr) qr;
  decltype(&CUPRUM_BASE_LEVEL::small_eigh) eigh;
  decltype(&CUPRUM_BASE_LEVEL::small_svd) svd;
};
#define CUPRUM_LEVEL(l) \
  Level { &l::small_eliminate, &l::small_cholesky, &l::small_qr, &l::small_eigh, &l::small_svd }

std::vector<Level> levels() {
  std::vector<Level> found = {CUPRUM_LEVEL(CUPRUM_BASE_LEVEL)};
#if defined(CUPRUM_SIMD_HAS_V3)
  if (simd_level() >= SimdLevel::v3) found.push_back(CUPRUM_LEVEL(v3));
#endif
#if defined(CUPRUM_SIMD_HAS_V4)
  if (simd_level() >= SimdLevel::v4) found.push_back(CUPRUM_LEVEL(v4));
#endif
  return found;
}

int reals_of(dtype type) { return is_complex(type) ? 2 : 1; }
std::size_t block_bytes(dtype type) { return static_cast<std::size_t>(reals_of(type)) * kGroupBytes; }
int lanes_of(dtype type) { return type == dtype::float32 || type == dtype::complex64 ? 16 : 8; }

/// A matrix of n x width for every lane; `spread`: the numbers differ from lane to lane; `positive`: a large diagonal.
template <class R>
std::vector<unsigned char> draw(dtype type, int n, int width, bool spread, bool positive) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  const int stride = group_stride(width);
  std::vector<unsigned char> bytes(static_cast<std::size_t>(n * stride) * block_bytes(type));
  R* p = reinterpret_cast<R*>(bytes.data());
  for (int e = 0; e < n * stride; ++e) {
    for (int part = 0; part < reals_of(type); ++part) {
      double value = normal(random);
      if (positive && e / stride == e % stride) value = part == 0 ? value + 3 * n : 0;
      for (int l = 0; l < lanes_of(type); ++l)
        *p++ = static_cast<R>(spread ? value + 0.1 * l * normal(random) : value);
    }
  }
  return bytes;
}

/// Everything that the kernels write, for matrices of n x n.
std::vector<unsigned char> run_all(const Level& level, dtype type, int n, bool spread) {
  const auto drawn = [&](int width, bool positive) {
    return type == dtype::float32 || type == dtype::complex64
               ? draw<float>(type, n, width, spread, positive)
               : draw<double>(type, n, width, spread, positive);
  };
  std::vector<unsigned char> all, failed(16), odd(16);
  const auto keep = [&](const std::vector<unsigned char>& x) { all.insert(all.end(), x.begin(), x.end()); };
  const auto room = [&](int count) {
    return std::vector<unsigned char>(static_cast<std::size_t>(count) * block_bytes(type));
  };
  auto rows = drawn(n + 3, false);
  level.eliminate(type, n, n + 3, rows.data(), failed.data(), odd.data());
  keep(rows);
  auto positive = drawn(n, true);
  level.cholesky(type, n, positive.data(), failed.data());
  keep(positive);
  auto a = drawn(n, false), tau = room(n), q = room(n * group_stride(n));
  level.qr(type, n, n, n, a.data(), tau.data(), q.data());
  for (const auto* x : {&a, &tau, &q}) keep(*x);
  auto h = drawn(n, true), w = room(n), v = room(n * group_stride(n));
  level.eigh(type, n, h.data(), w.data(), v.data(), failed.data());
  for (const auto* x : {&w, &v}) keep(*x);
  auto b = drawn(n, false), s = room(n), t = room(n * group_stride(n));
  level.svd(type, n, n, b.data(), s.data(), t.data(), failed.data());
  for (const auto* x : {&b, &s, &t}) keep(*x);
  keep(failed);
  keep(odd);
  return all;
}

class SmallMatrix : public testing::TestWithParam<dtype> {};

TEST_P(SmallMatrix, levels_agree) {
  const std::vector<Level> all = levels();
  for (const int n : {1, 2, 3, 5, 8, 13, 32}) {
    const std::vector<unsigned char> want = run_all(all[0], GetParam(), n, true);
    for (const Level& level : all) EXPECT_EQ(run_all(level, GetParam(), n, true), want) << n;
  }
}

TEST_P(SmallMatrix, equal_lanes_have_equal_results) {
  const dtype type = GetParam();
  const std::size_t size = type == dtype::float32 || type == dtype::complex64 ? 4 : 8;
  for (const Level& level : levels()) {
    const std::vector<unsigned char> made = run_all(level, type, 6, false);
    for (std::size_t block = 0; block + kGroupBytes + 32 <= made.size(); block += kGroupBytes) {
      for (std::size_t l = 1; l < kGroupBytes / size; ++l) {
        ASSERT_EQ(std::memcmp(&made[block], &made[block + l * size], size), 0) << block;
      }
    }
  }
}

TEST(SmallMatrixErrors, zero_pivots_and_negative_minors_are_told_by_lane) {
  for (const Level& level : levels()) {
    constexpr int kStride = group_stride(2);
    std::vector<double> a(2 * kStride * 8);
    for (int l = 0; l < 8; ++l) {  // ((1, 1), (1, 1 + l)): singular and not positive in the first lane alone
      for (const int e : {0, 1, kStride}) a[e * 8 + l] = 1;
      a[(kStride + 1) * 8 + l] = 1 + l;
    }
    std::vector<double> b = a;
    unsigned char failed[16] = {}, odd[16] = {};
    level.eliminate(dtype::float64, 2, 2, a.data(), failed, odd);
    for (int l = 0; l < 8; ++l) EXPECT_EQ(failed[l] != 0, l == 0);
    std::memset(failed, 0, sizeof failed);
    level.cholesky(dtype::float64, 2, b.data(), failed);
    for (int l = 0; l < 8; ++l) EXPECT_EQ(failed[l] != 0, l == 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, SmallMatrix,
                         testing::Values(dtype::float32, dtype::float64, dtype::complex64,
                                         dtype::complex128));

}  // namespace
}  // namespace cuprum
