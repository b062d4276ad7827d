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

/// `count` elements of every lane; `spread`: the numbers differ from lane to lane.
template <class R>
std::vector<unsigned char> draw(dtype type, int count, bool spread, int n) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<unsigned char> bytes(static_cast<std::size_t>(count) * block_bytes(type));
  R* p = reinterpret_cast<R*>(bytes.data());
  for (int e = 0; e < count; ++e) {
    for (int part = 0; part < reals_of(type); ++part) {
      double value = normal(random);
      if (n > 0 && e % (n + 1) == 0)
        value = part == 0 ? value + 3 * n : 0;  // the diagonal of a positive matrix
      for (int l = 0; l < lanes_of(type); ++l)
        *p++ = static_cast<R>(spread ? value + 0.1 * l * normal(random) : value);
    }
  }
  return bytes;
}

/// Everything that the kernels write, for matrices of n x n.
std::vector<unsigned char> run_all(const Level& level, dtype type, int n, bool spread) {
  const auto drawn = [&](int count, int diagonal) {
    return type == dtype::float32 || type == dtype::complex64 ? draw<float>(type, count, spread, diagonal)
                                                              : draw<double>(type, count, spread, diagonal);
  };
  std::vector<unsigned char> all, failed(16), odd(16);
  const auto keep = [&](const std::vector<unsigned char>& x) { all.insert(all.end(), x.begin(), x.end()); };
  const auto room = [&](int count) {
    return std::vector<unsigned char>(static_cast<std::size_t>(count) * block_bytes(type));
  };
  auto rows = drawn(n * (n + 3), 0);
  level.eliminate(type, n, n + 3, rows.data(), failed.data(), odd.data());
  keep(rows);
  auto positive = drawn(n * n, n);
  level.cholesky(type, n, positive.data(), failed.data());
  keep(positive);
  auto a = drawn(n * n, 0), tau = room(n), q = room(n * n);
  level.qr(type, n, n, n, a.data(), tau.data(), q.data());
  for (const auto* x : {&a, &tau, &q}) keep(*x);
  auto h = drawn(n * n, n), w = room(n), v = room(n * n);
  level.eigh(type, n, h.data(), w.data(), v.data(), failed.data());
  for (const auto* x : {&w, &v}) keep(*x);
  auto b = drawn(n * n, 0), s = room(n), t = room(n * n);
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
    std::vector<double> a(4 * 8);
    for (int l = 0; l < 8; ++l) {  // ((1, 1), (1, 1 + l)): singular and not positive in the first lane alone
      for (int e = 0; e < 3; ++e) a[e * 8 + l] = 1;
      a[3 * 8 + l] = 1 + l;
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
