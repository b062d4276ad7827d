// Products in registers of our own: every element is one chain of fused multiply-adds in the order of k, however the operands
// lie, whichever way the shape takes and whatever the number of threads; nothing beside the result is written.
#include "backend/cpu/fused_matmul.h"

#include <cmath>

#include "backend/cpu/matmul.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

template <class R>
R& number(const View& view, std::int64_t i, std::int64_t j) {
  return *reinterpret_cast<R*>(reference::address(view, Dims{i, j}));
}

template <class R>
Owned random_matrix(Rng& rng, dtype type, std::int64_t rows, std::int64_t cols) {
  Owned view = random_layout(rng, type, {rows, cols});
  std::normal_distribution<double> normal;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) number<R>(view, i, j) = static_cast<R>(normal(rng));
  }
  return view;
}

/// `out` = a @ b, an element at a time.
template <class R>
void chain(const View& a, const View& b, const View& out) {
  for (std::int64_t i = 0; i < out.shape[0]; ++i) {
    for (std::int64_t j = 0; j < out.shape[1]; ++j) {
      R sum = 0;
      for (std::int64_t l = 0; l < a.shape[1]; ++l)
        sum = std::fma(number<R>(a, i, l), number<R>(b, l, j), sum);
      number<R>(out, i, j) = sum;
    }
  }
}

template <class R>
void expect_chain(Rng& rng, dtype type, const View& a, const View& b) {
  const Owned empty = empty_like(rng, type, {a.shape[0], b.shape[1]}), expected = copy_of(empty);
  chain<R>(a, b, expected);
  with_threads([&](int threads) {
    const Owned out = copy_of(empty);
    cpu::matmul(a, b, out);
    EXPECT_TRUE(out.memory == expected.memory) << name(type) << " " << a.shape[0] << " x " << a.shape[1]
                                               << " x " << b.shape[1] << ", " << threads << " threads";
  });
}

template <class R>
void check(dtype type) {
  if (!cpu::has_fused_matmul(type)) GTEST_SKIP() << "no registers of 64 bytes";
  Rng rng(1);
  for (const Dims& size :
       {Dims{17, 3, 40}, Dims{2, 200, 17}, Dims{33, 64, 49}, Dims{61, 61, 61},              // direct
        Dims{2, 300, 3000}, Dims{16, 131, 901}, Dims{63, 200, 97},                          // few rows
        Dims{65, 400, 100}, Dims{203, 391, 211}, Dims{500, 20, 77}, Dims{70, 30, 2100}}) {  // packed
    for (int round = 0; round < 4; ++round) {
      const Owned a = random_matrix<R>(rng, type, size[0], size[1]),
                  b = random_matrix<R>(rng, type, size[1], size[2]);
      expect_chain<R>(rng, type, a, b);
    }
  }
  for (std::int64_t n : {20, 67, 401}) {
    const Owned a = random_matrix<R>(rng, type, n, 50);
    View transposed = a;
    std::swap(transposed.shape[0], transposed.shape[1]);
    std::swap(transposed.strides[0], transposed.strides[1]);
    expect_chain<R>(rng, type, a, transposed);
  }
}

TEST(FusedMatmul, IsOneChainInFloat32) { check<float>(dtype::float32); }
TEST(FusedMatmul, IsOneChainInFloat64) { check<double>(dtype::float64); }

/// Rows of a stack over one right operand are those of one matrix.
TEST(FusedMatmul, StackOverOneMatrix) {
  if (!cpu::has_fused_matmul(dtype::float64)) GTEST_SKIP() << "no registers of 64 bytes";
  Rng rng(2);
  for (const Dims& shape : {Dims{5, 40, 30}, Dims{90, 1, 30}}) {
    for (bool contiguous : {true, false}) {
      Owned a = random_layout(rng, dtype::float64, shape, contiguous),
            out = random_layout(rng, dtype::float64, {shape[0], shape[1], 50}, contiguous);
      fill(a, [&] { return Scalar::of(dtype::float64, std::normal_distribution<>()(rng)); });
      const Owned b = random_matrix<double>(rng, dtype::float64, shape[2], 50);
      View every = b;
      every.shape.insert(0, shape[0]);
      every.strides.insert(0, 0);
      cpu::matmul(a, every, out);
      for (std::int64_t s = 0; s < shape[0]; ++s) {
        for (std::int64_t i = 0; i < shape[1]; ++i) {
          for (std::int64_t j = 0; j < 50; ++j) {
            double sum = 0;
            for (std::int64_t l = 0; l < shape[2]; ++l)
              sum = std::fma(*reinterpret_cast<double*>(reference::address(a, Dims{s, i, l})),
                             number<double>(b, l, j), sum);
            ASSERT_NEAR(*reinterpret_cast<double*>(reference::address(out, Dims{s, i, j})), sum, 1e-13);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cuprum
