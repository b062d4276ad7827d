// Kernels of several stages: taken through all stages row by row, or split and run in order, they give the same bits.
#include "runtime/stages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "backend/cpu/threads.h"
#include "core/dims.h"
#include "runtime/backend.h"

namespace cuprum {
namespace {

/// log-sum-exp of rows, and softmax with an array of differences alive:
///     max(x)  |  d = x - max, stored; e = exp(d); sum(e)  |  log(sum) + max, stored per row; e / sum, stored
struct Softmax {
  Dims shape;
  std::uint64_t reduced;
  std::vector<float> x, differences, result, rows;
  Kernel kernel;

  Softmax(Dims s, std::uint64_t mask) : shape(std::move(s)), reduced(mask) {
    std::size_t n = 1, kept = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      n *= static_cast<std::size_t>(shape[d]);
      if (!(mask >> d & 1)) kept *= static_cast<std::size_t>(shape[d]);
    }
    std::mt19937 generator(7);
    std::normal_distribution<float> normal;
    x.resize(n);
    for (float& v : x) v = normal(generator);
    differences.resize(n);
    result.resize(n);
    rows.resize(kept);
    make_kernel();
  }

  void make_kernel() {
    const Dims strides = contiguous_strides(shape, 4);
    Dims row_strides;
    row_strides.resize(shape.size(), 0);
    std::int64_t next = 4;
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (reduced >> d & 1) continue;
      row_strides[d] = next;
      next *= shape[d];
    }
    kernel.shape = shape;
    kernel.reduced = reduced;
    kernel.leaves = {{bytes(x), dtype::float32, strides}};
    // Registers: x 0; d 1, e 2, log 3, lse 4, quotient 5; max 6, sum 7.
    kernel.code = {instr(Op::subtract, 0, 6), instr(Op::exp, 1), instr(Op::log, 7), instr(Op::add, 3, 6),
                   instr(Op::divide, 2, 7)};
    kernel.stores = {{bytes(differences), dtype::float32, strides, 1},
                     {bytes(rows), dtype::float32, row_strides, 4, true},
                     {bytes(result), dtype::float32, strides, 5}};
    for (const ReduceOp op : {ReduceOp::max, ReduceOp::sum}) {
      Reduction r;
      r.op = op;
      r.type = r.out = dtype::float32;
      r.src = op == ReduceOp::max ? 0 : 2;
      r.strides.resize(shape.size(), 0);
      r.arg_weights.resize(shape.size(), 0);
      kernel.reductions.push_back(r);
    }
    kernel.stages = {{0, 0, 1}, {2, 1, 2}, {5, 3, 2}};
  }

  static std::byte* bytes(std::vector<float>& v) { return reinterpret_cast<std::byte*>(v.data()); }
  static Instr instr(Op op, std::uint16_t a, std::uint16_t b = 0) {
    Instr i{};
    i.op = op;
    i.key = i.out = dtype::float32;
    i.nsrc = op == Op::exp || op == Op::log ? 1 : 2;
    i.src[0] = a;
    i.src[1] = b;
    return i;
  }

  std::vector<float> outputs() const {
    std::vector<float> all = differences;
    all.insert(all.end(), rows.begin(), rows.end());
    all.insert(all.end(), result.begin(), result.end());
    return all;
  }

  std::vector<float> fused(int threads) {
    const int before = cpu::num_threads();
    cpu::set_num_threads(threads);
    clear();
    cpu_backend().run(cpu_backend().first_stream(), kernel);
    cpu::set_num_threads(before);
    return outputs();
  }

  std::vector<float> in_order(std::uint32_t recompute) {
    clear();
    Split parts = split(kernel, recompute);
    std::vector<std::vector<std::byte>> memory;
    for (std::size_t i = 0; i < parts.crossings.size(); ++i)
      parts.place(i, memory.emplace_back(parts.crossings[i].bytes + 1).data());
    for (const Kernel& part : parts.kernels) {
      EXPECT_TRUE(part.stages.empty());
      cpu_backend().run(cpu_backend().first_stream(), part);
    }
    return outputs();
  }

  void clear() {
    for (auto* v : {&differences, &result, &rows}) std::fill(v->begin(), v->end(), -1.0f);
  }
};

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(Stages, RowsThroughAllStagesAreTheStagesInOrder) {
  const std::pair<Dims, std::uint64_t> cases[] = {
      {{5, 7}, 2},    {{300, 129}, 2},   {{2, 90000}, 2},  {{40, 300}, 1},
      {{1000}, 1},    {{7, 30, 20}, 4},  {{7, 30, 20}, 2}, {{3, 4, 50}, 6},
      {{6, 5, 8}, 5}, {{3, 700, 64}, 4}, {{4000, 16}, 2},
  };
  for (const auto& [shape, reduced] : cases) {
    Softmax program(shape, reduced);
    const std::vector<float> expected = program.in_order(16);
    for (const std::uint32_t recompute : {0u, 2u, 8u, 1000u})
      EXPECT_TRUE(same(program.in_order(recompute), expected)) << to_string(shape) << recompute;
    for (const int threads : {1, 2, 5})
      EXPECT_TRUE(same(program.fused(threads), expected)) << to_string(shape) << threads;
  }
}

TEST(Stages, SplitWritesWhatCrossesOnce) {
  Softmax program({10, 20}, 2);
  const Split cheap = split(program.kernel, 1000);
  const Split near = split(program.kernel, 2);
  // The row values max, sum and log(sum) + max; the last is stored. With little to recompute, e crosses too.
  EXPECT_EQ(cheap.crossings.size(), 2u);
  EXPECT_EQ(near.crossings.size(), 3u);
  EXPECT_EQ(cheap.kernels.size(), 4u);
  std::size_t elements = 0;
  for (const Crossing& crossing : near.crossings) elements += crossing.row ? 0 : 1;
  EXPECT_EQ(elements, 1u);
}

TEST(Stages, TheReferenceAgrees) {
  Softmax program({12, 33}, 2);
  const std::vector<float> ours = program.fused(2);
  program.clear();
  reference_backend().run(reference_backend().first_stream(), program.kernel);
  const std::vector<float> slow = program.outputs();
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], slow[i], 1e-5f);
}

TEST(Stages, RowValuesAreDerived) {
  const Softmax program({12, 33}, 2);
  const std::vector<bool> row = row_values(program.kernel);
  EXPECT_EQ(row, (std::vector<bool>{false, false, false, true, true, false, true, true}));
}

}  // namespace
}  // namespace cuprum
