// Kernels that read leaves through indices give the bits that they give where these lie in memory.
#include "cuda_leaves.h"

namespace cuprum::cuda {
namespace {

constexpr dtype f2 = dtype::float16, f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32,
                i8 = dtype::int64, u1 = dtype::uint8, u4 = dtype::uint32, b1 = dtype::bool_,
                c8 = dtype::complex64, c16 = dtype::complex128;

TEST_F(CudaLeaves, GathersInARow) {
  for (const std::int64_t n : {1, 3, 1000, 1024, 3001}) {
    for (const dtype index : {i8, i4}) {
      KernelBuilder b({n});
      const auto x = b.gather(f4, {0}, {static_cast<std::int64_t>(itemsize(index))}, 50, 4, index);
      b.store(b.apply(Op::add, f4, {b.apply(Op::multiply, f4, {x, b.leaf(f4)}), b.leaf(f4)}), f4);
      check(b.done(), n % 2);
    }
    KernelBuilder two({n});
    const auto x = two.gather(f8, {0}, {8}, 7, -24), y = two.gather(f8, {0}, {-8}, 7, 8);
    two.store(two.apply(Op::subtract, f8, {x, y}), f8);
    check(two.done());
  }
}

TEST_F(CudaLeaves, GathersOfEveryType) {
  for (const dtype type : {b1, u1, f2, i4, c8, c16}) {
    const auto size = static_cast<std::int64_t>(itemsize(type));
    KernelBuilder b({77});
    const auto x = b.gather(type, {0}, {8}, 9, size), y = b.leaf(type);
    b.store(b.apply(Op::where, type, {b.apply(Op::equal, type, {x, y}), x, y}), type);
    check(b.done(), 1);
  }
  KernelBuilder b({77});
  std::uint16_t total = b.scalar(f4, 0.5f);
  for (const dtype index : {dtype::int8, dtype::uint16, u4, dtype::uint64})
    total = b.apply(Op::add, f4,
                    {total, b.gather(f4, {0}, {static_cast<std::int64_t>(itemsize(index))}, 60, 4, index)});
  b.store(total, f4);
  check(b.done());
}

// table[idx], table[:, idx], table[idx][:, None], table[idx[:, None], idx], and dimensions that do not merge.
TEST_F(CudaLeaves, GathersOfRows) {
  for (const std::int64_t n : {3, 12, 64}) {
    for (const std::int64_t misaligned : {0, 1}) {
      KernelBuilder rows({10, n});
      const auto x = rows.gather(f4, {0, 4}, {8, 0}, 20, n * 4), w = rows.leaf(f4);
      rows.store(rows.apply(Op::multiply, f4, {x, w}), f4);
      check(rows.done(), misaligned);
      KernelBuilder columns({10, n});
      const auto c = columns.gather(f4, {400, 0}, {0, 8}, 100, 4);
      columns.store(columns.apply(Op::add, f4, {c, columns.leaf(f4)}), f4);
      check(columns.done(), misaligned);
    }
    KernelBuilder steps({5, n});
    const auto back = steps.gather(f8, {0, -8}, {8, 0}, 6, n * 8),
               one = steps.gather(f8, {0, 0}, {16, 0}, 6, 8), same = steps.gather(f8, {0, 0}, {0, 0}, 6, 8),
               far = steps.gather(f8, {0, 16}, {8, 0}, 6, 1000);
    steps.store(steps.apply(Op::add, f8, {back, one}), f8);
    steps.store(steps.apply(Op::multiply, f8, {same, far}), f8);
    check(steps.done());
  }
}

TEST_F(CudaLeaves, GathersBesideTiles) {
  KernelBuilder b({40, 50});
  const auto turned = b.leaf(f4, {4, 160}), x = b.gather(f4, {0, 0}, {400, 8}, 30, 4),
             row = b.gather(f4, {0, 4}, {8, 0}, 30, 200), across = b.gather(f4, {0, 0}, {8, 320}, 30, 4);
  b.store(b.apply(Op::add, f4, {b.apply(Op::multiply, f4, {turned, x}), b.apply(Op::add, f4, {row, across})}),
          f4);
  check(b.done());
}

TEST_F(CudaLeaves, GathersThatAreReduced) {
  using R = ReduceOp;
  struct Reduced {
    Dims shape;
    std::uint64_t axes, merged;
  };
  const Reduced all[] = {{{5000}, 1, 0},    {{70001}, 1, 0},     {{40, 130}, 2, 0},  {{130, 40}, 1, 0},
                         {{7, 3001}, 2, 0}, {{3, 50, 40}, 7, 3}, {{30, 5, 7}, 6, 2}, {{50, 4, 3}, 1, 2}};
  for (const auto& [shape, axes, merged] : all) {
    KernelBuilder b(shape);
    Dims index = b.contiguous(i8), table(shape.size(), 0);
    if (shape.size() > 1) {  // rows that an index names
      index = Dims(shape.size(), 0);
      index[0] = 8;
      table = b.contiguous(f4);
      table[0] = 0;
    }
    const auto x = b.gather(f4, table, index, 60, shape.size() > 1 ? b.contiguous(f4)[0] : 4);
    const auto y = b.apply(Op::multiply, f4, {x, b.leaf(f4)});
    b.reduce(R::sum, y, f4, f4, axes);
    b.reduce(R::var, y, f4, f4, axes);
    b.reduce(R::argmax, y, f4, i8, axes);
    b.reduce(R::generic, y, f4, f4, axes).fold = Op::subtract;
    b.store(y, f4);
    b.kernel.merged = merged;
    check(b.done());
  }
}

TEST_F(CudaLeaves, GathersOfRowPrograms) {
  for (const std::int64_t n : {40, 1000, 30000}) {
    KernelBuilder b({3, n});
    const auto x = b.gather(f4, {0, 4}, {8, 0}, 5, n * 4), row = b.gather(f4, {0, 0}, {8, 0}, 9, 4),
               all = b.gather(f4, {0, 0}, {0, 8}, 9, 4);
    const auto y = b.apply(Op::add, f4, {b.apply(Op::multiply, f4, {x, row}), all});
    b.reduce(ReduceOp::max, y, f4, f4, 2).data = nullptr;
    b.stage();
    const auto e = b.apply(Op::exp, f4, {b.apply(Op::subtract, f4, {y, b.result()})});
    b.reduce(ReduceOp::sum, e, f4, f4, 2);
    b.stage();
    b.store(b.apply(Op::divide, f4, {e, b.result()}), f4);
    b.stage();
    Plan plan;
    ASSERT_TRUE(make_row_plan(b.done(), true, plan));
    check(b.kernel);
  }
}

TEST_F(CudaLeaves, BadIndicesAreToldOnceAndReadZero) {
  for (const bool row : {false, true}) {
    KernelBuilder b({4, 100});
    const auto x = row ? b.gather(f4, {0, 4}, {8, 0}, 20, 400) : b.gather(f4, {0, 0}, {800, 8}, 20, 4);
    b.store(b.apply(Op::add, f4, {x, b.leaf(f4)}), f4);
    Kernel kernel = b.done();
    kernel.gathers[0].site = {"ndarray.__getitem__", {3}, {}};
    Memory memory;
    fill(kernel, 0, memory);
    const std::int64_t bad = -21;
    std::memcpy(kernel.gathers[0].index.data.address() + (row ? 2 * 8 : 55 * 8), &bad, 8);
    unsigned claimed = 0;
    device::FaultRecord record;
    record.claimed = &claimed;
    const auto wanted = written(in_memory(kernel, memory), 0, {});
    for (int i = 0; i < 2; ++i) {
      ASSERT_EQ(written(kernel, 0, {.told = &record}), wanted);
      EXPECT_EQ(claimed, 1u);
      EXPECT_EQ(record.found, i == 0);
      EXPECT_EQ(record.value, -21);
      EXPECT_EQ(record.axis, 3);
      EXPECT_EQ(record.extent, 20);
      EXPECT_STREQ(record.function, "ndarray.__getitem__");
      record.found = 0;
    }
  }
}

TEST_F(CudaLeaves, WhatIsReadHowIsInTheKey) {
  const auto key = [](const std::function<void(Gathered&, Leaf&)>& change) {
    KernelBuilder b({40, 48});
    b.store(b.gather(f4, {0, 4}, {8, 0}, 20, 192), f4);
    Kernel kernel = b.done();
    change(kernel.gathers[0], kernel.leaves[0]);
    Plan plan;
    make_plan(kernel, Pass::elementwise, true, plan);
    Key key;
    make_key(kernel, plan, key);
    return std::string(key.text());
  };
  const std::string plain = key([](Gathered&, Leaf&) {});
  EXPECT_EQ(plain, key([](Gathered& g, Leaf&) { g.extent = 7, g.step = 400, g.strides[0] = 16; }));
  EXPECT_NE(plain, key([](Gathered& g, Leaf&) { g.index.type = i4; }));
  EXPECT_NE(plain, key([](Gathered& g, Leaf&) { g.step = 196; }));  // rows that are not aligned
  EXPECT_NE(plain, key([](Gathered& g, Leaf& leaf) { g.strides = {8, 8}, leaf.strides = {0, 0}; }));
}

}  // namespace
}  // namespace cuprum::cuda
