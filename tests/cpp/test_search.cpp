// Searches in sorted rows, interpolation, sliding products, partitions and repetitions on the CPU backend, against their definitions.
#include "backend/cpu/interpolate.h"
#include "backend/cpu/partition.h"
#include "backend/cpu/repeat.h"
#include "backend/cpu/searchsorted.h"
#include "backend/cpu/sliding_dot.h"
#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

TEST(Search, EveryDtypeSideAndLength) {
  Rng rng(1);
  for (dtype type : all_dtypes()) {
    for (std::int64_t n : {0, 1, 2, 3, 31, 64, 1000}) {
      const Owned raw = random_array(rng, type, {n}), row = random_layout(rng, type, {n});
      reference::sort(raw, row);
      for (const Dims& shape : {Dims{}, Dims{1}, Dims{33}, Dims{40, 30}, Dims{0, 3}}) {
        const Owned values = random_array(rng, type, shape);
        for (bool right : {false, true}) {
          const Owned expected = empty_like(rng, dtype::int64, shape);
          reference::searchsorted(row, values, right, expected);
          with_threads([&](int) {
            const Owned out = empty_like(rng, dtype::int64, shape);
            cpu::searchsorted(row, values, right, out);
            expect_same(out, expected, std::string(name(type)) + " " + std::to_string(n));
          });
        }
      }
    }
  }
}

TEST(Search, WhatIsAmongSortedElements) {
  Rng rng(11);
  for (dtype type : all_dtypes()) {
    for (std::int64_t n : {0, 1, 2, 31, 500}) {
      const Owned raw = random_array(rng, type, {n}), row = random_layout(rng, type, {n});
      reference::sort(raw, row);
      for (const Dims& shape : {Dims{}, Dims{33}, Dims{40, 30}, Dims{0, 3}}) {
        const Owned values = random_array(rng, type, shape), expected = empty_like(rng, dtype::bool_, shape);
        reference::is_among(row, values, expected);
        with_threads([&](int) {
          const Owned out = empty_like(rng, dtype::bool_, shape);
          cpu::is_among(row, values, out);
          expect_same(out, expected, std::string(name(type)) + " " + std::to_string(n));
        });
      }
    }
  }
}

TEST(Search, CountsBetweenEdges) {
  Rng rng(12);
  for (dtype type : all_dtypes()) {
    for (std::int64_t n : {1, 2, 3, 31, 200}) {
      const Owned raw = random_array(rng, type, {n}), edges = random_layout(rng, type, {n});
      reference::sort(raw, edges);
      for (const Dims& shape : {Dims{}, Dims{33}, Dims{40, 90}, Dims{0, 3}}) {
        const Owned values = random_array(rng, type, shape),
                    expected = empty_like(rng, dtype::int64, {n - 1});
        reference::count_between(edges, values, expected);
        with_threads([&](int) {
          const Owned out = empty_like(rng, dtype::int64, {n - 1});
          cpu::count_between(edges, values, out);
          expect_same(out, expected, std::string(name(type)) + " " + std::to_string(n));
        });
      }
    }
  }
}

TEST(Interpolate, PointsEndsAndWhatIsNoNumber) {
  Rng rng(6);
  const Dims shape{30, 40};
  for (std::int64_t n : {1, 2, 3, 50}) {
    const Owned raw = random_layout(rng, dtype::float64, {n}, true);
    fill(raw, [&] { return Scalar::of(dtype::float64, static_cast<double>(pick(rng, -9, 9))); });
    const Owned xp = random_layout(rng, dtype::float64, {n}, true),
                fp = random_layout(rng, dtype::float64, {n}, true);
    reference::sort(raw, xp);
    fill(fp, [&] { return random_value(rng, dtype::float64); });
    const Owned ends = random_layout(rng, dtype::float64, {2}, true),
                x = random_array(rng, dtype::float64, shape);
    fill(ends, [&] { return Scalar::of(dtype::float64, 77.0); });
    for (bool reciprocal : {false, true}) {
      const Owned expected = empty_like(rng, dtype::float64, shape);
      reference::interpolate(x, xp, fp, ends, reciprocal, expected);
      with_threads([&](int) {
        const Owned out = empty_like(rng, dtype::float64, shape);
        cpu::interpolate(x, xp, fp, ends, reciprocal, out);
        expect_same(out, expected, std::to_string(n) + " points", Same::any_nan);
      });
    }
  }
}

/// Small whole numbers: their sums are exact in whatever order.
Owned whole_numbers(Rng& rng, dtype type, std::int64_t n) {
  Owned view = random_layout(rng, type, {n});
  fill(view, [&] { return reference::cast(Scalar::of(dtype::int64, pick(rng, -2, 2)), type); });
  return view;
}

TEST(SlidingDot, EveryDtypeAndOverlap) {
  Rng rng(2);
  for (dtype type : all_dtypes()) {
    if (type == dtype::float16 || type == dtype::bfloat16) continue;  // callers widen them
    for (auto [length, taps] : {std::pair<std::int64_t, std::int64_t>{1, 1},
                                {7, 3},
                                {300, 5},
                                {140, 139},
                                {260, 260},
                                {900, 515}}) {
      const Owned a = whole_numbers(rng, type, length), v = whole_numbers(rng, type, taps);
      for (auto [left, right] : {std::pair<std::int64_t, std::int64_t>{0, 0},
                                 {taps - 1, taps - 1},
                                 {taps / 2, taps - taps / 2 - 1},
                                 {0, taps - 1}}) {
        const Dims shape{length + left + right - taps + 1};
        const Owned expected = empty_like(rng, type, shape);
        reference::sliding_dot(a, v, left, expected);
        with_threads([&](int) {
          const Owned out = empty_like(rng, type, shape);
          cpu::sliding_dot(a, v, left, out);
          expect_same(out, expected, std::string(name(type)) + " " + std::to_string(length), Same::value);
        });
      }
    }
  }
}

TEST(SlidingDot, BitsDoNotDependOnThreads) {
  Rng rng(3);
  const Owned a = random_layout(rng, dtype::float32, {5000}, true),
              v = random_layout(rng, dtype::float32, {700}, true);
  for (const Owned* x : {&a, &v}) {
    fill(*x,
         [&] { return Scalar::of(dtype::float32, static_cast<float>(std::normal_distribution<>()(rng))); });
  }
  std::vector<Owned> results;
  with_threads([&](int) {
    results.push_back(random_layout(rng, dtype::float32, {5699}, true));
    cpu::sliding_dot(a, v, 699, results.back());
  });
  expect_same(results[0], results[1], "one and three threads");
}

TEST(Partition, BitsDoNotDependOnThreads) {
  Rng rng(4);
  for (dtype type : all_dtypes()) {
    const Owned in = random_array(rng, type, {2, 70000});
    std::vector<Owned> results;
    with_threads([&](int) {
      results.push_back(random_layout(rng, type, {2, 70000}, true));
      cpu::partition(in, {100, 35000, 35001}, results.back());
    });
    expect_same(results[0], results[1], name(type));
    const Owned sorted = empty_like(rng, type, {2, 70000}), again = empty_like(rng, type, {2, 70000});
    reference::sort(in, sorted);
    reference::sort(results[0], again);
    expect_same(again, sorted, std::string(name(type)) + " has the same elements", Same::value);
  }
}

TEST(Repeat, EverySizeAndLayout) {
  Rng rng(5);
  for (dtype type : {dtype::int8, dtype::float16, dtype::float32, dtype::int64, dtype::complex128}) {
    for (const Dims& shape : {Dims{1}, Dims{20}, Dims{3, 7}, Dims{2, 20000}}) {
      const Owned in = random_array(rng, type, shape);
      const Owned ends = random_layout(rng, dtype::int64, {shape.back()}, true);
      std::int64_t total = 0;
      fill(ends, [&] { return Scalar::of(dtype::int64, total += pick(rng, 0, 3) ? pick(rng, 0, 12) : 0); });
      Dims out_shape = shape;
      out_shape.back() = total;
      const Owned expected = empty_like(rng, type, out_shape);
      reference::repeat(in, ends, expected);
      with_threads([&](int) {
        const Owned out = empty_like(rng, type, out_shape);
        cpu::repeat(in, ends, out);
        expect_same(out, expected, name(type));
      });
    }
  }
}

}  // namespace
}  // namespace cuprum
