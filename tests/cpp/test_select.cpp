// Boolean masks on the CPU backend against the plain loops: every dtype and layout, sparse and dense masks.
#include "backend/cpu/select.h"

#include "backend/reference/primitives.h"
#include "random_views.h"

namespace cuprum {
namespace {

using namespace testing;

/// `run` elements, one after the other, are alike.
Owned random_mask(Rng& rng, const Dims& shape, double density, int run) {
  Owned mask = random_layout(rng, dtype::bool_, shape);
  int left = 0;
  bool truth = false;
  fill(mask, [&] {
    if (left-- == 0) {
      left = run - 1;
      truth = std::uniform_real_distribution<>()(rng) < density;
    }
    return Scalar::of(dtype::bool_, truth);
  });
  return mask;
}

void check(Rng& rng, dtype type, const Dims& shape, double density, int run = 1) {
  const std::string what = std::string(name(type)) + " " + to_string(shape) + " " + std::to_string(density) +
                           " in runs of " + std::to_string(run);
  const Owned in = random_array(rng, type, shape), mask = random_mask(rng, shape, density, run);
  const std::int64_t count = reference::count_true(mask), ndim = static_cast<std::int64_t>(shape.size());
  const Owned chosen = random_layout(rng, type, {count}, true),
              places = empty_like(rng, dtype::int64, {count, ndim});
  reference::select(in, mask, chosen);
  reference::nonzero(mask, places);
  const Owned values = random_array(rng, type, {count}), one = random_array(rng, type, {1});
  Owned assigned = copy_of(in), filled = copy_of(in);
  reference::masked_assign(assigned, mask, values);
  reference::masked_fill(filled, mask, one);
  with_threads([&](int) {
    const auto counted = cpu::count_true(mask);
    EXPECT_EQ(counted->count, count) << what;
    Owned out = random_layout(rng, type, {count + 1}, true);  // one more, which must stay as it is
    std::fill(out.memory.begin(), out.memory.end(), std::byte{0x77});
    out.data = out.memory.data();
    out.shape[0] = count;
    cpu::select(in, mask, *counted, out);
    expect_same(out, chosen, "select " + what);
    EXPECT_EQ(out.memory[count * itemsize(type)], std::byte{0x77}) << what;
    const Owned at = empty_like(rng, dtype::int64, {count, ndim});
    if (ndim > 0) cpu::nonzero(mask, *counted, at);
    expect_same(at, places, "nonzero " + what);
    Owned to = copy_of(in);
    cpu::masked_assign(to, mask, *counted, values);
    expect_same(to, assigned, "masked_assign " + what);
    to = copy_of(in);
    to.data = to.memory.data() + (in.data - in.memory.data());
    cpu::masked_fill(to, mask, one);
    expect_same(to, filled, "masked_fill " + what);
  });
}

TEST(Select, EveryDtype) {
  Rng rng(1);
  for (dtype type : all_dtypes()) {
    for (double density : {0.0, 0.02, 0.5, 0.97, 1.0}) {
      check(rng, type, {1000}, density);
      check(rng, type, {1003}, density, 27);
      check(rng, type, {7, 33, 3}, density);
    }
  }
}

TEST(Select, OddShapes) {
  Rng rng(2);
  for (const Dims& shape : {Dims{}, Dims{1}, Dims{0}, Dims{3, 0, 2}, Dims{17}, Dims{1, 1, 1, 63}}) {
    for (double density : {0.0, 0.5, 1.0}) check(rng, dtype::float32, shape, density);
  }
}

TEST(Select, ManyChunks) {
  Rng rng(3);
  check(rng, dtype::float32, {300000}, 0.5);
  check(rng, dtype::uint8, {300, 701}, 0.3);
}

TEST(Select, AnyNonzeroByteIsTrue) {
  std::vector<unsigned char> mask(100);
  std::vector<std::int32_t> in(100), out(100, -1);
  for (int i = 0; i < 100; ++i) {
    mask[i] = static_cast<unsigned char>(i % 3 == 0 ? 0 : i);
    in[i] = i;
  }
  const View m{reinterpret_cast<std::byte*>(mask.data()), dtype::bool_, {100}, {1}};
  const View from{reinterpret_cast<std::byte*>(in.data()), dtype::int32, {100}, {4}};
  const View to{reinterpret_cast<std::byte*>(out.data()), dtype::int32, {66}, {4}};
  const auto counted = cpu::count_true(m);
  EXPECT_EQ(counted->count, 66);
  cpu::select(from, m, *counted, to);
  EXPECT_EQ(out[0], 1);
  EXPECT_EQ(out[65], 98);
  EXPECT_EQ(out[66], -1);
}

}  // namespace
}  // namespace cuprum
