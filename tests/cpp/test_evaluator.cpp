// The block evaluator against plain loops: layouts, block boundaries, aliasing, threads.
#include "backend/cpu/evaluator.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <numeric>
#include <vector>

#include "backend/cpu/threads.h"
#include "runtime/backend.h"

namespace cuprum {
namespace {

template <class T>
std::byte* bytes(std::vector<T>& v) {
  return reinterpret_cast<std::byte*>(v.data());
}

std::vector<float> ramp(std::size_t n, float scale = 1) {
  std::vector<float> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = scale * static_cast<float>(static_cast<int>(i % 1009) - 300);
  return v;
}

Instr binary(Op op, std::uint16_t a, std::uint16_t b, dtype key = dtype::float32,
             dtype out = dtype::float32) {
  return {op, key, out, 2, {a, b, 0}};
}

TEST(Evaluator, FlatExpressionOfEveryLength) {
  for (std::int64_t n : {0, 1, 3, 16, 63, 1023, 1024, 1025, 5000, 70001, 300007}) {
    std::vector<float> a = ramp(n), b = ramp(n, 0.5f), out(n + 1, -7);
    Kernel k;  // 2 * a + b * a
    k.shape = {n};
    k.leaves = {{bytes(a), dtype::float32, {4}}, {bytes(b), dtype::float32, {4}}};
    k.scalars = {Scalar::of(dtype::float32, 2.0f)};
    k.code = {binary(Op::multiply, 2, 0), binary(Op::multiply, 1, 0), binary(Op::add, 3, 4)};
    k.stores = {{bytes(out), dtype::float32, {4}, 5}};
    cpu_backend().run(cpu_backend().first_stream(), k);
    for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(out[i], 2 * a[i] + b[i] * a[i]) << i;
    EXPECT_EQ(out[n], -7);
  }
}

TEST(Evaluator, ZeroDimensional) {
  float a = 3, b = 4, out = 0;
  Kernel k;
  k.leaves = {{reinterpret_cast<std::byte*>(&a), dtype::float32, {}},
              {reinterpret_cast<std::byte*>(&b), dtype::float32, {}}};
  k.code = {binary(Op::subtract, 0, 1)};
  k.stores = {{reinterpret_cast<std::byte*>(&out), dtype::float32, {}, 2}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  EXPECT_EQ(out, -1);
}

// Three dimensions with broadcast, negative, transposed and sliced operands, long and short rows.
TEST(Evaluator, StridedOperands) {
  const std::int64_t cases[][3] = {{2, 3, 5},     {7, 40, 3},   {3, 5, 700},
                                   {50, 1, 2000}, {1, 300, 33}, {20, 20, 20}};
  for (const auto& c : cases) {
    const std::int64_t l = c[0], m = c[1], n = c[2], total = l * m * n;
    std::vector<float> full = ramp(2 * total + 8), row = ramp(n, 3), col = ramp(m, 7), out(total);
    Kernel k;  // ((full - row) * col + reversed) - transposed
    k.shape = {l, m, n};
    const Dims c_order = {m * n * 4, n * 4, 4};
    k.leaves = {
        {bytes(full), dtype::float32, {m * n * 8, n * 8, 8}},                       // every second
        {bytes(row), dtype::float32, {0, 0, 4}},                                    // a row
        {bytes(col), dtype::float32, {0, 4, 0}},                                    // a column
        {bytes(full) + (total - 1) * 4, dtype::float32, {-m * n * 4, -n * 4, -4}},  // reversed
        {bytes(full), dtype::float32, {4, l * 4, l * m * 4}},                       // Fortran order
    };
    k.code = {binary(Op::subtract, 0, 1), binary(Op::multiply, 5, 2), binary(Op::add, 6, 3),
              binary(Op::subtract, 7, 4)};
    k.stores = {{bytes(out), dtype::float32, c_order, 8}};
    const auto expected = [&](std::int64_t i, std::int64_t j, std::int64_t p) {
      const std::int64_t flat = (i * m + j) * n + p;
      return ((full[2 * flat] - row[p]) * col[j] + full[total - 1 - flat]) - full[i + l * (j + m * p)];
    };
    for (int transposed = 0; transposed < 2; ++transposed) {
      if (!transposed) k.leaves[4].strides = c_order;
      if (transposed) k.leaves[4].strides = {4, l * 4, l * m * 4};
      std::fill(out.begin(), out.end(), 0);
      cpu_backend().run(cpu_backend().first_stream(), k);
      for (std::int64_t i = 0; i < l; ++i) {
        for (std::int64_t j = 0; j < m; ++j) {
          for (std::int64_t p = 0; p < n; ++p) {
            const std::int64_t flat = (i * m + j) * n + p;
            float e = expected(i, j, p);
            if (!transposed) e = ((full[2 * flat] - row[p]) * col[j] + full[total - 1 - flat]) - full[flat];
            ASSERT_EQ(out[flat], e) << i << ' ' << j << ' ' << p << " of " << l << ' ' << m << ' ' << n;
          }
        }
      }
    }
  }
}

template <class T>
void check_transposed_copy(dtype type, std::int64_t rows, std::int64_t cols) {
  const std::int64_t size = sizeof(T);
  std::vector<T> from(rows * cols), to(rows * cols + 1);
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t b = 0; b < sizeof(T); ++b) {
      reinterpret_cast<unsigned char*>(&from[i])[b] = static_cast<unsigned char>((i * 31 + b * 7) % 251);
    }
  }
  Kernel k;
  k.shape = {rows, cols};
  k.leaves = {{bytes(from), type, {size, rows * size}}};
  k.stores = {{bytes(to), type, {cols * size, size}, 0}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      ASSERT_EQ(std::memcmp(&to[i * cols + j], &from[j * rows + i], sizeof(T)), 0) << rows << 'x' << cols;
    }
  }
}

TEST(Evaluator, TransposedCopies) {
  struct Wide {
    double re, im;
  };
  for (const auto& [r, c] :
       {std::pair{1, 9}, {4, 4}, {5, 7}, {64, 64}, {33, 130}, {257, 90}, {1000, 3}, {3, 1000}}) {
    check_transposed_copy<unsigned char>(dtype::uint8, r, c);
    check_transposed_copy<std::uint16_t>(dtype::float16, r, c);
    check_transposed_copy<float>(dtype::float32, r, c);
    check_transposed_copy<double>(dtype::float64, r, c);
    check_transposed_copy<Wide>(dtype::complex128, r, c);
  }
}

TEST(Evaluator, SeveralStoresAndCasts) {
  const std::int64_t n = 3333;
  std::vector<float> a = ramp(n);
  std::vector<double> wide(n);
  std::vector<unsigned char> negative(n);
  std::vector<float> copy(n), fill(n);
  Kernel k;
  k.shape = {n};
  k.leaves = {{bytes(a), dtype::float32, {4}}};
  k.scalars = {Scalar::of(dtype::float32, 0.0f)};
  k.code = {{Op::cast, dtype::float32, dtype::float64, 1, {0, 0, 0}},
            binary(Op::multiply, 2, 2, dtype::float64, dtype::float64),
            binary(Op::less, 0, 1, dtype::float32, dtype::bool_)};
  k.stores = {{bytes(wide), dtype::float64, {8}, 3},
              {bytes(negative), dtype::bool_, {1}, 4},
              {bytes(copy), dtype::float32, {4}, 0},
              {bytes(fill), dtype::float32, {4}, 1}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_EQ(wide[i], static_cast<double>(a[i]) * a[i]);
    ASSERT_EQ(negative[i], a[i] < 0);
    ASSERT_EQ(copy[i], a[i]);
    ASSERT_EQ(fill[i], 0);
  }
}

// A store may be the identical view of a leaf: later reads must see the value from before.
TEST(Evaluator, InPlace) {
  const std::int64_t n = 5000;
  std::vector<float> a = ramp(n), b = ramp(n, 2), first = a, second(n);
  Kernel k;  // a += b, while another result still needs the old a
  k.shape = {n};
  k.leaves = {{bytes(a), dtype::float32, {4}}, {bytes(b), dtype::float32, {4}}};
  k.code = {binary(Op::add, 0, 1), binary(Op::multiply, 2, 0)};
  k.stores = {{bytes(a), dtype::float32, {4}, 2}, {bytes(second), dtype::float32, {4}, 3}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_EQ(a[i], first[i] + b[i]);
    ASSERT_EQ(second[i], (first[i] + b[i]) * first[i]);
  }
}

TEST(Evaluator, Swap) {
  for (const std::int64_t n : {1, 5000}) {
    std::vector<float> a = ramp(n), b = ramp(n, 2);
    const std::vector<float> old_a = a, old_b = b;
    Kernel k;
    k.shape = {n};
    k.leaves = {{bytes(a), dtype::float32, {4}}, {bytes(b), dtype::float32, {4}}};
    k.stores = {{bytes(a), dtype::float32, {4}, 1}, {bytes(b), dtype::float32, {4}, 0}};
    if (n == 1) {
      k.shape = {};
      for (Leaf& leaf : k.leaves) leaf.strides = {};
      for (Store& store : k.stores) store.strides = {};
    }
    cpu_backend().run(cpu_backend().first_stream(), k);
    EXPECT_EQ(a, old_b);
    EXPECT_EQ(b, old_a);
  }
}

// More live values than a program of a few registers has.
TEST(Evaluator, LongProgram) {
  const std::int64_t n = 2500;
  std::vector<float> a = ramp(n, 0.001f), out(n);
  Kernel k;
  k.shape = {n};
  k.leaves = {{bytes(a), dtype::float32, {4}}};
  const int depth = 60;
  for (std::uint16_t i = 0; i < depth; ++i) k.code.push_back(binary(Op::add, i, 0));
  for (std::uint16_t i = 1; i < depth; ++i) {  // every value is used again, in reverse
    k.code.push_back(binary(Op::subtract, static_cast<std::uint16_t>(depth - 1 + i),
                            static_cast<std::uint16_t>(depth - i)));
  }
  const auto last = static_cast<std::uint16_t>(k.code.size());
  k.stores = {{bytes(out), dtype::float32, {4}, last}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  for (std::int64_t i = 0; i < n; ++i) {
    std::vector<float> v = {a[i]};
    for (int s = 0; s < depth; ++s) v.push_back(v.back() + a[i]);
    float x = v.back();
    for (int s = 1; s < depth; ++s) {
      x = x - v[depth - s];
    }
    ASSERT_EQ(out[i], x);
  }
}

TEST(Evaluator, ThreadsDoNotChangeABit) {
  const std::int64_t n = 400001;
  std::vector<float> a = ramp(n, 0.37f), one(n), many(n);
  for (auto* out : {&one, &many}) {
    cpu::set_num_threads(out == &one ? 1 : 4);
    Kernel k;
    k.shape = {n};
    k.leaves = {{bytes(a), dtype::float32, {4}}};
    k.code = {{Op::sin, dtype::float32, dtype::float32, 1, {0, 0, 0}},
              {Op::exp, dtype::float32, dtype::float32, 1, {1, 0, 0}}};
    k.stores = {{bytes(*out), dtype::float32, {4}, 2}};
    cpu_backend().run(cpu_backend().first_stream(), k);
  }
  EXPECT_EQ(std::memcmp(one.data(), many.data(), n * 4), 0);
}

// Values beyond the cache go to memory past it: one that an instruction writes, the same value in a second store, and a leaf by itself.
TEST(Evaluator, StreamedStoresOfOneValue) {
  const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const std::int64_t n = (cache > 0 ? cache : std::int64_t{32} << 20) + 4099;
  if (n > std::int64_t{256} << 20) GTEST_SKIP() << "a cache of " << cache << " bytes";
  std::vector<std::int8_t> a(n), sum(n), again(n), copy(n);
  for (std::int64_t i = 0; i < n; ++i) a[i] = static_cast<std::int8_t>(i % 61);
  cpu::set_num_threads(4);
  Kernel k;
  k.shape = {n};
  k.leaves = {{bytes(a), dtype::int8, {1}}};
  k.code = {binary(Op::add, 0, 0, dtype::int8, dtype::int8)};
  k.stores = {{bytes(sum), dtype::int8, {1}, 1},
              {bytes(again), dtype::int8, {1}, 1},
              {bytes(copy), dtype::int8, {1}, 0}};
  cpu_backend().run(cpu_backend().first_stream(), k);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(sum[i], 2 * a[i]) << i;
  EXPECT_EQ(again, sum);
  EXPECT_EQ(copy, a);
}

}  // namespace
}  // namespace cuprum
