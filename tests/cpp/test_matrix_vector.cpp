// Products of a matrix and a vector in registers of our own: the order in which an element is summed, whatever else the pass
// computes, and nothing written beside the results.
#include "backend/cpu/matrix_vector.h"

#include <cmath>

#include "backend/cpu/blas.h"
#include "backend/cpu/fused_matmul.h"
#include "backend/cpu/matmul.h"
#include "backend/cpu/simd/matrix_pass.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

template <class R>
std::vector<R> draw(Rng& rng, std::int64_t n) {
  std::vector<R> numbers(static_cast<std::size_t>(n));
  std::normal_distribution<double> normal;
  for (R& x : numbers) x = static_cast<R>(normal(rng));
  return numbers;
}

/// Registers in turns into two sums, whose lanes are added up by halves.
template <class R>
R dot_of(const R* row, const R* x, std::int64_t n) {
  constexpr std::int64_t kWidth = 64 / sizeof(R);
  R sums[2 * kWidth] = {};
  for (std::int64_t i = 0; i < n; ++i)
    sums[i % (2 * kWidth)] = std::fma(row[i], x[i], sums[i % (2 * kWidth)]);
  for (std::int64_t half = kWidth; half > 0; half /= 2) {
    for (std::int64_t i = 0; i < half; ++i) sums[i] = sums[i] + sums[i + half];
  }
  return sums[0];
}

template <class R>
unsigned char* bytes(std::vector<R>& numbers) {
  return reinterpret_cast<unsigned char*>(numbers.data());
}

template <class R>
void check_pass(dtype type, std::int64_t rows, std::int64_t columns) {
  Rng rng(static_cast<std::uint64_t>(rows * 1000 + columns));
  const std::int64_t width = columns + 3, size = sizeof(R);
  std::vector<R> matrix = draw<R>(rng, rows * width), x = draw<R>(rng, columns), y = draw<R>(rng, rows);
  std::vector<R> dots(static_cast<std::size_t>(rows + 1), R(7)),
      sums(static_cast<std::size_t>(columns + 1), R(7));
  std::vector<R> want_dots = dots, want_sums = sums;
  for (std::int64_t i = 0; i < rows; ++i)
    want_dots[static_cast<std::size_t>(i)] = dot_of(matrix.data() + i * width, x.data(), columns);
  for (std::int64_t j = 0; j < columns; ++j) {
    R sum = 0;
    for (std::int64_t i = 0; i < rows; ++i)
      sum = std::fma(y[static_cast<std::size_t>(i)], matrix[static_cast<std::size_t>(i * width + j)], sum);
    want_sums[static_cast<std::size_t>(j)] = sum;
  }
  MatrixPass both{rows,        columns, bytes(matrix), width * size, bytes(x),
                  bytes(dots), size,    bytes(y),      bytes(sums),  false};
  CUPRUM_CALL_LEVEL(matrix_pass(type, both));
  EXPECT_EQ(dots, want_dots) << rows << " x " << columns;
  EXPECT_EQ(sums, want_sums) << rows << " x " << columns;
  std::fill(dots.begin(), dots.end(), R(7));
  std::fill(sums.begin(), sums.end(), R(7));
  MatrixPass right = both, left = both;
  right.left = nullptr;
  left.right = nullptr;
  CUPRUM_CALL_LEVEL(matrix_pass(type, right));
  CUPRUM_CALL_LEVEL(matrix_pass(type, left));
  EXPECT_EQ(dots, want_dots) << rows << " x " << columns << ", from the right alone";
  EXPECT_EQ(sums, want_sums) << rows << " x " << columns << ", from the left alone";
}

TEST(MatrixPass, SumsInItsOrder) {
  if (!cpu::has_fused_matmul(dtype::float64)) GTEST_SKIP() << "no registers of 64 bytes";
  for (std::int64_t rows : {1, 2, 3, 7, 8, 9, 29}) {
    for (std::int64_t columns : {1, 7, 8, 9, 16, 17, 31, 32, 33, 95, 200}) {
      check_pass<double>(dtype::float64, rows, columns);
      check_pass<float>(dtype::float32, rows, columns);
    }
  }
}

/// A vector as a matrix of one row, with a gap between its numbers.
Owned vector_of(Rng& rng, dtype type, std::int64_t n) {
  Owned view = random_layout(rng, type, {n, 2}, true);
  fill(view,
       [&] { return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type); });
  view.shape = {1, n};
  view.strides = {0, view.strides[0]};
  return view;
}

View transposed(View view) {
  std::swap(view.shape[0], view.shape[1]);
  std::swap(view.strides[0], view.strides[1]);
  return view;
}

/// Both layouts of the matrix, and as many threads as there may be, give the same bits; these agree with the reference's.
TEST(MatrixVector, EveryLayoutAndNumberOfThreads) {
  Rng rng(3);
  for (dtype type : {dtype::float32, dtype::float64}) {
    for (const Dims& size : {Dims{3, 40}, Dims{400, 300}, Dims{20, 9000}, Dims{9000, 20}}) {
      Owned matrix = random_layout(rng, type, size, true);
      fill(matrix, [&] {
        return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
      });
      const Owned x = vector_of(rng, type, size[1]), y = vector_of(rng, type, size[0]);
      std::vector<std::vector<std::byte>> right, left;
      const auto add = [&](std::vector<std::vector<std::byte>>& results, const View& a, const View& b) {
        Owned out = empty_like(rng, type, {a.shape[0], b.shape[1]}), expected = copy_of(out);
        cpu::matmul(a, b, out);
        reference::matmul(a, b, expected);
        std::vector<std::byte> dense;
        reference::each(out.shape, [&](const Dims& at) {
          const std::byte* const p = reference::address(out, at);
          dense.insert(dense.end(), p, p + itemsize(type));
          const auto value = [&](const View& v) {
            return reference::cast(reference::load(type, reference::address(v, at)), dtype::float64)
                .as<double>();
          };
          ASSERT_NEAR(value(out), value(expected), type == dtype::float32 ? 1e-3 : 1e-11);
        });
        results.push_back(dense);
      };
      with_threads([&](int) {
        add(right, matrix, transposed(x));
        add(right, x, transposed(matrix));
        add(left, y, matrix);
        add(left, transposed(matrix), transposed(y));
      });
      for (const auto& result : right) EXPECT_TRUE(result == right[0]);
      for (const auto& result : left) EXPECT_TRUE(result == left[0]);
    }
  }
}

cpu::Matrix matrix_of(const View& view) { return cpu::last_matrix(view, view.data); }

/// Two products of one matrix in one pass have the bits that they have alone: independent ones, and of which one reads the other.
TEST(MatrixVector, TwoInOnePass) {
  if (!cpu::has_fused_matmul(dtype::float64)) GTEST_SKIP() << "no registers of 64 bytes";
  Rng rng(4);
  for (dtype type : {dtype::float32, dtype::float64}) {
    for (const Dims& size : {Dims{9000, 20}, Dims{6001, 77}}) {
      Owned matrix = random_layout(rng, type, size, true);
      fill(matrix, [&] {
        return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
      });
      const Owned x = vector_of(rng, type, size[1]), y = vector_of(rng, type, size[0]);
      const auto result = [&](std::int64_t rows, std::int64_t cols) {
        Owned out = random_layout(rng, type, {rows, cols}, true);
        out.data = out.memory.data();
        return out;
      };
      const auto product = [&](const View& a, const View& b, const Owned& out) {
        return *cpu::as_matrix_vector(type, matrix_of(a), matrix_of(b), matrix_of(out));
      };
      const Owned dots = result(size[0], 1), sums = result(1, size[1]), chained = result(1, size[1]);
      cpu::matrix_vector(product(matrix, transposed(x), dots));
      cpu::matrix_vector(product(y, matrix, sums));
      cpu::matrix_vector(product(transposed(dots), matrix, chained));
      with_threads([&](int) {
        for (bool swapped : {false, true}) {
          const Owned right = result(size[0], 1), left = result(1, size[1]);
          const cpu::MatrixVector one = product(matrix, transposed(x), right),
                                  other = product(y, matrix, left);
          if (size[0] >= 64 * cpu::processor_count()) {
            EXPECT_TRUE(swapped ? cpu::matrix_vectors(other, one) : cpu::matrix_vectors(one, other));
            EXPECT_TRUE(right.memory == dots.memory);
            EXPECT_TRUE(left.memory == sums.memory);
            EXPECT_TRUE(cpu::matrix_vectors(one, product(transposed(right), matrix, left)));
            EXPECT_TRUE(left.memory == chained.memory);
          }
        }
      });
    }
  }
}

}  // namespace
}  // namespace cuprum
