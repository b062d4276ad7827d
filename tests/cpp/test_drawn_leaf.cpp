// Leaves that are drawn: the CPU against the reference, which draws all numbers first, in every layout and order of the space.
#include <gtest/gtest.h>

#include "backend/cpu/random/placed.h"
#include "backend/cpu/random/reader.h"
#include "random_views.h"
#include "runtime/backend.h"
#include "runtime/geometry.h"
#include "runtime/own_streams.h"

namespace cuprum::testing {
namespace {

BitState state_of(Rng& rng, BitKind kind) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>(seed_words(kind)));
  for (std::uint64_t& word : words) word = rng();
  BitState state = seeded(kind, words);
  skip_units(state, 32, pick(rng, 0, 9));  // perhaps half of a draw is left
  return state;
}

struct Case {
  Law law;
  dtype type;
  BitKind kind;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {Law::random, dtype::float64, BitKind::pcg64},
      {Law::random_f, dtype::float32, BitKind::pcg64},
      {Law::raw, dtype::uint64, BitKind::pcg64dxsm},
      {Law::half, dtype::uint32, BitKind::pcg64dxsm},
      {Law::random, dtype::float64, BitKind::philox},
      {Law::inverse_exponential_f, dtype::float32, BitKind::philox},
      {Law::random_f, dtype::float32, BitKind::philox4x32},
      {Law::standard_normal, dtype::float64, BitKind::philox4x32},
      {Law::standard_normal_f, dtype::float32, BitKind::philox4x32},
      {Law::geometric, dtype::int64, BitKind::philox4x32},
      {Law::integers, dtype::uint8, BitKind::philox4x32},
      {Law::integers, dtype::int16, BitKind::philox4x32},
  };
  return all;
}

Draw draw_of(Rng& rng, const Case& c) {
  Draw draw{c.law, c.kind, std::make_shared<const BitState>(state_of(rng, c.kind))};
  if (c.law == Law::integers) draw.parameters = {0, 99, 0};
  if (c.law == Law::geometric) draw.parameters = {std::bit_cast<std::uint64_t>(0.01), 0, 0};
  if (c.type == dtype::float64 && pick(rng, 0, 1)) draw.scaled = true, draw.loc = -1, draw.scale = 3;
  return draw;
}

/// A view of the numbers in any layout: of some of them, or of some several times.
void add_drawn(Rng& rng, Kernel& kernel, const Case& c) {
  const Owned layout = random_layout(rng, c.type, kernel.shape, pick(rng, 0, 2) == 0);
  const auto size = static_cast<std::int64_t>(itemsize(c.type));
  const auto leaf = static_cast<std::uint16_t>(kernel.leaves.size());
  Leaf drawn{Place(nullptr, layout.data.address() - layout.memory.data() + size * pick(rng, 0, 5)), c.type,
             layout.strides};
  for (std::int64_t& stride : drawn.strides) {
    if (pick(rng, 0, 9) == 0 && stride > 0) stride = 0;
  }
  kernel.leaves.push_back(std::move(drawn));
  kernel.draws.push_back({leaf, draw_of(rng, c)});
}

Kernel make(Rng& rng, const Case& c, bool reduces) {
  Kernel kernel;
  Dims space(static_cast<std::size_t>(pick(rng, 0, 3)));
  const bool large = pick(rng, 0, 7) == 0;
  for (std::int64_t& extent : space) extent = pick(rng, 1, large ? 200 : 12);
  if (large && space.size() > 2) space[0] = 1;
  if (large && space.size() == 1) space[0] *= 100;
  kernel.shape = space;
  add_drawn(rng, kernel, c);
  add_drawn(rng, kernel, c);
  kernel.code = {{Op::maximum, c.type, c.type, 2, {0, 1, 0}}};
  for (std::size_t d = 0; reduces && d < space.size(); ++d)
    kernel.reduced |= std::uint64_t(pick(rng, 0, 1)) << d;
  return kernel;
}

/// The kernel with an output of its own.
Owned result(Kernel& kernel, const Owned& like, bool reduces) {
  Owned out = copy_of(like);
  if (reduces) {
    Reduction r{};
    r.op = ReduceOp::max;
    r.type = r.out = out.type;
    r.data = out.data;
    r.strides = out.strides;
    r.src = 2;
    r.arg_weights = Dims(out.strides.size(), 0);
    kernel.reductions = {r};
  } else {
    kernel.stores = {{out.data, out.type, out.strides, 2}};
  }
  return out;
}

void compare(Rng& rng, const Case& c, bool reduces) {
  Kernel plain = make(rng, c, reduces), merged = plain;
  Dims shape = plain.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (plain.reduced >> d & 1) shape[d] = 1;
  }
  const Owned like = empty_like(rng, c.type, shape);
  const Owned want = result(plain, like, reduces), got = result(merged, like, reduces);
  simplify_geometry(merged, like.strides);
  reference_backend().run(reference_backend().first_stream(), plain);
  cpu_backend().run(cpu_backend().first_stream(), merged);
  reference::each(shape, [&](const Dims& at) {
    const Scalar a = reference::load(c.type, reference::address(want, at)),
                 b = reference::load(c.type, reference::address(got, at));
    ASSERT_TRUE(is_same(a, b, Same::any_nan)) << name(c.type) << " " << static_cast<int>(c.law);
  });
}

TEST(DrawnLeaf, AsTheReference) {
  Rng rng(21);
  for (int round = 0; round < 60; ++round) {
    for (const Case& c : cases()) {
      compare(rng, c, false);
      compare(rng, c, true);
    }
  }
}

TEST(DrawnLeaf, AnyRangeOfNumbers) {
  Rng rng(22);
  for (const Case& c : cases()) {
    const Draw draw = draw_of(rng, c);
    ASSERT_TRUE(knows_places(draw, c.type, false));
    const auto law = cpu::placed_law(draw, *draw.from, c.type);
    const auto size = static_cast<std::int64_t>(itemsize(c.type));
    constexpr std::int64_t all = 9000;
    std::vector<std::byte> numbers(static_cast<std::size_t>(all * size)), some = numbers;
    const View out{numbers.data(), c.type, {all}, {size}, {}};
    cpu_backend().call(cpu_backend().first_stream(), Call{draw, {}, {&out, 1}});
    for (int round = 0; round < 50; ++round) {
      const std::int64_t first = pick(rng, 0, all - 1),
                         n = pick(rng, 0, std::min<std::int64_t>(all - first, 5000)),
                         at = pick(rng, 0, all - n);
      law->draw(first, n, some.data() + at * size);
      ASSERT_EQ(std::memcmp(some.data() + at * size, numbers.data() + first * size,
                            static_cast<std::size_t>(n * size)),
                0)
          << static_cast<int>(c.law) << " " << first << " " << n;
    }
  }
}

TEST(DrawnLeaf, DrawsFarAway) {
  Rng rng(23);
  for (const BitKind kind : {BitKind::pcg64, BitKind::pcg64dxsm, BitKind::philox, BitKind::philox4x32}) {
    const BitState from = state_of(rng, kind);
    for (const std::int64_t first :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{123456789}, std::int64_t{1} << 50}) {
      BitState there = from;
      skip(there, static_cast<std::uint64_t>(first));
      std::uint64_t draws[37];
      cpu::fill_draws_at(from, first, 37, draws);
      for (const std::uint64_t x : draws) ASSERT_EQ(x, draw(there));
    }
  }
}

TEST(DrawnLeaf, LawsThatReadOnKnowNoPlaces) {
  const auto knows = [](Law law, dtype type, BitKind kind) {
    return knows_places({law, kind, {}}, type, false);
  };
  EXPECT_FALSE(knows(Law::standard_normal, dtype::float64, BitKind::pcg64));
  EXPECT_FALSE(knows(Law::integers, dtype::int64, BitKind::philox));
  EXPECT_FALSE(knows(Law::random, dtype::float64, BitKind::sfc64));
  EXPECT_FALSE(knows(Law::random_f, dtype::float32, BitKind::mt19937));
  EXPECT_FALSE(knows(Law::integers, dtype::bool_, BitKind::philox4x32));
  EXPECT_FALSE(knows_places({Law::triangular, BitKind::pcg64, {}}, dtype::float64, true));
}

}  // namespace
}  // namespace cuprum::testing
