// Indexing with integer arrays on the CPU backend against the plain loops.
#include "backend/cpu/gather.h"

#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

struct Case {
  Dims shape;           // of the indexed array
  std::size_t indexed;  // its first dimensions
  Dims index_shape;

  Dims line_shape() const { return reference::joined(index_shape, reference::tail(shape, indexed)); }
};

const Case kCases[] = {
    {{10}, 1, {100}},       {{10}, 1, {}},          {{5, 6}, 1, {4, 3}},       {{5, 6}, 2, {50}},
    {{5, 6, 7}, 1, {20}},   {{5, 6, 7}, 2, {3, 4}}, {{4, 3, 2}, 3, {2, 2, 2}}, {{5, 0}, 1, {3}},
    {{5}, 1, {0}},          {{0, 4}, 1, {0}},       {{3, 40000}, 1, {2}},      {{20000}, 1, {70000}},
    {{300, 50}, 1, {1500}},
};

std::vector<View> random_index(Rng& rng, const Case& c, std::vector<Owned>& owners) {
  for (std::size_t k = 0; k < c.indexed; ++k) {
    owners.push_back(random_layout(rng, dtype::int64, c.index_shape));
    fill(owners.back(), [&] { return Scalar::of(dtype::int64, pick(rng, -c.shape[k], c.shape[k] - 1)); });
  }
  return std::vector<View>(owners.begin(), owners.end());
}

TEST(Gather, AllCases) {
  Rng rng(1);
  for (dtype type : {dtype::uint8, dtype::float16, dtype::float32, dtype::float64, dtype::complex128}) {
    for (const Case& c : kCases) {
      std::vector<Owned> owners;
      const std::vector<View> index = random_index(rng, c, owners);
      const Owned array = random_array(rng, type, c.shape), line = random_array(rng, type, c.line_shape());
      const Owned gathered = empty_like(rng, type, c.line_shape()), scattered = copy_of(array);
      reference::gather(array, index, gathered);
      reference::scatter(scattered, index, line);
      with_threads([&](int) {
        const Owned out = empty_like(rng, type, c.line_shape()), to = copy_of(array);
        EXPECT_EQ(cpu::gather(array, index, out).axis, -1);
        expect_same(out, gathered, "gather " + to_string(c.shape) + to_string(c.index_shape));
        EXPECT_EQ(cpu::scatter(to, index, line).axis, -1);
        expect_same(to, scattered, "scatter " + to_string(c.shape) + to_string(c.index_shape));
      });
    }
  }
}

TEST(Gather, ScatterFold) {
  Rng rng(2);
  for (dtype type : {dtype::int32, dtype::float32, dtype::float64, dtype::complex64, dtype::bool_}) {
    for (const Case& c : kCases) {
      std::vector<Owned> owners;
      const std::vector<View> index = random_index(rng, c, owners);
      const Owned array = random_array(rng, type, c.shape), line = random_array(rng, type, c.line_shape());
      for (Op op : {Op::add, Op::maximum, Op::multiply, Op::logical_not}) {
        if (op == Op::logical_not && !is_bool(type)) continue;
        const Owned expected = copy_of(array), to = copy_of(array), checked = copy_of(array);
        const View from = op == Op::logical_not ? View() : static_cast<const View&>(line);
        reference::scatter_fold(op, type, expected, index, from);
        EXPECT_EQ(cpu::scatter_fold(op, type, to, index, from).axis, -1);
        expect_same(to, expected, info(op).name, Same::any_nan);
        EXPECT_EQ(cpu::scatter_fold(op, type, checked, index, from, true).axis, -1);
        expect_same(checked, expected, info(op).name, Same::any_nan);
      }
    }
  }
}

TEST(Gather, ManyPositionsOfFewElements) {
  Rng rng(4);
  for (dtype type : {dtype::int64, dtype::uint8, dtype::float64}) {
    for (const std::int64_t size : {1, 4, 1023, 1025, 40000}) {
      const Case c{{size}, 1, {100003}};
      std::vector<Owned> owners;
      const std::vector<View> index = random_index(rng, c, owners);
      const Owned array = random_array(rng, type, c.shape), line = random_array(rng, type, c.line_shape());
      const Owned expected = copy_of(array);
      reference::scatter_fold(Op::add, type, expected, index, line);
      with_threads([&](int) {
        for (const bool checked : {false, true}) {
          const Owned to = copy_of(array);
          EXPECT_EQ(cpu::scatter_fold(Op::add, type, to, index, line, checked).axis, -1);
          expect_same(to, expected, "sums of " + std::to_string(size), Same::any_nan);
        }
      });
    }
  }
}

TEST(Gather, ReportsTheFirstFaultAndWritesNothing) {
  Rng rng(3);
  const Owned array = random_array(rng, dtype::float32, {5, 7});
  std::vector<Owned> owners;
  const std::vector<View> index = random_index(rng, {{5, 7}, 2, {100000}}, owners);
  const auto set = [&](int k, std::int64_t at, std::int64_t value) {
    reference::store(Scalar::of(dtype::int64, value), reference::address(owners[k], {at}));
  };
  set(1, 70000, 7);
  set(1, 90000, -8);
  with_threads([&](int) {
    const Owned out = empty_like(rng, dtype::float32, {100000}), before = copy_of(out);
    const Fault fault = cpu::gather(array, index, out);
    EXPECT_EQ(fault.axis, 1);
    EXPECT_EQ(fault.value, 7);
    expect_same(out, before, "output after a fault");
  });
  set(0, 99999, -6);
  const Owned to = copy_of(array);
  const Fault fault = cpu::scatter(to, index, random_array(rng, dtype::float32, {100000}));
  EXPECT_EQ(fault.axis, 0);
  EXPECT_EQ(fault.value, -6);
  expect_same(to, array, "target after a fault");
}

}  // namespace
}  // namespace cuprum
