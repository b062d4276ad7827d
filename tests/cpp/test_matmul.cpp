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

TEST(Matmul, WithItsOwnTransposeIsSymmetric) {
  Rng rng(4);
  for (dtype type : {dtype::float32, dtype::complex64}) {
    Owned a = random_layout(rng, type, {300, 70}, true);
    fill(a, [&] {
      return reference::cast(Scalar::of(dtype::float64, std::normal_distribution<>()(rng)), type);
    });
    View t = a;
    std::swap(t.shape[0], t.shape[1]);
    std::swap(t.strides[0], t.strides[1]);
    const Owned out = random_layout(rng, type, {300, 300}, true);
    cpu::matmul(a, t, out);
    View mirrored = out;
    std::swap(mirrored.strides[0], mirrored.strides[1]);
    expect_same(out, mirrored, "a @ a.T");
    const Owned general = random_layout(rng, type, {300, 300}, true), copy = copy_of(a);
    View copy_t = copy;
    std::swap(copy_t.shape[0], copy_t.shape[1]);
    std::swap(copy_t.strides[0], copy_t.strides[1]);
    cpu::matmul(a, copy_t, general);
    reference::each(out.shape, [&](const Dims& at) {
      const double x =
          reference::cast(reference::load(type, reference::address(out, at)), dtype::float64).as<double>();
      const double y = reference::cast(reference::load(type, reference::address(general, at)), dtype::float64)
                           .as<double>();
      ASSERT_NEAR(x, y, 1e-4);
    });
  }
}

TEST(Matmul, SameBitsForEveryNumberOfThreads) {
  Rng rng(5);
  for (dtype type : {dtype::float32, dtype::float64, dtype::complex64}) {
    for (const Dims& size :
         {Dims{700, 300, 600}, Dims{3000, 500, 1}, Dims{1, 500, 3000}, Dims{3, 50000, 2}}) {
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
