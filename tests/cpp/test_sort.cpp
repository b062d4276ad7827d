// Sorting on the CPU backend against std::stable_sort: every dtype, layout and length class, bit for bit.
#include "backend/cpu/sort.h"

#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

void check(Rng& rng, dtype type, const Dims& shape) {
  const std::string what = std::string(name(type)) + " " + std::to_string(shape.back());
  const Owned in = random_array(rng, type, shape);
  const Owned sorted = empty_like(rng, type, shape), order = empty_like(rng, dtype::int64, shape);
  reference::sort(in, sorted);
  reference::argsort(in, order);
  with_threads([&](int threads) {
    const Owned out = empty_like(rng, type, shape), index = empty_like(rng, dtype::int64, shape);
    cpu::sort(in, out);
    expect_same(out, sorted, "sort " + what);
    cpu::argsort(in, index);
    expect_same(index, order, "argsort " + what);
  });
}

TEST(Sort, EveryDtypeAndLength) {
  Rng rng(1);
  for (dtype type : all_dtypes()) {
    for (std::int64_t n : {1, 2, 7, 15, 16, 17, 33, 64, 65, 100, 128, 129, 300, 1000})
      check(rng, type, {3, n});
    check(rng, type, {5, 0});
    check(rng, type, {0, 5});
    check(rng, type, {70000});
    check(rng, type, {2, 3, 4, 50});
    check(rng, type, {1});
  }
}

TEST(Sort, ColumnsAndRowsOfMiddleLength) {
  Rng rng(4);
  for (dtype type : {dtype::float32, dtype::float64, dtype::int32, dtype::uint64}) {
    for (std::int64_t n : {255, 256, 257, 1025, 2500}) check(rng, type, {9, n});
  }
  for (dtype type : {dtype::float32, dtype::int64}) check(rng, type, {200000});
}

TEST(Sort, ManyShortRows) {
  Rng rng(2);
  for (dtype type : {dtype::float32, dtype::int64, dtype::complex128}) check(rng, type, {40, 30, 20});
}

TEST(Sort, ConstantAndSortedRows) {
  for (std::int64_t n : {10, 500, 70000}) {
    std::vector<std::int32_t> values(n, 7), out(n);
    View in{reinterpret_cast<std::byte*>(values.data()), dtype::int32, {n}, {4}};
    View to{reinterpret_cast<std::byte*>(out.data()), dtype::int32, {n}, {4}};
    cpu::sort(in, to);
    EXPECT_EQ(out, values);
    for (std::int64_t i = 0; i < n; ++i) values[i] = static_cast<std::int32_t>(n - i);
    cpu::sort(in, to);
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end()));
  }
}

TEST(Sort, RandomLayouts) {
  Rng rng(3);
  for (int round = 0; round < 200; ++round) {
    Dims shape;
    for (std::int64_t d = pick(rng, 1, 4); d > 0; --d) shape.push_back(pick(rng, 0, 9));
    shape.back() = pick(rng, 1, 200);
    check(rng, static_cast<dtype>(pick(rng, 0, kDTypeCount - 1)), shape);
  }
}

}  // namespace
}  // namespace cuprum
