// Leaves that are read through indices: the CPU against the reference, in every layout and order of the space.
#include <gtest/gtest.h>

#include "random_views.h"
#include "runtime/backend.h"
#include "runtime/geometry.h"

namespace cuprum::testing {
namespace {

struct Made {
  Kernel kernel;
  std::vector<Owned> memory;
};

/// Shape is that of the indices, then that of a row of the table, in any order.
struct Layout {
  std::vector<std::size_t> place;  // where each of those dimensions is in the kernel
  std::size_t indexed;
};

Dims placed(const Layout& layout, const Dims& dims, std::size_t first, std::size_t count, std::size_t total) {
  Dims out(total, 0);
  for (std::size_t d = 0; d < count; ++d) out[layout.place[first + d]] = dims[d];
  return out;
}

Layout random_order(Rng& rng, std::size_t indexed, std::size_t row) {
  Layout layout{{}, indexed};
  for (std::size_t d = 0; d < indexed + row; ++d) layout.place.push_back(d);
  if (pick(rng, 0, 1)) std::shuffle(layout.place.begin(), layout.place.end(), rng);
  return layout;
}

void add_gather(Rng& rng, Made& made, dtype type, const Dims& space, const Layout& layout) {
  Dims index_shape, table_shape{pick(rng, 1, 9)};
  for (std::size_t d = 0; d < layout.place.size(); ++d)
    (d < layout.indexed ? index_shape : table_shape).push_back(space[layout.place[d]]);
  const std::int64_t extent = table_shape[0];
  made.memory.push_back(random_array(rng, type, table_shape));
  const View table = made.memory.back();
  made.memory.push_back(empty_like(rng, dtype::int64, index_shape));
  const View index = made.memory.back();
  fill(index, [&] { return Scalar::of(dtype::int64, pick(rng, -extent, extent - 1)); });
  Dims row;
  for (std::size_t d = 1; d < table.strides.size(); ++d) row.push_back(table.strides[d]);
  const auto leaf = static_cast<std::uint16_t>(made.kernel.leaves.size());
  made.kernel.leaves.push_back(
      {table.data, type, placed(layout, row, layout.indexed, row.size(), space.size())});
  made.kernel.gathers.push_back({leaf,
                                 {index.data, dtype::int64, index.shape, index.strides, {}},
                                 placed(layout, index.strides, 0, layout.indexed, space.size()),
                                 extent,
                                 table.strides[0],
                                 true,
                                 {}});
}

void add_plain(Rng& rng, Made& made, dtype type, const Dims& space) {
  made.memory.push_back(random_array(rng, type, space));
  made.kernel.leaves.push_back({made.memory.back().data, type, made.memory.back().strides});
}

/// table[index] + b, or with another gather, stored or its greatest elements.
Made make(Rng& rng, dtype type, bool reduces) {
  Made made;
  const auto indexed = static_cast<std::size_t>(pick(rng, 0, 2)),
             row = static_cast<std::size_t>(pick(rng, 0, 2));
  Dims space(indexed + row);
  const bool large = pick(rng, 0, 7) == 0;
  for (std::int64_t& extent : space) extent = pick(rng, 1, large ? 300 : 12);
  if (large && space.size() > 2) space[0] = 1;
  made.kernel.shape = space;
  const Layout layout = random_order(rng, indexed, row);
  add_gather(rng, made, type, space, layout);
  if (pick(rng, 0, 1)) {
    add_plain(rng, made, type, space);
  } else {
    add_gather(rng, made, type, space, layout);
  }
  made.kernel.code = {{Op::maximum, type, type, 2, {0, 1, 0}}};
  if (reduces) {
    for (std::size_t d = 0; d < space.size(); ++d) made.kernel.reduced |= std::uint64_t(pick(rng, 0, 1)) << d;
  }
  return made;
}

/// The kernel with an output of its own.
Owned result(Kernel& kernel, const Owned& like, bool reduces) {
  Owned out = copy_of(like);
  if (reduces) {
    Reduction r{};
    r.op = ReduceOp::max;
    r.type = r.out = kernel.code[0].out;
    r.data = out.data;
    r.strides = out.strides;
    r.src = static_cast<std::uint16_t>(kernel.leaves.size());
    r.arg_weights = Dims(out.strides.size(), 0);
    kernel.reductions = {r};
  } else {
    kernel.stores = {{out.data, out.type, out.strides, static_cast<std::uint16_t>(kernel.leaves.size())}};
  }
  return out;
}

void compare(Rng& rng, dtype type, bool reduces) {
  const Made made = make(rng, type, reduces);
  Dims shape = made.kernel.shape;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (made.kernel.reduced >> d & 1) shape[d] = 1;
  }
  const Owned like = empty_like(rng, type, shape);
  Kernel plain = made.kernel, merged = made.kernel;
  const Owned want = result(plain, like, reduces), got = result(merged, like, reduces);
  simplify_geometry(merged, like.strides);
  reference_backend().run(reference_backend().first_stream(), plain);
  cpu_backend().run(cpu_backend().first_stream(), merged);
  reference::each(shape, [&](const Dims& at) {
    const Scalar a = reference::load(type, reference::address(want, at)),
                 b = reference::load(type, reference::address(got, at));
    ASSERT_TRUE(is_same(a, b, Same::any_nan)) << name(type);
  });
}

TEST(GatheredLeaf, AsTheReference) {
  Rng rng(11);
  for (int round = 0; round < 60; ++round) {
    for (const dtype type : {dtype::int8, dtype::int16, dtype::int32, dtype::int64}) {
      compare(rng, type, false);
      compare(rng, type, true);
    }
    compare(rng, dtype::float32, false);
  }
}

TEST(GatheredLeaf, SizeOf16Bytes) {
  Rng rng(12);
  for (int round = 0; round < 20; ++round) {
    Made made = make(rng, dtype::complex128, false);
    made.kernel.code = {{Op::subtract, dtype::complex128, dtype::complex128, 2, {0, 1, 0}}};
    Kernel a = made.kernel, b = made.kernel;
    const Owned like = empty_like(rng, dtype::complex128, made.kernel.shape);
    const Owned want = result(a, like, false), got = result(b, like, false);
    reference_backend().run(reference_backend().first_stream(), a);
    cpu_backend().run(cpu_backend().first_stream(), b);
    reference::each(made.kernel.shape, [&](const Dims& at) {
      ASSERT_TRUE(is_same(reference::load(like.type, reference::address(want, at)),
                          reference::load(like.type, reference::address(got, at)), Same::any_nan));
    });
  }
}

}  // namespace
}  // namespace cuprum::testing
