// Generated kernels compute what they should, without a GPU: the host's compiler compiles them against cuda_on_host.h, and
// the results are those of the reference backend. And the bits of a reduction depend on its logical shape alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "core/cast.h"
#include "cuda_emulator.h"
#include "cuda_kernels.h"
#include "operand_memory.h"
#include "runtime/backend.h"

namespace cuprum::cuda {
namespace {

using test::KernelBuilder;

constexpr dtype f2 = dtype::float16, f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32,
                i8 = dtype::int64, u1 = dtype::uint8, b1 = dtype::bool_, c8 = dtype::complex64,
                c16 = dtype::complex128;

// -- Memory.

/// Visits the elements of a view in C order.
template <class F>
void each_element(const Dims& shape, const Dims& strides, F f) {
  Dims at(shape.size());
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * strides[d];
    f(offset);
    std::size_t d = shape.size();
    while (d > 0 && ++at[d - 1] == shape[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

Scalar random_value(dtype t, bool special, std::mt19937& random) {
  double part[2] = {std::ldexp(static_cast<double>(random() % 4096) - 2048, -8),
                    static_cast<double>(random() % 9) - 4};
  if (is_integer(t)) part[0] = static_cast<double>(random() % 100) - (is_signed_integer(t) ? 50 : 0);
  if (is_bool(t)) part[0] = random() % 2;
  if (special && random() % (is_complex(t) ? 5 : 29) == 0 && !is_integer(t)) {
    part[0] = random() % 3 == 0 ? std::nan("") : random() % 2 ? HUGE_VAL : -0.0;
  }
  Scalar wide;
  wide.type = dtype::complex128;
  std::memcpy(wide.bytes, part, sizeof part);
  return cast_scalar(wide, t);
}

void fill(const Kernel& kernel, const Leaf& leaf, bool special, std::mt19937& random) {
  each_element(kernel.shape, leaf.strides, [&](std::int64_t offset) {
    std::memcpy(leaf.data + offset, random_value(leaf.type, special, random).bytes, itemsize(leaf.type));
  });
}

Dims kept_of(const Kernel& kernel, const Dims& dims) {
  Dims kept;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!(kernel.reduced >> d & 1)) kept.push_back(dims[d]);
  }
  return kept;
}

struct Output {
  dtype type;
  double tolerance;
  std::vector<Scalar> values;
};

double tolerance_of(const Reduction& r) {
  const bool rounded = is_floating(r.type) || is_complex(r.type);
  const bool sums =
      r.op == ReduceOp::sum || r.op == ReduceOp::mean || r.op == ReduceOp::var || r.op == ReduceOp::generic;
  if (!rounded || !sums) return 0;
  return itemsize(real_type(r.out)) == 8 ? 1e-12 : itemsize(r.out) == 2 ? 2e-3 : 1e-5;
}

/// Gives the outputs memory, runs, and reads them.
template <class Run>
std::vector<Output> outputs_of(Kernel& kernel, std::int64_t misaligned, const Run& run) {
  Memory memory;
  for (Store& s : kernel.stores) {
    s.data =
        memory.make(kernel.shape, s.strides, misaligned * static_cast<std::int64_t>(alignment_of(s.type)));
  }
  for (Reduction& r : kernel.reductions) {
    r.data = memory.make(kept_of(kernel, kernel.shape), kept_of(kernel, r.strides), 0);
  }
  run(kernel);
  std::vector<Output> outputs;
  const auto read = [&](const Dims& shape, const Dims& strides, dtype type, const std::byte* data,
                        double tolerance) {
    Output output{type, tolerance, {}};
    each_element(shape, strides, [&](std::int64_t offset) {
      Scalar value;
      value.type = type;
      std::memcpy(value.bytes, data + offset, itemsize(type));
      output.values.push_back(value);
    });
    outputs.push_back(std::move(output));
  };
  for (const Store& s : kernel.stores) read(kernel.shape, s.strides, s.type, s.data, 0);
  for (const Reduction& r : kernel.reductions) {
    read(kept_of(kernel, kernel.shape), kept_of(kernel, r.strides), r.out, r.data, tolerance_of(r));
  }
  return outputs;
}

bool agree(const Scalar& a, const Scalar& b, double tolerance) {
  if (std::memcmp(a.bytes, b.bytes, itemsize(a.type)) == 0) return true;
  double x[2], y[2];
  std::memcpy(x, cast_scalar(a, c16).bytes, sizeof x);
  std::memcpy(y, cast_scalar(b, c16).bytes, sizeof y);
  const double size = std::hypot(x[0], x[1]);
  for (int i = 0; i < 2; ++i) {
    if (std::isnan(x[i]) && std::isnan(y[i])) continue;
    if (!(std::fabs(x[i] - y[i]) <= tolerance * std::max(1.0, size)) && x[i] != y[i]) return false;
  }
  return !is_integer(a.type);
}

class CudaEmulated : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!Emulator::get().works()) GTEST_SKIP() << "no C++ compiler at run time";
  }

  /// Stores that fill one run of memory together, of `parts` leaves of every layout: the run is the reference backend's.
  void check_joined(const Dims& shape, dtype from, dtype to, int parts, std::int64_t misaligned) {
    const auto size = static_cast<std::int64_t>(itemsize(to));
    KernelBuilder b(shape);
    Dims strides = contiguous_strides(shape, parts * size);
    if (shape.size() > 1) strides[0] += 3 * size;  // a gap behind every row, of odd length
    for (int k = 0; k < parts; ++k) {
      Dims steps = b.contiguous(from);
      if (k % 3 == 1) steps.back() *= 2;
      const auto x = b.leaf(from, steps);
      b.store(from == to ? x : b.cast(x, from, to), to, strides);
    }
    Kernel& kernel = b.done();
    Memory memory;
    for (Leaf& leaf : kernel.leaves) {
      leaf.data =
          memory.make(shape, leaf.strides, misaligned * static_cast<std::int64_t>(alignment_of(from)));
      fill(kernel, leaf, false, random_);
    }
    const auto run = [&](const auto& runner) {
      Dims all = shape, all_strides = strides;
      all.push_back(parts);
      all_strides.push_back(size);
      std::byte* data =
          memory.make(all, all_strides, misaligned * static_cast<std::int64_t>(alignment_of(to)));
      for (int k = 0; k < parts; ++k) kernel.stores[k].data = data + k * size;
      runner(kernel);
      const std::int64_t rows = shape.size() > 1 ? shape[0] : 1;
      const std::int64_t bytes = rows > 1 ? rows * strides[0] : shape.back() * parts * size;
      return std::string(reinterpret_cast<const char*>(data), static_cast<std::size_t>(bytes));
    };
    const std::string wanted =
        run([](const Kernel& k) { reference_backend().run(reference_backend().first_stream(), k); });
    ASSERT_EQ(wanted, run([](const Kernel& k) { run_emulated(k, {}); }))
        << parts << " parts of " << name(to) << ", shape " << to_string(shape);
  }

  /// The kernel gives what the reference backend gives.
  void check(Kernel kernel, std::int64_t misaligned = 0, bool special = false, const Options& options = {}) {
    Memory memory;
    for (Leaf& leaf : kernel.leaves) {
      leaf.data = memory.make(kernel.shape, leaf.strides,
                              misaligned * static_cast<std::int64_t>(alignment_of(leaf.type)));
      fill(kernel, leaf, special, random_);
    }
    const auto wanted = outputs_of(kernel, misaligned, [](const Kernel& k) {
      reference_backend().run(reference_backend().first_stream(), k);
    });
    const auto got = outputs_of(kernel, misaligned, [&](const Kernel& k) { run_emulated(k, options); });
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      for (std::size_t k = 0; k < wanted[i].values.size(); ++k) {
        ASSERT_TRUE(agree(wanted[i].values[k], got[i].values[k], wanted[i].tolerance))
            << "output " << i << ", element " << k << " of shape " << to_string(kernel.shape);
      }
    }
  }

  std::mt19937 random_{11};
};

// -- Elementwise.

TEST_F(CudaEmulated, OneDimension) {
  for (const std::int64_t n : {1, 3, 4, 1000, 1024, 3001}) {
    for (const std::int64_t misaligned : {0, 1}) {
      KernelBuilder b({n});
      const auto x = b.leaf(f4), y = b.leaf(f4), s = b.scalar(f4, 2.5f);
      b.store(b.apply(Op::add, f4, {b.apply(Op::multiply, f4, {x, s}), y}), f4);
      check(b.done(), misaligned);
      KernelBuilder bytes({n});
      const auto u = bytes.leaf(u1), condition = bytes.leaf(b1);
      bytes.store(bytes.apply(Op::where, u1, {condition, u, bytes.apply(Op::add, u1, {u, u})}), u1);
      check(bytes.done(), misaligned);
      KernelBuilder c({n});
      const auto z = c.leaf(c16), w = c.leaf(c8);
      c.store(c.apply(Op::multiply, c16, {z, c.cast(w, c8, c16)}), c16);
      c.store(c.apply(Op::real, c8, {w}), f4);
      check(c.done(), misaligned);
    }
  }
}

TEST_F(CudaEmulated, Layouts) {
  for (const std::int64_t n : {7, 64}) {
    for (const std::int64_t m : {3, 33}) {
      KernelBuilder b({m, n});
      const auto x = b.leaf(f4), row = b.leaf(f4, {4, 0}), column = b.leaf(f4, {0, 8}),
                 back = b.leaf(f4, {n * 4, -4});
      b.store(
          b.apply(Op::add, f4, {b.apply(Op::add, f4, {x, row}), b.apply(Op::subtract, f4, {column, back})}),
          f4);
      check(b.done());
      check(b.kernel, 0, false, {.wide = true});
      KernelBuilder four({2, 3, m, n});
      const auto turned = four.leaf(i4, {4, 8, 24, 24 * m}), some = four.leaf(i4, {0, 4, 0, 400});
      four.store(four.apply(Op::add, i4, {turned, some}), i4);
      check(four.done());
    }
  }
  KernelBuilder zero(Dims{});
  zero.store(zero.apply(Op::negative, f4, {zero.leaf(f4)}), f4);
  check(zero.done());
}

TEST_F(CudaEmulated, InterleavedStores) {
  for (const std::int64_t misaligned : {0, 1}) {
    check_joined({1001}, f4, f4, 2, misaligned);
    check_joined({1024}, u1, u1, 3, misaligned);
    check_joined({77}, f8, f2, 5, misaligned);
    check_joined({300}, c16, c16, 2, misaligned);
    check_joined({130}, b1, b1, 16, misaligned);
    check_joined({7, 33}, f4, f4, 3, misaligned);
    check_joined({5, 64}, i4, f8, 2, misaligned);
  }
}

TEST_F(CudaEmulated, Tiles) {
  for (const std::int64_t n : {16, 33, 100}) {
    for (const std::int64_t m : {16, 45, 600}) {
      KernelBuilder b({m, n});
      const auto x = b.leaf(f4), y = b.leaf(f4, {4, 4 * m});
      b.store(b.apply(Op::add, f4, {x, y}), f4);
      check(b.done());
    }
    const std::int64_t m = 40;
    KernelBuilder several({3, m, n});
    const auto x = several.leaf(f8, {8 * m * n, 8, 8 * m}), y = several.leaf(u1, {m * n, 1, m});
    const auto z = several.leaf(f8, {0, 8, 0});
    several.store(
        several.apply(Op::add, f8, {x, several.apply(Op::multiply, f8, {several.cast(y, u1, f8), z})}), f8);
    check(several.done(), 1);
    KernelBuilder complex({m, 3, n});
    complex.store(complex.leaf(c16, {16, 16 * m * n, 16 * m}), c16);
    check(complex.done(), 1);
  }
}

// -- Reductions.

struct Reduced {
  Dims shape;
  std::uint64_t axes;
};

const std::vector<Reduced>& reduced_shapes() {
  static const std::vector<Reduced> shapes = {
      {{}, 0},           {{5}, 1},           {{1000}, 1},     {{70000}, 1},   {{3, 5}, 2},
      {{1000, 3}, 2},    {{50, 64}, 2},      {{7, 3001}, 2},  {{5, 3}, 1},    {{1000, 3}, 1},
      {{64, 50}, 1},     {{3001, 130}, 1},   {{6, 7, 9}, 5},  {{6, 7, 9}, 2}, {{300, 4, 3}, 2},
      {{5, 6, 7, 8}, 5}, {{5, 6, 7, 8}, 10}, {{20000, 4}, 1}, {{4, 3000}, 1}, {{2000, 1, 30}, 1}};
  return shapes;
}

void reduce_all(KernelBuilder& b, std::uint16_t x, dtype t, std::initializer_list<ReduceOp> ops,
                std::uint64_t axes) {
  for (const ReduceOp op : ops) {
    const bool position = op >= ReduceOp::argmin && op <= ReduceOp::nanargmax;
    b.reduce(op, x, t, position ? i8 : op == ReduceOp::var ? real_type(t) : t, axes);
  }
}

// A kernel takes most of a second to compile: each shape meets some of the types.
TEST_F(CudaEmulated, Floats) {
  using R = ReduceOp;
  int turn = 0;
  for (const auto& [shape, axes] : reduced_shapes()) {
    KernelBuilder sums(shape);
    reduce_all(sums, sums.leaf(f4), f4, {R::sum, R::mean, R::var, R::argmax}, axes);
    check(sums.done());
    check(sums.kernel, 0, false, {.backwards = true});
    if (++turn % 2 == 0) {
      KernelBuilder small(shape);
      const auto x = small.leaf(f2);
      reduce_all(small, x, f2, {R::sum, R::mean, R::var, R::max, R::argmax}, axes);
      small.store(small.apply(Op::add, f2, {x, x}), f2);
      check(small.done());
      continue;
    }
    KernelBuilder extrema(shape);
    reduce_all(extrema, extrema.leaf(f4), f4,
               {R::min, R::max, R::fmin, R::fmax, R::argmin, R::argmax, R::nanargmin, R::nanargmax}, axes);
    check(extrema.done(), 1, true);
  }
}

TEST_F(CudaEmulated, OtherTypes) {
  using R = ReduceOp;
  int turn = 0;
  for (const auto& [shape, axes] : reduced_shapes()) {
    KernelBuilder b(shape);
    switch (turn++ % 4) {
      case 0:
        reduce_all(b, b.leaf(i8), i8,
                   {R::sum, R::prod, R::min, R::argmin, R::bitwise_and, R::bitwise_or, R::bitwise_xor}, axes);
        break;
      case 1: reduce_all(b, b.leaf(c16), c16, {R::sum, R::mean, R::var, R::max}, axes); break;
      case 2:
        reduce_all(b, b.apply(Op::greater, f4, {b.leaf(f4), b.scalar(f4, 7.9f)}), b1,
                   {R::any, R::all, R::logical_xor, R::sum, R::argmax}, axes);
        break;
      default:
        const auto x = b.leaf(f8);
        b.reduce(R::generic, x, f8, f8, axes).fold = Op::subtract;
        b.reduce(R::sum, x, f8, f8, axes);
        b.store(x, f8);
    }
    check(b.done(), turn % 2);
  }
}

// Neutral elements must not show: 1 times an infinity has a NaN in it, if the numbers are complex.
TEST_F(CudaEmulated, ComplexInfinities) {
  for (const std::uint64_t axes : {1, 2}) {
    KernelBuilder b(axes == 1 ? Dims{2, 60} : Dims{60, 2});
    reduce_all(b, b.leaf(c8), c8, {ReduceOp::prod, ReduceOp::fmin, ReduceOp::fmax, ReduceOp::max}, axes);
    check(b.done(), 0, true);
  }
}

TEST_F(CudaEmulated, ScatteredResultsAndPositions) {
  KernelBuilder transposed({30, 40});
  transposed.reduce(ReduceOp::argmax, transposed.leaf(u1), u1, i8, 3).arg_weights = {1, 30};
  check(transposed.done());
  KernelBuilder columns({30, 40, 9});
  Reduction& r = columns.reduce(ReduceOp::argmin, columns.leaf(u1), u1, i8, 3);
  r.arg_weights = {1, 30, 0};
  r.strides = {0, 0, 24};
  check(columns.done());
  KernelBuilder scattered({6, 5, 40});
  scattered.reduce(ReduceOp::sum, scattered.leaf(f4), f4, f4, 4).strides = {8, 100, 0};
  check(scattered.done());
}

// -- Bits.

/// The sum and the variance of x * y, as bits, where y has the value 1 everywhere: `split` says how the one logical
/// dimension of x, which is reduced (or kept, and another one reduced), is cut into those of the kernel.
class CudaBits : public CudaEmulated {
 protected:
  std::vector<Output> results(const std::vector<float>& x, Dims split, bool rows, std::int64_t misaligned,
                              bool wide) {
    const std::size_t parts = split.size();
    if (!rows) split.insert(0, static_cast<std::int64_t>(x.size()) / element_count(split));
    KernelBuilder b(split);
    Dims broadcast(split.size(), 0);
    broadcast[split.size() - parts] = 4;
    const auto leaf = b.leaf(f4), ones = b.leaf(f4, parts > 1 ? broadcast : Dims(split.size(), 0));
    const auto product = b.apply(Op::multiply, f4, {leaf, ones});
    std::uint64_t axes = rows ? (std::uint64_t{1} << parts) - 1 : 1;
    b.reduce(ReduceOp::sum, product, f4, f4, axes);
    b.reduce(ReduceOp::var, product, f4, f4, axes);
    b.kernel.merged = ((std::uint64_t{1} << (parts - 1)) - 1) << (rows ? 0 : 1);
    Kernel& kernel = b.done();
    Memory memory;
    for (Leaf& l : kernel.leaves) l.data = memory.make(kernel.shape, l.strides, misaligned * 4);
    std::memcpy(kernel.leaves[0].data, x.data(), x.size() * 4);
    each_element(kernel.shape, kernel.leaves[1].strides, [&](std::int64_t offset) {
      const float one = 1;
      std::memcpy(kernel.leaves[1].data + offset, &one, 4);
    });
    return outputs_of(kernel, 0,
                      [&](const Kernel& k) { run_emulated(k, {.wide = wide, .backwards = wide}); });
  }

  void expect_same_bits(std::int64_t logical, std::int64_t other, const std::vector<Dims>& splits,
                        bool rows) {
    std::vector<float> x(static_cast<std::size_t>(logical * other));
    std::normal_distribution<float> normal(100, 30);
    for (float& v : x) v = normal(random_);
    const auto wanted = results(x, {logical}, rows, 0, false);
    for (const Dims& split : splits) {
      for (const std::int64_t misaligned : {0, 1}) {
        const auto got = results(x, split, rows, misaligned, misaligned != 0);
        for (std::size_t i = 0; i < wanted.size(); ++i) {
          for (std::size_t k = 0; k < wanted[i].values.size(); ++k) {
            ASSERT_EQ(wanted[i].values[k], got[i].values[k])
                << to_string(split) << " output " << i << " element " << k;
          }
        }
      }
    }
  }
};

TEST_F(CudaBits, OfRowsDependOnTheLogicalShape) {
  expect_same_bits(5040, 1, {{5040}, {10, 504}, {720, 7}, {6, 7, 120}}, true);
  expect_same_bits(70070, 1, {{70070}, {70, 1001}, {7, 10010}}, true);
}

TEST_F(CudaBits, OfColumnsDependOnTheLogicalShape) {
  expect_same_bits(130, 701, {{130}, {10, 13}, {26, 5}, {2, 5, 13}}, false);
  expect_same_bits(16, 3000, {{16}, {4, 4}}, false);
}

}  // namespace
}  // namespace cuprum::cuda
