// Row programs as one launch give the bits that their stages give as kernels of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <tuple>

#include "codegen/key.h"
#include "core/cast.h"
#include "cuda_emulator.h"
#include "cuda_kernels.h"

namespace cuprum::cuda {
namespace {

using test::KernelBuilder;

constexpr dtype f2 = dtype::float16, f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32,
                i8 = dtype::int64, c8 = dtype::complex64;

std::uint64_t last_of(const KernelBuilder& b) { return std::uint64_t{1} << (b.kernel.shape.size() - 1); }

/// Bytes of an operand, from its first element on.
std::size_t extent(const Kernel& kernel, const Dims& strides, dtype type) {
  std::size_t reach = itemsize(type);
  for (std::size_t d = 0; d < strides.size(); ++d)
    reach += static_cast<std::size_t>((kernel.shape[d] - 1) * strides[d]);
  return reach;
}

class CudaRows : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Emulator::get().works()) GTEST_SKIP() << "no C++ compiler at run time";
  }

  /// Fills the leaves, runs the kernel both ways, and compares all that was written.
  void expect_same_bits(Kernel kernel, bool expect_fused = true, std::size_t misaligned = 0,
                        bool both_widths = false) {
    std::vector<std::vector<std::byte>> leaves;
    for (Leaf& leaf : kernel.leaves) {
      leaf.data = make(leaves, extent(kernel, leaf.strides, leaf.type), misaligned * itemsize(leaf.type));
      fill(leaf, extent(kernel, leaf.strides, leaf.type));
    }
    const auto wanted = written(kernel, misaligned, [](const Kernel& k) { run_split(k); });
    for (const bool wide : {false, true}) {
      if (wide && !both_widths) continue;
      bool fused = false;
      const auto got = written(kernel, misaligned, [&](const Kernel& k) {
        fused = run_row_program(k, {.wide = wide, .backwards = wide});
      });
      ASSERT_EQ(fused, expect_fused) << to_string(kernel.shape);
      if (fused) {
        ASSERT_EQ(wanted, got) << to_string(kernel.shape);
      }
    }
  }

 private:
  static std::byte* make(std::vector<std::vector<std::byte>>& in, std::size_t bytes, std::size_t offset) {
    in.emplace_back(bytes + 128, std::byte{0x5a});
    const auto first = reinterpret_cast<std::uintptr_t>(in.back().data());
    return reinterpret_cast<std::byte*>((first + 63) / 64 * 64 + offset);
  }

  void fill(const Leaf& leaf, std::size_t bytes) {
    const bool integer = is_integer(leaf.type);
    const dtype part = real_type(leaf.type);
    const std::size_t size = itemsize(part);
    std::normal_distribution<double> normal(1, 3);
    for (std::size_t at = 0; at < bytes; at += size) {
      const double value = normal(random_);
      const Scalar scalar = cast_scalar(Scalar::of(f8, integer ? std::round(value) : value), part);
      std::memcpy(leaf.data.address() + at, scalar.bytes, size);
    }
  }

  template <class Run>
  std::vector<std::string> written(Kernel& kernel, std::size_t misaligned, const Run& run) {
    std::vector<std::vector<std::byte>> memory;
    std::vector<std::pair<std::byte*, std::size_t>> outputs;
    for (Store& s : kernel.stores) {
      const std::size_t bytes = extent(kernel, s.strides, s.type);
      s.data = make(memory, bytes, misaligned * itemsize(s.type));
      outputs.emplace_back(s.data, bytes);
    }
    for (Reduction& r : kernel.reductions) {
      if (!r.data) continue;
      const std::size_t bytes = extent(kernel, r.strides, r.out);
      r.data = make(memory, bytes, 0);
      outputs.emplace_back(r.data, bytes);
    }
    run(kernel);
    std::vector<std::string> result;
    for (const auto& [data, bytes] : outputs) result.emplace_back(reinterpret_cast<const char*>(data), bytes);
    return result;
  }

  std::mt19937 random_{5};
};

/// exp(x - max) / sum, and the two results if `alive`.
KernelBuilder softmax(const Dims& shape, dtype t, bool alive) {
  KernelBuilder b(shape);
  const auto x = b.leaf(t);
  b.reduce(ReduceOp::max, x, t, t, last_of(b));
  const auto largest = b.result();
  b.stage();
  const auto e = b.apply(Op::exp, t, {b.apply(Op::subtract, t, {x, largest})});
  b.reduce(ReduceOp::sum, e, t, t, last_of(b));
  const auto sum = b.result();
  b.stage();
  b.store(b.apply(Op::divide, t, {e, sum}), t);
  b.stage();
  for (Reduction& r : b.kernel.reductions) {
    if (!alive) r.data = nullptr;
  }
  b.done();
  return b;
}

/// (x - mean) / sqrt(var + eps) * w + b, w and b the same for all rows, and 1 / sqrt(...) of every row.
KernelBuilder layer_norm(const Dims& shape, dtype t) {
  KernelBuilder b(shape);
  const auto x = b.leaf(t);
  Dims shared(shape.size(), 0);
  shared[shape.size() - 1] = static_cast<std::int64_t>(itemsize(t));
  const auto w = b.leaf(t, shared), bias = b.leaf(t, shared), eps = b.scalar(t, t == f8 ? 1e-5 : 1e-5f);
  b.reduce(ReduceOp::mean, x, t, t, last_of(b));
  const auto mean = b.result();
  b.kernel.reductions.back().data = nullptr;
  b.reduce(ReduceOp::var, x, t, t, last_of(b));
  const auto var = b.result();
  b.stage();
  const auto scale = b.apply(Op::reciprocal, t, {b.apply(Op::sqrt, t, {b.apply(Op::add, t, {var, eps})})});
  b.store_row(scale, t);
  const auto centred = b.apply(Op::subtract, t, {x, mean});
  b.store(
      b.apply(Op::add, t, {b.apply(Op::multiply, t, {b.apply(Op::multiply, t, {centred, scale}), w}), bias}),
      t);
  b.stage();
  b.done();
  return b;
}

struct Keeper {
  std::int64_t rows, n;
  dtype type;
  Form form;
  int items, memory_items, cluster;
};

TEST(CudaRowPlan, WhoKeepsARow) {
  const Keeper keepers[] = {{1 << 21, 128, f4, Form::row_program, 4, 0, 1},   // 8 threads
                            {1 << 18, 1024, f4, Form::row_program, 8, 0, 1},  // a warp
                            {1 << 14, 1 << 14, f4, Form::row_program, 16, 0, 1},
                            {1 << 13, 1 << 14, f8, Form::row_program, 16, 0, 1},
                            {1 << 10, 1 << 18, f4, Form::row_cluster, 16, 8, 16},
                            {1 << 12, 3 << 14, f4, Form::row_cluster, 16, 8, 3},
                            {2, 1 << 16, f4, Form::row_cluster, 16, 8, 4}};
  for (const Keeper& keeper : keepers) {
    const auto b = softmax({keeper.rows, keeper.n}, keeper.type, false);
    Plan plan;
    ASSERT_TRUE(make_row_plan(b.kernel, true, plan));
    const auto now = std::tuple(plan.form, int{plan.items}, int{plan.memory_items}, plan.cluster);
    EXPECT_EQ(now, std::tuple(keeper.form, keeper.items, keeper.memory_items, keeper.cluster)) << keeper.n;
    EXPECT_EQ(plan.shared != 0, plan.memory_items != 0 || plan.cluster > 1);
    Plan without;
    EXPECT_EQ(make_row_plan(b.kernel, false, without), keeper.cluster == 1);
  }
}

TEST(CudaRowPlan, ItemsThatRegistersDoNotHoldWaitInMemory) {
  const auto b = layer_norm({1 << 13, 1 << 14}, f8);
  Plan plan;
  ASSERT_TRUE(make_row_plan(b.kernel, true, plan));
  EXPECT_EQ(plan.memory_items, 8);
  EXPECT_EQ(plan.shared, 8u * 4 * 8 * 256);  // items of four elements
}

TEST(CudaRowPlan, OneTextServesRowsOfABucket) {
  const auto text_of = [](std::int64_t rows, std::int64_t n) {
    const auto b = softmax({rows, n}, f4, false);
    Plan plan;
    EXPECT_TRUE(make_row_plan(b.kernel, true, plan));
    Key key;
    make_key(b.kernel, plan, key);
    return std::pair(std::string(key.text()), make_source(b.kernel, plan));
  };
  EXPECT_EQ(text_of(50000, 600), text_of(70000, 1000));    // up to 8 items
  EXPECT_EQ(text_of(1024, 200000), text_of(600, 100000));  // clusters of different sizes
  EXPECT_NE(text_of(50000, 1000).first, text_of(50000, 1024).first);
  EXPECT_NE(text_of(50000, 1000).first, text_of(50000, 500).first);
}

// A kernel takes most of a second to compile: those of a text are told apart by their items per thread, and by what is whole.
TEST_F(CudaRows, EveryLength) {
  for (const std::int64_t n : {1, 3, 31, 32, 33, 127, 128, 129, 1000, 1024, 4097, 16384}) {
    for (const std::int64_t rows : {1, 5, 40}) {
      if (n * rows > 100000) continue;
      expect_same_bits(softmax({rows, n}, f4, true).kernel, true, 0, n == 1000);
      if (rows == 5) expect_same_bits(layer_norm({rows, n}, f4).kernel);
    }
  }
}

TEST_F(CudaRows, ManyRows) {  // a part of a warp per row
  for (const std::int64_t n : {1, 4, 8, 31, 128, 200}) expect_same_bits(softmax({20000, n}, f4, true).kernel);
}

TEST_F(CudaRows, Clusters) {
  for (const std::int64_t n : {32768, 100003, 262144}) {
    expect_same_bits(softmax({2, n}, f4, n == 32768).kernel);
    expect_same_bits(layer_norm({2, n}, f4).kernel);
  }
  expect_same_bits(softmax({520, 16390}, f4, false).kernel);  // enough rows: no splits
  expect_same_bits(softmax({2, 40000}, f8, true).kernel);     // elements wait in memory
  expect_same_bits(layer_norm({40, 12000}, f8).kernel);
  expect_same_bits(softmax({1, 300000}, f4, true).kernel, false);  // too long
}

TEST_F(CudaRows, Types) {
  for (const std::int64_t n : {5, 100, 2000}) {
    expect_same_bits(softmax({7, n}, f8, true).kernel, true, 1);
    expect_same_bits(layer_norm({7, n}, f8).kernel);
    // float16 read and written, computed in float32; argmax and max beside it.
    KernelBuilder b({6, n});
    const auto x = b.leaf(f2), wide = b.cast(x, f2, f4);
    b.reduce(ReduceOp::max, wide, f4, f4, 2);
    const auto largest = b.result();
    b.stage();
    const auto e = b.apply(Op::exp, f4, {b.apply(Op::subtract, f4, {wide, largest})});
    b.reduce(ReduceOp::sum, e, f4, f4, 2);
    const auto sum = b.result();
    b.stage();
    b.store(b.cast(b.apply(Op::divide, f4, {e, sum}), f4, f2), f2);
    b.reduce(ReduceOp::argmax, x, f2, i8, 2);
    b.stage();
    expect_same_bits(b.done(), true, 1);
    KernelBuilder c({6, n});
    const auto z = c.leaf(c8);
    c.reduce(ReduceOp::var, z, c8, f4, 2);
    const auto var = c.result();
    c.reduce(ReduceOp::prod, z, c8, c8, 2);
    c.stage();
    c.store(c.apply(Op::divide, c8, {z, c.cast(var, f4, c8)}), c8);
    c.stage();
    expect_same_bits(c.done());
    KernelBuilder i({6, n});
    const auto k = i.leaf(i4);
    i.reduce(ReduceOp::min, k, i4, i4, 2);
    const auto least = i.result();
    i.stage();
    i.store(i.apply(Op::subtract, i4, {k, least}), i4);
    i.stage();
    expect_same_bits(i.done());
  }
}

TEST_F(CudaRows, SeveralDimensions) {
  // Rows of two logical dimensions, leaves that every row has one of, scattered results, elements before a row's value.
  KernelBuilder b({4, 6, 3, 40});
  const auto x = b.leaf(f4, {28800, 480 * 10, 1600, 4}), weight = b.leaf(f4, {24, 4, 0, 0}),
             each = b.leaf(f4, {0, 0, 8, 0});
  const auto product = b.apply(Op::multiply, f4, {b.apply(Op::multiply, f4, {x, weight}), each});
  b.reduce(ReduceOp::mean, product, f4, f4, 12).strides = {8, 100, 0, 0};
  const auto mean = b.result();
  b.stage();
  const auto shifted = b.apply(Op::add, f4, {mean, weight});
  const auto squares = b.apply(Op::multiply, f4, {b.apply(Op::subtract, f4, {product, shifted}), x});
  b.reduce(ReduceOp::sum, squares, f4, f4, 12);
  const auto sum = b.result();
  b.stage();
  b.store_row(b.apply(Op::sqrt, f4, {sum}), f4);
  b.store(b.apply(Op::divide, f4, {squares, sum}), f4);
  b.store(product, f4);
  b.stage();
  expect_same_bits(b.done());
}

TEST_F(CudaRows, RowsAlone) {  // what an epilogue is: no elements are stored
  for (const std::int64_t n : {7, 1000, 20000}) {
    KernelBuilder b({3, n});
    b.reduce(ReduceOp::sum, b.leaf(f4), f4, f4, 2);
    b.kernel.reductions.back().data = nullptr;
    b.stage();
    b.store_row(b.apply(Op::sqrt, f4, {b.result()}), f4);
    b.stage();
    expect_same_bits(b.done());
  }
}

TEST_F(CudaRows, WhatHasNoPlan) {
  KernelBuilder columns({40, 30});  // the fastest dimension is kept
  const auto x = columns.leaf(f4);
  columns.reduce(ReduceOp::mean, x, f4, f4, 1);
  columns.stage();
  columns.store(columns.apply(Op::subtract, f4, {x, columns.result()}), f4);
  columns.stage();
  expect_same_bits(columns.done(), false);
}

}  // namespace
}  // namespace cuprum::cuda
