// Matrix products on the CPU backend: exact dtypes bit for bit, BLAS dtypes on small integers (whose sums are
// exact in any order), the rounding of random ones within its bound, and the same bits for every number of
// threads.
#include "backend/cpu/matmul.h"

#include <cmath>

#include "backend/cpu/arange.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

Owned small_integers(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape);
  fill(view, [&] { return reference::cast(Scalar::of(dtype::int64, pick(rng, -3, 3)), type); });
  return view;
}

void check(Rng& rng, dtype type, const Dims& batch, std::int64_t m, std::int64_t k, std::int64_t n) {
  const std::string what =
      std::string(name(type)) + " " + std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  const Owned a = small_integers(rng, type, reference::joined(batch, {m, k}));
  Owned b = small_integers(rng, type, reference::joined(batch, {k, n}));
  if (!batch.empty() && pick(rng, 0, 1)) b.strides[0] = 0;
  const Dims shape = reference::joined(batch, {m, n});
  const Owned expected = empty_like(rng, type, shape);
  reference::matmul(a, b, expected);
  with_threads([&](int) {
    const Owned out = empty_like(rng, type, shape);
    cpu::matmul(a, b, out);
    expect_same(out, expected, what, Same::value);
  });
}

TEST(Matmul, EveryDtype) {
  Rng rng(1);
  for (dtype type : all_dtypes()) {
    for (int round = 0; round < 12; ++round) {
      check(rng, type, {}, pick(rng, 1, 70), pick(rng, 0, 20), pick(rng, 1, 40));
      check(rng, type, {3, 2}, pick(rng, 0, 5), pick(rng, 0, 5), pick(rng, 0, 5));
      check(rng, type, {}, 1, pick(rng, 1, 90), pick(rng, 1, 90));
      check(rng, type, {}, pick(rng, 1, 90), pick(rng, 1, 90), 1);
      check(rng, type, {}, 1, pick(rng, 1, 900), 1);
    }
  }
}

TEST(Matmul, SeveralTiles) {
  Rng rng(2);
  for (dtype type : {dtype::float32, dtype::complex128, dtype::int16, dtype::float16}) {
    check(rng, type, {}, 200, 30, 300);
    check(rng, type, {}, 5, 700, 6);
  }
}

TEST(Matmul, LongDepth) {
  Rng rng(3);
  check(rng, dtype::float64, {}, 2, 40000, 3);
  check(rng, dtype::float32, {}, 1, 40000, 1);
}

double real_at(const View& view, const Dims& at) {
  return reference::cast(reference::load(view.type, reference::address(view, at)), dtype::float64)
      .as<double>();
}

View transposed(View view) {
  std::swap(view.shape[0], view.shape[1]);
  std::swap(view.strides[0], view.strides[1]);
  return view;
}

TEST(Matmul, WithItsOwnTransposeIsSymmetric) {
  Rng rng(4);
  for (dtype type : {dtype::float32, dtype::complex64}) {
    for (std::int64_t n : {5, 300, 1100}) {
      Owned a = random_layout(rng, type, {n, 20}, true);
      fill(a, [&] {
        return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
      });
      const Owned copy = copy_of(a), out = random_layout(rng, type, {n, n}, true);
      const Owned general = random_layout(rng, type, {n, n}, true);
      cpu::matmul(a, transposed(a), out);
      cpu::matmul(a, transposed(copy), general);
      expect_same(out, transposed(out), "a @ a.T");
      reference::each(out.shape,
                      [&](const Dims& at) { ASSERT_NEAR(real_at(out, at), real_at(general, at), 1e-4); });
    }
  }
}

TEST(Matmul, SameBitsForEveryNumberOfThreads) {
  Rng rng(5);
  for (dtype type : {dtype::float32, dtype::float64, dtype::complex64}) {
    for (const Dims& size :
         {Dims{700, 300, 600}, Dims{450, 250, 450}, Dims{70, 300, 4500}, Dims{1100, 200, 90},
          Dims{3000, 500, 1}, Dims{1, 500, 3000}, Dims{3, 50000, 2}}) {
      Owned a = random_layout(rng, type, {size[0], size[1]}),
            b = random_layout(rng, type, {size[1], size[2]});
      for (const Owned* v : {&a, &b}) {
        fill(*v, [&] {
          return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
        });
      }
      std::vector<Owned> results;
      with_threads([&](int) {
        results.push_back(random_layout(rng, type, {size[0], size[2]}, true));
        results.back().data = results.back().memory.data();
        cpu::matmul(a, b, results.back());
      });
      EXPECT_EQ(results[0].memory, results[1].memory);
    }
  }
}

TEST(Matmul, SpecialValues) {
  for (dtype type : {dtype::float32, dtype::float64}) {
    for (std::int64_t n : {1, 2, 40}) {
      Rng rng(6);
      Owned a = random_layout(rng, type, {n, 3}, true), b = random_layout(rng, type, {3, n}, true);
      Owned out = random_layout(rng, type, {n, n}, true);
      fill(a, [&] { return reference::cast(Scalar::of(dtype::float64, 0.0), type); });
      fill(b, [&] { return reference::cast(Scalar::of(dtype::float64, __builtin_inf()), type); });
      fill(out, [&] { return reference::cast(Scalar::of(dtype::float64, __builtin_nan("")), type); });
      cpu::matmul(a, b, out);  // 0 * inf
      reference::each(out.shape, [&](const Dims& at) {
        EXPECT_TRUE(reference::is_nan(reference::load(type, reference::address(out, at))));
      });
      fill(b, [&] { return reference::cast(Scalar::of(dtype::float64, 1.0), type); });
      cpu::matmul(a, b, out);  // what stood in the result does not matter
      reference::each(out.shape, [&](const Dims& at) {
        EXPECT_FALSE(reference::is_nan(reference::load(type, reference::address(out, at))));
      });
    }
  }
}

TEST(Arange, EveryDtype) {
  Rng rng(7);
  for (dtype type : all_dtypes()) {
    for (std::int64_t n : {0, 1, 2, 3, 100, 70000}) {
      if (is_bool(type) && n > 2) continue;
      const Owned expected = empty_like(rng, type, {n});
      const Scalar start = Scalar::of(dtype::float64, 0.1), step = Scalar::of(dtype::float64, 0.3);
      const Scalar from = Scalar::of(dtype::int64, std::int64_t(-5)),
                   by = Scalar::of(dtype::int64, std::int64_t(3));
      for (const auto& [x, dx] : {std::pair(start, step), std::pair(from, by)}) {
        reference::arange(expected, x, dx);
        with_threads([&](int) {
          const Owned out = empty_like(rng, type, {n});
          cpu::arange(out, x, dx);
          expect_same(out, expected, std::string("arange ") + name(type));
        });
      }
    }
  }
}

}  // namespace
}  // namespace cuprum
