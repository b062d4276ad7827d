// The code generator of the CUDA plug-in, as far as it needs neither a device nor a compiler: divisions, keys, sources, and
// the cut of reductions.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

#include "codegen/arguments.h"
#include "codegen/divisor.h"
#include "codegen/key.h"
#include "codegen/source.h"
#include "codegen/structure.h"
#include "cuda_kernels.h"

namespace cuprum::cuda {
namespace {

using test::KernelBuilder;

constexpr dtype f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32, i8 = dtype::int64;

struct Generated {
  std::string key, source;
};

Generated generate(const Kernel& kernel) {
  Generated g;
  const auto passes = passes_of(kernel);
  for (const Pass pass : passes) {
    Plan plan;
    make_plan(kernel, pass, pass == passes.back(), plan);
    Key key;
    make_key(kernel, plan, key);
    g.key += std::string(key.text()) + "|";
    g.source += make_source(kernel, plan);
  }
  return g;
}

Plan plan_of(const Kernel& kernel) {
  Plan plan;
  make_plan(kernel, passes_of(kernel)[0], true, plan);
  return plan;
}

Kernel axpy(std::int64_t n, float a, std::uintptr_t offset = 0) {
  KernelBuilder b({n});
  const auto x = b.leaf(f4, {4}, offset), y = b.leaf(f4), s = b.scalar(f4, a);
  b.store(b.apply(Op::add, f4, {b.apply(Op::multiply, f4, {x, s}), y}), f4);
  return b.done();
}

Kernel sum(Dims shape, std::uint64_t axes, std::uint64_t merged = 0, ReduceOp op = ReduceOp::sum) {
  KernelBuilder b(std::move(shape));
  b.reduce(op, b.leaf(f4), f4, f4, axes);
  b.kernel.merged = merged;
  return b.done();
}

// -- Division.

template <class Index>
void check_divisor(std::int64_t d, std::mt19937_64& random) {
  const auto by = make_divisor<Index>(d);
  constexpr std::int64_t limit = sizeof(Index) == 4 ? 0x7fffffff : 0x7fffffffffffffff;
  const auto check = [&](std::int64_t n) {
    if (n >= 0 && n <= limit) {
      EXPECT_EQ(quotient(n, by), n / d) << n << " / " << d;
    }
  };
  for (const std::int64_t n : {std::int64_t{0}, std::int64_t{1}, d - 1, d, limit - 1, limit}) check(n);
  if (d < limit / 2) check(2 * d - 1);
  const std::int64_t most = limit / d * d;
  check(most);
  check(most - 1);
  for (int i = 0; i < 50; ++i) check(static_cast<std::int64_t>(random()) & limit);
}

TEST(CudaDivisor, IsExact) {
  std::mt19937_64 random(1);
  for (std::int64_t d = 1; d < 300; ++d) {
    check_divisor<int>(d, random);
    check_divisor<device::int64>(d, random);
  }
  for (int i = 0; i < 2000; ++i) {
    const auto bits = static_cast<int>(random() % 62) + 1;
    const auto d = static_cast<std::int64_t>(random() >> (64 - bits)) | 1;
    check_divisor<device::int64>(d, random);
    check_divisor<device::int64>(std::int64_t{1} << bits, random);
    if (bits <= 30) {
      check_divisor<int>(d, random);
      check_divisor<int>(std::int64_t{1} << bits, random);
    }
  }
  check_divisor<int>(0x7fffffff, random);
}

// -- Structures.

/// Kernels that differ from each other in one thing each, and some in numbers alone.
std::vector<Kernel> relatives() {
  std::vector<Kernel> kernels = {axpy(1000, 1),
                                 axpy(1000, 2),
                                 axpy(1000, 2, 32),
                                 axpy(1000, 1, 4),
                                 axpy(1001, 1),
                                 axpy(1 << 30, 1),
                                 sum({8, 9}, 1),
                                 sum({8, 9}, 2),
                                 sum({8, 9}, 3),
                                 sum({8, 9}, 3, 1),
                                 sum({72}, 1),
                                 sum({9, 8}, 1),
                                 sum({8, 9}, 1, 0, ReduceOp::max)};
  const auto changed = [&](const Kernel& base, auto change) { change(kernels.emplace_back(base)); };
  for (const Kernel& base : {axpy(1000, 1), sum({8, 9}, 2)}) {
    changed(base, [](Kernel& k) { k.leaves[0].strides.back() = 8; });
    changed(base, [](Kernel& k) { k.leaves[0].strides.back() = 0; });
    changed(base, [](Kernel& k) { k.leaves[0].type = i4; });
    changed(base, [](Kernel& k) { k.leaves[0].data += 16 * 1000; });
    changed(base, [](Kernel& k) { k.leaves[0].data += 2; });
  }
  const Kernel base = axpy(1000, 1), total = sum({8, 9}, 2);
  changed(base, [](Kernel& k) { k.stores[0].data += 64; });
  changed(base, [](Kernel& k) { k.stores[0].data += 4; });
  changed(base, [](Kernel& k) { k.stores[0].strides[0] = 12; });
  changed(base, [](Kernel& k) { k.stores[0].type = i4; });
  changed(base, [](Kernel& k) { --k.stores[0].src; });
  changed(base, [](Kernel& k) { k.code[0].op = Op::subtract; });
  changed(base, [](Kernel& k) { k.code[0].key = f8; });
  changed(base, [](Kernel& k) { k.code[0].out = f8; });
  changed(base, [](Kernel& k) { k.code[0].src[0] = 1; });
  changed(base, [](Kernel& k) { k.code.pop_back(), --k.stores[0].src; });
  changed(base, [](Kernel& k) { k.scalars[0] = Scalar::of(f8, 1.0); });
  changed(base, [](Kernel& k) { k.stores.push_back(k.stores[0]); });
  KernelBuilder two({1000});
  for (int k = 0; k < 2; ++k) two.store(two.leaf(f4), f4, {8});
  const Kernel apart = two.done();
  changed(apart, [](Kernel& k) { k.stores[1].data = k.stores[0].data + 4; });  // interleaved
  changed(apart,
          [](Kernel& k) { k.stores[1].data = k.stores[0].data + 4 + 16 * 1000; });  // as aligned, elsewhere
  changed(total, [](Kernel& k) { k.reductions[0].strides[0] = 40; });
  changed(total, [](Kernel& k) { k.reductions[0].data += 8; });
  changed(total, [](Kernel& k) { k.reductions[0].out = f8; });
  changed(total, [](Kernel& k) { k.reductions[0].type = f8; });
  changed(total, [](Kernel& k) { k.reductions[0].op = ReduceOp::argmax; });
  changed(total,
          [](Kernel& k) { k.reductions[0].op = ReduceOp::argmax, k.reductions[0].arg_weights[1] = 3; });
  changed(total, [](Kernel& k) { k.reductions[0].op = ReduceOp::var, k.reductions[0].ddof = 0; });
  changed(total, [](Kernel& k) { k.reductions[0].op = ReduceOp::var, k.reductions[0].ddof = 1; });
  return kernels;
}

std::string arguments_of(const Kernel& kernel, const Plan& plan) {
  static ArgumentBuffer buffer;
  std::memset(buffer.data(), 0, 4096);  // what lies between the members
  pack_arguments(kernel, plan, {}, buffer);
  return {reinterpret_cast<const char*>(buffer.data()), buffer.size()};
}

TEST(CudaStructure, OnePlanServesAllKernelsOfAStructure) {
  const std::vector<Kernel> kernels = relatives();
  int served = 0;
  for (const Kernel& one : kernels) {
    for (const Kernel& other : kernels) {
      if (!same_structure(one, other)) continue;
      served += &one != &other;
      EXPECT_EQ(structure_hash(one), structure_hash(other));
      EXPECT_EQ(generate(one).key, generate(other).key);
      const Plan plan = plan_of(one);
      EXPECT_EQ(arguments_of(other, plan), arguments_of(other, plan_of(other)));
      EXPECT_EQ(plan.grid_x, plan_of(other).grid_x);
    }
  }
  // Both ways: the three with other scalars and addresses, and pairs by the address of a leaf, a store, a result, by ddof.
  EXPECT_GE(served, 2 * (3 + 3 + 1 + 1 + 1 + 1));
}

TEST(CudaStructure, WhatNeedsAnotherKernelIsAnotherStructure) {
  const std::vector<Kernel> kernels = relatives();
  for (const Kernel& one : kernels) {
    for (const Kernel& other : kernels) {
      if (generate(one).key != generate(other).key) {
        EXPECT_FALSE(same_structure(one, other));
      }
    }
  }
}

// -- Keys and sources.

TEST(CudaKey, LeavesOutNumbers) {
  const Generated one = generate(axpy(1000, 123.456f)), other = generate(axpy(2000, -7.25f));
  EXPECT_EQ(one.key, other.key);
  EXPECT_EQ(one.source, other.source);
  EXPECT_EQ(one.source.find("123"), std::string::npos);
  EXPECT_EQ(one.source.find("1000"), std::string::npos);
}

TEST(CudaSource, SinAndCosOfOneOperandShareItsAngle) {
  const auto count = [](const std::string& text, const std::string& part) {
    int n = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  };
  KernelBuilder b({1000});
  const auto x = b.leaf(f4), y = b.leaf(f4), z = b.leaf(f8);
  const auto sine = b.apply(Op::sin, f4, {x}), other = b.apply(Op::cos, f4, {y});
  b.store(b.apply(Op::multiply, f4, {sine, b.apply(Op::cos, f4, {x})}), f4);
  b.store(other, f4);
  b.store(b.apply(Op::add, f8, {b.apply(Op::sin, f8, {z}), b.apply(Op::cos, f8, {z})}), f8);
  const std::string source = generate(b.done()).source;
  EXPECT_EQ(count(source, "k::angle_of(l.x0[v])"), 1);
  EXPECT_EQ(count(source, "k::angle_of("), 1);
  EXPECT_EQ(count(source, "k::sin_of("), 1);
  EXPECT_EQ(count(source, "k::cos_of("), 1);
  EXPECT_EQ(count(source, "k::cos(l.x1[v])"), 1);
}

TEST(CudaKey, LeavesOutStridesAndNamesOfDimensions) {
  const auto sliced = [](std::int64_t step, Dims shape) {
    KernelBuilder b(std::move(shape));
    const std::int64_t row = b.kernel.shape[1] * step;
    b.store(b.apply(Op::negative, f4, {b.leaf(f4, {row, step})}), f4);
    return generate(b.done());
  };
  EXPECT_EQ(sliced(12, {10, 20}).key, sliced(24, {30, 44}).key);
  EXPECT_NE(sliced(12, {10, 20}).key, sliced(12, {10, 21}).key);  // rows of 21 are no multiple of the vector
}

TEST(CudaKey, DifferentStructuresDiffer) {
  std::vector<Kernel> kernels = {axpy(1000, 1), axpy(1000, 1, 4), axpy(std::int64_t{1} << 31, 1)};
  for (const Op op : {Op::add, Op::subtract, Op::multiply}) {
    for (const dtype t : {f4, f8, i4, i8}) {
      KernelBuilder b({1000});
      const auto x = b.leaf(t), y = b.leaf(t);
      b.store(b.apply(op, t, {x, y}), t);
      kernels.push_back(b.done());
      KernelBuilder same({1000});  // one operand twice
      const auto z = same.leaf(t);
      same.store(same.apply(op, t, {z, z}), t);
      kernels.push_back(same.done());
    }
  }
  for (const Dims& strides : {Dims{0, 4}, Dims{4, 0}, Dims{400, 4}, Dims{800, 8}, Dims{4, 400}}) {
    KernelBuilder b({100, 100});
    b.store(b.apply(Op::add, f4, {b.leaf(f4), b.leaf(f4, strides)}), f4);
    kernels.push_back(b.done());
  }
  for (const std::uint64_t axes : {1, 2, 3}) {
    for (const ReduceOp op : {ReduceOp::sum, ReduceOp::max, ReduceOp::mean, ReduceOp::var}) {
      kernels.push_back(sum({100, 100}, axes, 0, op));
    }
  }
  std::set<std::string> keys, sources;
  for (const Kernel& kernel : kernels) {
    const Generated g = generate(kernel);
    keys.insert(g.key);
    sources.insert(g.source);
  }
  // axes 3 of one operand is a single row only where the engine has merged it, so every kernel above is its own.
  EXPECT_EQ(keys.size(), kernels.size());
  EXPECT_EQ(sources.size(), kernels.size());
}

TEST(CudaKey, EqualKeysMeanEqualSources) {
  std::mt19937 random(7);
  std::map<std::string, std::string> by_key;
  int repeated = 0;
  for (int i = 0; i < 3000; ++i) {
    KernelBuilder b(
        {static_cast<std::int64_t>(random() % 3 + 15), static_cast<std::int64_t>(random() % 5 + 15)});
    const std::int64_t n = b.kernel.shape[1];
    const Dims layouts[] = {{n * 4, 4}, {n * 8, 8}, {0, 4}, {4, 0}, {4, 4 * b.kernel.shape[0]}};
    const auto x = b.leaf(f4, layouts[random() % 5], random() % 2 * 4);
    const auto y = b.leaf(f4, layouts[random() % 5]);
    const auto z = b.apply(random() % 2 ? Op::add : Op::multiply, f4, {x, y});
    if (random() % 3 != 0) b.store(z, f4);
    if (random() % 2 || b.kernel.stores.empty()) b.reduce(ReduceOp::sum, z, f4, f4, random() % 3 + 1);
    const Generated g = generate(b.done());
    const auto [found, added] = by_key.emplace(g.key, g.source);
    EXPECT_EQ(found->second, g.source);
    repeated += !added;
  }
  EXPECT_GT(repeated, 1000);
}

// -- Plans.

TEST(CudaPlan, VectorsAndIndices) {
  EXPECT_EQ(plan_of(axpy(1000, 1)).vector, 4);
  EXPECT_EQ(plan_of(axpy(1000, 1)).access_of[0], Access::vector);
  EXPECT_EQ(plan_of(axpy(1000, 1, 4)).access_of[0], Access::unit);
  EXPECT_FALSE(plan_of(axpy(1 << 28, 1)).wide);
  EXPECT_TRUE(plan_of(axpy(std::int64_t{1} << 29, 1)).wide);
  EXPECT_EQ(plan_of(axpy(3, 1)).vector, 4);
  KernelBuilder b({1000, 3});
  b.store(b.leaf(f4, {24, 4}), f4);
  EXPECT_EQ(plan_of(b.done()).vector, 1);
  KernelBuilder transposed({100, 100});
  transposed.store(transposed.leaf(f4, {4, 400}), f4);
  EXPECT_EQ(plan_of(transposed.done()).form, Form::tiles);
  KernelBuilder narrow({100, 3});
  narrow.store(narrow.leaf(f4, {4, 400}), f4);
  EXPECT_EQ(plan_of(narrow.done()).form, Form::elementwise);
}

TEST(CudaPlan, ItemsInFlight) {
  const auto negated = [](dtype type, std::int64_t stride) {
    KernelBuilder b({1000});
    b.store(b.apply(Op::negative, type, {b.leaf(type, {stride})}), type);
    return plan_of(b.done()).unroll;
  };
  EXPECT_EQ(negated(f4, 4), 1);
  EXPECT_EQ(negated(f8, 8), 1);
  EXPECT_EQ(negated(f4, 8), 2);
  EXPECT_EQ(negated(f4, -4), 2);
  EXPECT_EQ(plan_of(axpy(1000, 1)).unroll, 2);
  KernelBuilder widened({1000});
  widened.store(widened.cast(widened.leaf(dtype::float16), dtype::float16, f4), f4);
  EXPECT_EQ(plan_of(widened.done()).unroll, 2);
  KernelBuilder narrowed({1000});
  narrowed.store(narrowed.cast(narrowed.leaf(f4), f4, dtype::float16), dtype::float16);
  EXPECT_EQ(plan_of(narrowed.done()).unroll, 2);
  KernelBuilder heavy({1000});
  heavy.store(heavy.apply(Op::add, f4, {heavy.apply(Op::exp, f4, {heavy.leaf(f4)}), heavy.leaf(f4)}), f4);
  EXPECT_EQ(plan_of(heavy.done()).unroll, 1);
}

TEST(CudaPlan, InterleavedStores) {
  const auto joined = [](dtype type, int parts, std::int64_t offset, std::int64_t gap) {
    const auto size = static_cast<std::int64_t>(itemsize(type));
    KernelBuilder b({1000});
    for (int k = 0; k < parts; ++k) b.store(b.leaf(type), type, {parts * size + gap});
    std::byte* first = b.kernel.stores[0].data + offset;
    for (int k = 0; k < parts; ++k) b.kernel.stores[k].data = first + k * size;
    return plan_of(b.done());
  };
  EXPECT_TRUE(joined(f4, 2, 0, 0).interleaved);
  EXPECT_EQ(joined(f4, 2, 0, 0).vector, 2);
  EXPECT_EQ(joined(f4, 2, 0, 0).access_of[2], Access::vector);
  EXPECT_EQ(joined(f4, 2, 8, 0).access_of[2], Access::unit);
  EXPECT_EQ(joined(f4, 3, 0, 0).vector, 2);
  EXPECT_EQ(joined(f4, 4, 0, 0).vector, 1);
  EXPECT_EQ(joined(dtype::uint8, 3, 0, 0).vector, 8);
  EXPECT_FALSE(joined(f4, 2, 0, 4).interleaved);
  KernelBuilder swapped({1000});
  for (int k = 0; k < 2; ++k) swapped.store(swapped.leaf(f4), f4, {8});
  swapped.kernel.stores[1].data = swapped.kernel.stores[0].data - 4;
  EXPECT_FALSE(plan_of(swapped.done()).interleaved);
}

TEST(CudaPlan, EmptyKernels) {
  EXPECT_TRUE(is_empty(axpy(0, 1)));
  EXPECT_FALSE(is_empty(sum({0}, 1)));
  EXPECT_TRUE(reduces_nothing(sum({0}, 1)));
  EXPECT_TRUE(is_empty(sum({0, 5}, 2)));
}

TEST(CudaPlan, ArgumentsThatDoNotFitAreRefused) {
  KernelBuilder b({2, 3, 5, 7, 11, 13, 17, 19});
  std::uint16_t total = b.leaf(f4);
  for (int i = 1; i < 2000; ++i) {
    Dims strides = b.contiguous(f4);
    for (auto& s : strides) s += 4 * i;
    total = b.apply(Op::add, f4, {total, b.leaf(f4, strides)});
  }
  b.store(total, f4);
  Kernel& kernel = b.done();
  Plan plan;
  make_plan(kernel, Pass::elementwise, true, plan);
  static ArgumentBuffer buffer;
  EXPECT_THROW(pack_arguments(kernel, plan, {}, buffer), Error);
}

// -- The cut of reductions.

void expect_same_cut(const ReduceShape& a, const ReduceShape& b) {
  EXPECT_EQ(a.form, b.form);
  EXPECT_EQ(a.inner, b.inner);
  EXPECT_EQ(a.row_items, b.row_items);
  EXPECT_EQ(a.items, b.items);
  EXPECT_EQ(a.major, b.major);
  EXPECT_EQ(a.results, b.results);
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.shift, b.shift);
  EXPECT_EQ(a.splits, b.splits);
}

TEST(CudaReduceShape, DependsOnLogicalDimensionsAlone) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    Dims logical, physical;
    std::uint64_t reduced = 0, split_reduced = 0, merged = 0;
    const int rank = 1 + static_cast<int>(random() % 4);
    for (int d = 0; d < rank; ++d) {
      const bool is_reduced = d == 0 ? random() % 2 : !(reduced >> (d - 1) & 1);
      std::int64_t extent = 1;
      const int parts = 1 + static_cast<int>(random() % 3);
      for (int part = 0; part < parts; ++part) {
        const std::int64_t factor = 2 + static_cast<std::int64_t>(random() % 20);
        if (part != 0) merged |= std::uint64_t{1} << (physical.size() - 1);
        split_reduced |= static_cast<std::uint64_t>(is_reduced) << physical.size();
        physical.push_back(factor);
        extent *= factor;
      }
      reduced |= static_cast<std::uint64_t>(is_reduced) << d;
      logical.push_back(extent);
    }
    if (reduced == 0) continue;
    expect_same_cut(reduce_shape(sum(logical, reduced), false),
                    reduce_shape(sum(physical, split_reduced, merged), false));
  }
}

TEST(CudaReduceShape, CoversEverything) {
  std::mt19937 random(5);
  for (int i = 0; i < 5000; ++i) {
    const auto extent = [&] {
      return std::int64_t{1} + static_cast<std::int64_t>(random() >> (random() % 24 + 8));
    };
    const Kernel kernel = sum({extent(), extent()}, 1 + random() % 3);
    const ReduceShape s = reduce_shape(kernel, false);
    const std::int64_t total = s.form == Form::rows ? s.items : s.major;
    EXPECT_GE(s.part * s.splits, total);
    EXPECT_LT(s.part * (s.splits - 1), total);
    EXPECT_LE(s.shift, 8);
    const std::int64_t side = std::int64_t{1} << s.shift;
    const std::int64_t wanted = s.form == Form::rows ? s.results * side : s.items * (device::kBlock / side);
    EXPECT_GE(s.blocks * device::kBlock, wanted);
    if (s.splits > 1) {
      EXPECT_LE(s.blocks, kMaxTickets);
      if (s.form == Form::rows) {
        EXPECT_EQ(side, device::kBlock);
      }
    }
    EXPECT_LE(s.splits, 65535);
  }
}

TEST(CudaReduceShape, FillsTheDevice) {
  const std::int64_t n = 16384;
  for (const Kernel& kernel :
       {sum({n * n}, 1), sum({n, n}, 1), sum({n, n}, 2), sum({n * n, 3}, 1), sum({4, n * n}, 1)}) {
    const ReduceShape s = reduce_shape(kernel, false);
    EXPECT_GE(s.blocks * s.splits, 512);
  }
}

}  // namespace
}  // namespace cuprum::cuda
