// The largest and smallest of a column, bit for bit and at every instruction-set level: any length, zeros of both
// signs, and a NaN at any place.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/reduce_loops.h"
#include "kernels/minmax.h"

namespace cuprum {
namespace {

std::vector<const ReduceTable*> runnable_tables() {
  std::vector<const ReduceTable*> tables;
#if defined(CUPRUM_SIMD_HAS_V2) && defined(CUPRUM_SIMD_HAS_V3) && defined(CUPRUM_SIMD_HAS_V4)
  tables.push_back(&v2::reduce_table());
  if (simd_level() >= SimdLevel::v3) tables.push_back(&v3::reduce_table());
  if (simd_level() >= SimdLevel::v4) tables.push_back(&v4::reduce_table());
#else
  tables.push_back(&reduce_loops());
#endif
  return tables;
}

template <class T>
T fold(ReduceOp op, T a, T b) {
  switch (op) {
    case ReduceOp::max: return kernels::maximum(a, b);
    case ReduceOp::min: return kernels::minimum(a, b);
    case ReduceOp::fmax: return kernels::fmax(a, b);
    default: return kernels::fmin(a, b);
  }
}

/// A column in the order of reduce_loops.h: rows of lanes one after the other, then the lanes in halves.
template <class T>
T fold_column(ReduceOp op, const std::vector<T>& x) {
  constexpr std::size_t kLanes = 256 / sizeof(T);
  std::vector<T> lane(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(std::min(x.size(), kLanes)));
  for (std::size_t i = kLanes; i < x.size(); ++i) lane[i % kLanes] = fold(op, lane[i % kLanes], x[i]);
  for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i + half < lane.size(); ++i) lane[i] = fold(op, lane[i], lane[i + half]);
    lane.resize(std::min(lane.size(), half));
  }
  return lane[0];
}

template <class T>
void expect_extremes(const ReduceTable& table, dtype type, const std::vector<T>& x) {
  for (const ReduceOp op : {ReduceOp::max, ReduceOp::min, ReduceOp::fmax, ReduceOp::fmin}) {
    T got = 0;
    const States states{reinterpret_cast<std::byte*>(&got), sizeof got, 0};
    const auto rows = static_cast<std::int64_t>(x.size());
    table.loops[static_cast<int>(op)][static_cast<int>(type)].narrow(
        {1, rows, 1, 64, x.data(), states, {}, 0});
    const T expected = fold_column(op, x);
    EXPECT_EQ(std::memcmp(&got, &expected, sizeof got), 0)
        << "operation " << static_cast<int>(op) << " of " << rows << " elements";
  }
}

template <class T>
bool is_better(ReduceOp op, T a, T b) {
  const bool largest = op == ReduceOp::argmax || op == ReduceOp::nanargmax;
  const bool skips = op == ReduceOp::nanargmax || op == ReduceOp::nanargmin;
  if (a != a || b != b) return skips ? b != b && a == a : a != a && b == b;
  return largest ? a > b : a < b;
}

/// Three pieces of one result: the first place of the best.
template <class T>
void expect_places(const ReduceTable& table, dtype type, const std::vector<T>& x) {
  const auto rows = static_cast<std::int64_t>(x.size() / 3);
  for (const ReduceOp op : {ReduceOp::argmax, ReduceOp::argmin, ReduceOp::nanargmax, ReduceOp::nanargmin}) {
    const ReduceLoops& loops = table.loops[static_cast<int>(op)][static_cast<int>(type)];
    std::int64_t planes[2][4] = {};
    const auto from = [&](std::int64_t first) {
      return States{reinterpret_cast<std::byte*>(planes), sizeof planes[0], first};
    };
    loops.narrow({3, rows, 1, 64, x.data(), from(0), {7, 1, nullptr}, rows});
    loops.merge(1, from(0), rows, from(1), rows);
    loops.merge(1, from(0), 2 * rows, from(2), rows);
    std::int64_t expected = 0;
    for (std::int64_t i = 1; i < 3 * rows; ++i) {
      if (is_better(op, x[static_cast<std::size_t>(i)], x[static_cast<std::size_t>(expected)])) expected = i;
    }
    EXPECT_EQ(planes[1][0], expected + 7) << "operation " << static_cast<int>(op) << " of 3 x " << rows;
  }
}

/// Three rows that come in another order than they stand in: the best of each column, of equals that of the first row.
template <class T>
void expect_columns(const ReduceTable& table, dtype type, const std::vector<T>& x) {
  const std::size_t cols = x.size() / 3;
  const unsigned char ranks[] = {1, 0, 2};
  for (const ReduceOp op : {ReduceOp::argmax, ReduceOp::argmin, ReduceOp::nanargmax, ReduceOp::nanargmin}) {
    const ReduceLoops& loops = table.loops[static_cast<int>(op)][static_cast<int>(type)];
    std::vector<std::int64_t> planes(2 * cols), found(2 * cols);
    const std::int64_t positions[] = {10, 20, 30}, plane = static_cast<std::int64_t>(8 * cols);
    const auto n = static_cast<std::int64_t>(cols);
    const States state{reinterpret_cast<std::byte*>(planes.data()), plane, 0};
    loops.wide({3, n, x.data(), n * static_cast<std::int64_t>(sizeof(T)), true, state, ranks});
    loops.end_wide(n, state, 3, positions, {reinterpret_cast<std::byte*>(found.data()), plane, 0});
    for (std::size_t c = 0; c < cols; ++c) {
      std::size_t best = 1;  // the row with rank 0
      for (const std::size_t row : {0, 2}) {
        if (is_better(op, x[row * cols + c], x[best * cols + c])) best = row;
      }
      EXPECT_EQ(found[cols + c], positions[ranks[best]])
          << "operation " << static_cast<int>(op) << ", column " << c << " of " << cols;
    }
  }
}

template <class T>
class ReduceExtremes : public ::testing::Test {
 protected:
  static constexpr dtype kType = sizeof(T) == 4 ? dtype::float32 : dtype::float64;
  static constexpr T kNan = std::numeric_limits<T>::quiet_NaN(), kInf = std::numeric_limits<T>::infinity();

  /// n elements, most of them equal to others.
  std::vector<T> values(std::size_t n) {
    std::vector<T> x(n);
    const T some[] = {0, T(-0.0), 1, -1, T(0.5), 3, -kInf, kInf};
    for (T& v : x) v = some[generator_() % (n % 3 == 0 ? 2 : n % 3 == 1 ? 6 : 8)];
    return x;
  }
  std::size_t below(std::size_t n) { return generator_() % n; }

  void expect_all(const std::vector<T>& x) {
    for (const ReduceTable* table : runnable_tables()) {
      expect_extremes(*table, kType, x);
      if (x.size() % 3 == 0) expect_places(*table, kType, x);
      if (x.size() % 3 == 0) expect_columns(*table, kType, x);
    }
  }

 private:
  std::mt19937 generator_{5};
};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ReduceExtremes, Floats);

TYPED_TEST(ReduceExtremes, Numbers) {
  for (std::size_t n = 1; n <= 600; ++n) this->expect_all(this->values(n));
}

TYPED_TEST(ReduceExtremes, OneNan) {
  for (const std::size_t n : {3, 31, 32, 33, 63, 64, 65, 90, 127, 128, 150, 192, 511, 512}) {
    for (std::size_t place = 0; place < n; ++place) {
      auto x = this->values(n);
      x[place] = this->kNan;
      this->expect_all(x);
    }
  }
}

TYPED_TEST(ReduceExtremes, ManyNans) {
  for (std::size_t n = 3; n <= 600; n += 3) {
    auto x = this->values(n);
    for (std::size_t i = 0; i < n / 2 + 1; ++i) x[this->below(n)] = this->kNan;
    this->expect_all(x);
    std::fill(x.begin(), x.end(), this->kNan);
    this->expect_all(x);
  }
}

}  // namespace
}  // namespace cuprum
