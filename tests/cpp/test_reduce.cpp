// Reductions against the reference backend, and the promise that their bits depend on shape and dtype alone.
#include "backend/cpu/reduce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "backend/cpu/loops.h"
#include "backend/cpu/reduce_loops.h"
#include "backend/cpu/threads.h"
#include "core/dims.h"
#include "runtime/backend.h"

namespace cuprum {
namespace {

using Bytes = std::vector<std::byte>;

std::int64_t product(const Dims& shape) {
  std::int64_t n = 1;
  for (const std::int64_t d : shape) n *= d;
  return n;
}

/// n random values of a dtype: small integers with repeats, or floats around `mean`.
Bytes random_values(dtype type, std::int64_t n, unsigned seed, double mean = 0) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal(mean, 1);
  std::vector<double> re(n), im(n);
  for (std::int64_t i = 0; i < n; ++i) {
    re[i] = is_integer(type) || is_bool(type) ? static_cast<double>(generator() % 100) : normal(generator);
    im[i] = normal(generator);
  }
  Bytes out(n * itemsize(type) + 64);
  if (is_complex(type)) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (type == dtype::complex64) {
        reinterpret_cast<std::complex<float>*>(out.data())[i] = std::complex<float>(re[i], im[i]);
      } else {
        reinterpret_cast<std::complex<double>*>(out.data())[i] = {re[i], im[i]};
      }
    }
  } else {
    loops().cast[static_cast<int>(dtype::float64)][static_cast<int>(type)](n, out.data(), re.data(), nullptr,
                                                                           nullptr);
  }
  return out;
}

/// A kernel that reduces one contiguous operand over the dimensions of `reduced` by each of `ops`.
struct Case {
  Dims shape;
  std::uint64_t reduced;
  dtype type;
  Bytes input;
  std::vector<Bytes> results;
  Kernel kernel;

  Case(Dims s, std::uint64_t mask, dtype t, std::vector<ReduceOp> ops, unsigned seed = 1, double mean = 0)
      : shape(std::move(s)), reduced(mask), type(t), input(random_values(t, product(shape), seed, mean)) {
    kernel.shape = shape;
    kernel.reduced = mask;
    kernel.leaves = {
        {input.data(), type, contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type)))}};
    for (const ReduceOp op : ops) add(op);
  }

  static dtype result_type(ReduceOp op, dtype type) {
    if (op >= ReduceOp::argmin && op <= ReduceOp::nanargmax) return dtype::int64;
    if (op == ReduceOp::any || op == ReduceOp::all || op == ReduceOp::logical_xor) return dtype::bool_;
    return op == ReduceOp::var ? real_type(type) : type;
  }

  std::int64_t kept() const {
    std::int64_t n = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) n *= reduced >> d & 1 ? 1 : shape[d];
    return n;
  }

  void add(ReduceOp op, Op fold = Op::count_) {
    const dtype out = result_type(op, type);
    results.emplace_back(kept() * itemsize(out));
    Reduction r;
    r.op = op;
    r.fold = fold;
    r.type = type;
    r.out = out;
    r.src = 0;
    r.strides.resize(shape.size());
    r.arg_weights.resize(shape.size());
    auto stride = static_cast<std::int64_t>(itemsize(out));
    std::int64_t weight = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      if (reduced >> d & 1) {
        r.arg_weights[d] = weight;
        weight *= shape[d];
      } else {
        r.strides[d] = stride;
        stride *= shape[d];
      }
    }
    kernel.reductions.push_back(r);
    for (std::size_t i = 0; i < results.size(); ++i) kernel.reductions[i].data = results[i].data();
  }

  std::vector<Bytes> run(Backend& backend) {
    for (Bytes& result : results) std::fill(result.begin(), result.end(), std::byte{0xcc});
    backend.run(backend.first_stream(), kernel);
    return results;
  }
};

double as_double(dtype type, const Bytes& bytes, std::int64_t i) {
  double value[2] = {0, 0};
  const int target = static_cast<int>(is_complex(type) ? dtype::complex128 : dtype::float64);
  loops().cast[static_cast<int>(type)][target](1, value, bytes.data() + i * itemsize(type), nullptr, nullptr);
  return is_complex(type) ? value[0] + 0.5 * value[1] : value[0];
}

double epsilon(dtype type) {
  switch (real_type(type)) {
    case dtype::float16: return 1.0 / 1024;
    case dtype::bfloat16: return 1.0 / 128;
    case dtype::float32: return std::ldexp(1, -23);
    case dtype::float64: return std::ldexp(1, -52);
    default: return 0;
  }
}

void compare(Case& c, double slack) {
  const std::vector<Bytes> expected = c.run(reference_backend());
  const std::vector<Bytes> got = c.run(cpu_backend());
  for (std::size_t r = 0; r < got.size(); ++r) {
    const Reduction& reduction = c.kernel.reductions[r];
    const bool exact = !(reduction.op == ReduceOp::sum || reduction.op == ReduceOp::mean ||
                         reduction.op == ReduceOp::prod || reduction.op == ReduceOp::var);
    for (std::int64_t i = 0; i < c.kept(); ++i) {
      const double e = as_double(reduction.out, expected[r], i), g = as_double(reduction.out, got[r], i);
      const double tolerance = exact ? 0 : slack * epsilon(reduction.out) * std::max(1.0, std::abs(e));
      if (std::isnan(e) && std::isnan(g)) continue;
      ASSERT_LE(std::abs(e - g), tolerance)
          << "op " << static_cast<int>(reduction.op) << ' ' << name(c.type) << ' ' << to_string(c.shape)
          << " reduced " << c.reduced << " at " << i << ": " << e << " and " << g;
    }
  }
}

const std::vector<Dims> kShapes = {
    {1},       {7},         {64},       {511},        {513},          {8192},        {20000},  {3, 1},
    {50, 3},   {3, 50},     {200, 70},  {2, 3000},    {40, 300},      {17, 64},      {16, 65}, {9, 700},
    {5, 4, 3}, {33, 5, 70}, {6, 30, 7}, {4, 5, 6, 7}, {3, 2, 100, 9}, {2, 600, 2, 3}};

TEST(Reduce, FloatsAgainstReference) {
  for (const dtype type : {dtype::float32, dtype::float64, dtype::complex64, dtype::complex128,
                           dtype::float16, dtype::bfloat16}) {
    for (const Dims& shape : kShapes) {
      if (product(shape) > 3000 && type != dtype::float32) continue;
      for (std::uint64_t mask = 0; mask < std::uint64_t{1} << shape.size(); ++mask) {
        Case c(shape, mask, type,
               {ReduceOp::sum, ReduceOp::mean, ReduceOp::min, ReduceOp::max, ReduceOp::var, ReduceOp::argmin,
                ReduceOp::argmax, ReduceOp::nanargmax, ReduceOp::fmax});
        compare(c, 64 * std::sqrt(static_cast<double>(product(shape))));
      }
    }
  }
}

TEST(Reduce, IntegersAgainstReference) {
  for (const dtype type :
       {dtype::int8, dtype::uint8, dtype::int16, dtype::int32, dtype::int64, dtype::uint64}) {
    for (const Dims& shape : kShapes) {
      if (product(shape) > 3000) continue;
      for (std::uint64_t mask = 0; mask < std::uint64_t{1} << shape.size(); ++mask) {
        Case c(shape, mask, type,
               {ReduceOp::min, ReduceOp::max, ReduceOp::bitwise_and, ReduceOp::bitwise_or,
                ReduceOp::bitwise_xor, ReduceOp::argmax, ReduceOp::argmin, ReduceOp::any, ReduceOp::all});
        compare(c, 0);
        Case sums(shape, mask, type, {ReduceOp::sum, ReduceOp::prod});
        const auto e = sums.run(reference_backend());
        EXPECT_EQ(e, sums.run(cpu_backend())) << name(type) << to_string(shape) << mask;
      }
    }
  }
}

TEST(Reduce, BoolsOfAnyByte) {
  for (const Dims& shape : kShapes) {
    if (product(shape) > 3000) continue;
    for (std::uint64_t mask = 0; mask < std::uint64_t{1} << shape.size(); ++mask) {
      Case c(shape, mask, dtype::uint8, {});
      c.type = dtype::bool_;
      c.kernel.leaves[0].type = dtype::bool_;  // bytes from 0 to 99
      for (const ReduceOp op : {ReduceOp::any, ReduceOp::all, ReduceOp::logical_xor, ReduceOp::argmax,
                                ReduceOp::argmin, ReduceOp::max, ReduceOp::min}) {
        c.add(op);
      }
      compare(c, 0);
    }
  }
}

TEST(Reduce, NanWinsOrLoses) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Dims& shape : {Dims{700}, Dims{30, 100}, Dims{3, 9}}) {
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << shape.size(); ++mask) {
      Case c(shape, mask, dtype::float32,
             {ReduceOp::min, ReduceOp::max, ReduceOp::fmin, ReduceOp::fmax, ReduceOp::argmin,
              ReduceOp::argmax, ReduceOp::nanargmin, ReduceOp::nanargmax});
      auto* x = reinterpret_cast<float*>(c.input.data());
      for (std::int64_t i = 5; i < product(shape); i += 11) x[i] = nan;
      compare(c, 0);
    }
  }
}

// Equal values: the first in the logical order, also where the kernel runs in another order.
TEST(Reduce, FirstOfEqualsInLogicalOrder) {
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{70, 90}, {3, 5}, {600, 2}, {2, 900}}) {
    Case c({m, n}, 3, dtype::int32, {ReduceOp::argmax, ReduceOp::argmin});
    for (Reduction& r : c.kernel.reductions)
      r.arg_weights = {1, m};  // a Fortran-ordered array, read along memory
    compare(c, 0);
    Case d({4, m, n}, 6, dtype::int32, {ReduceOp::argmax, ReduceOp::argmin});
    for (Reduction& r : d.kernel.reductions) r.arg_weights = {0, 1, m};
    compare(d, 0);
  }
}

TEST(Reduce, GenericFoldsInOrder) {
  for (const Dims& shape : {Dims{1000}, Dims{30, 100}, Dims{5, 6, 7}}) {
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      Case c(shape, std::uint64_t{1} << axis, dtype::float32, {});
      c.add(ReduceOp::generic, Op::subtract);
      const auto expected = c.run(reference_backend());
      EXPECT_EQ(expected, c.run(cpu_backend()));
    }
  }
}

TEST(Reduce, EmptyGivesTheIdentity) {
  Case c({3, 0}, 2, dtype::float32,
         {ReduceOp::sum, ReduceOp::prod, ReduceOp::any, ReduceOp::all, ReduceOp::mean});
  compare(c, 0);
  Case d({0, 3}, 1, dtype::int32,
         {ReduceOp::sum, ReduceOp::prod, ReduceOp::bitwise_and, ReduceOp::bitwise_or});
  compare(d, 0);
  Case e({0, 3}, 2, dtype::int32, {ReduceOp::sum});
  e.run(cpu_backend());
}

// -- The order of additions

std::vector<Bytes> with_threads(int threads, Case& c) {
  cpu::set_num_threads(threads);
  auto results = c.run(cpu_backend());
  cpu::set_num_threads(2);
  return results;
}

TEST(Reduce, ThreadsDoNotChangeABit) {
  for (const Dims& shape : {Dims{300001}, Dims{4, 70000}, Dims{3000, 100}, Dims{90000, 3}, Dims{70, 60, 80},
                            Dims{500, 6, 101}, Dims{20, 5000, 3}}) {
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << shape.size(); ++mask) {
      Case c(shape, mask, dtype::float32,
             {ReduceOp::sum, ReduceOp::prod, ReduceOp::var, ReduceOp::max, ReduceOp::argmax});
      const auto one = with_threads(1, c);
      for (const int threads : {2, 3, 8}) {
        EXPECT_EQ(one, with_threads(threads, c)) << to_string(shape) << mask << ' ' << threads;
      }
    }
  }
}

/// The same reduction after `x * scale + shift`, fused, where the operands split the dimensions.
TEST(Reduce, FusionDoesNotChangeABit) {
  for (const Dims& shape :
       {Dims{300, 100}, Dims{7, 2000}, Dims{50, 3}, Dims{2000, 3}, Dims{3, 50}, Dims{20, 30, 40}}) {
    for (std::uint64_t mask = 1; mask < std::uint64_t{1} << shape.size(); ++mask) {
      const std::vector<ReduceOp> ops = {ReduceOp::sum, ReduceOp::var, ReduceOp::mean, ReduceOp::prod};
      Case fused(shape, mask, dtype::float32, ops);
      Bytes row = random_values(dtype::float32, shape.back(), 7);
      Bytes product_bytes(product(shape) * 4);
      Dims row_strides(shape.size());
      row_strides.back() = 4;
      fused.kernel.leaves.push_back({row.data(), dtype::float32, row_strides});
      fused.kernel.code = {{Op::multiply, dtype::float32, dtype::float32, 2, {0, 1, 0}}};
      for (Reduction& r : fused.kernel.reductions) r.src = 2;
      fused.kernel.stores = {{product_bytes.data(), dtype::float32, contiguous_strides(shape, 4), 2}};
      const auto one_pass = fused.run(cpu_backend());
      // Unfused: the stored product is reduced, its dimensions merged as far as one operand allows.
      Case apart(shape, mask, dtype::float32, ops);
      std::memcpy(apart.input.data(), product_bytes.data(), product_bytes.size());
      if (mask == (std::uint64_t{1} << shape.size()) - 1) {
        apart.kernel.shape = {product(shape)};
        apart.kernel.reduced = 1;
        apart.kernel.leaves[0].strides = {4};
        for (Reduction& r : apart.kernel.reductions) r.strides = {0};
      }
      EXPECT_EQ(one_pass, apart.run(cpu_backend())) << to_string(shape) << mask;
    }
  }
}

#if defined(CUPRUM_SIMD_HAS_V2) && defined(CUPRUM_SIMD_HAS_V3) && defined(CUPRUM_SIMD_HAS_V4)
TEST(Reduce, InstructionSetsDoNotChangeABit) {
  if (simd_level() != SimdLevel::v4) GTEST_SKIP() << "needs a machine with AVX-512";
  const ReduceTable* tables[] = {&v2::reduce_table(), &v3::reduce_table(), &v4::reduce_table()};
  const Bytes input = random_values(dtype::float32, 4096, 3);
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod, ReduceOp::max, ReduceOp::var}) {
    for (const auto& [rows, cols, groups] : {std::array<std::int64_t, 3>{512, 1, 64},
                                             {500, 1, 64},
                                             {63, 1, 64},
                                             {5, 1, 64},
                                             {256, 3, 32},
                                             {77, 7, 16}}) {
      Bytes states[3];
      for (int level = 0; level < 3; ++level) {
        states[level].resize(2 * 8 * 64);
        const ReduceLoops& l = tables[level]->loops[static_cast<int>(op)][static_cast<int>(dtype::float32)];
        l.narrow({2, rows, cols, groups, input.data(), {states[level].data(), 8 * 64, 0}, {}, 0});
      }
      EXPECT_EQ(states[0], states[1]);
      EXPECT_EQ(states[0], states[2]);
    }
  }
}
#endif

// -- Accuracy

TEST(Reduce, SumsArePairwiseAlongAnyAxis) {
  const std::int64_t n = 1 << 20;
  for (const auto& [shape, mask] :
       {std::pair<Dims, std::uint64_t>{{n}, 1}, {{n / 64, 64}, 1}, {{n / 4, 4}, 1}}) {
    Case c(shape, mask, dtype::float32, {ReduceOp::sum}, 5, 0.1);
    auto* x = reinterpret_cast<float*>(c.input.data());
    for (std::int64_t i = 0; i < n; ++i) x[i] = 0.1f;
    const auto results = c.run(cpu_backend());
    const double count = static_cast<double>(n) / static_cast<double>(c.kept());
    for (std::int64_t i = 0; i < c.kept(); ++i) {
      const double exact = count * static_cast<double>(0.1f);
      EXPECT_NEAR(as_double(dtype::float32, results[0], i), exact, exact * 1e-6);
    }
  }
}

TEST(Reduce, VarianceWithALargeMean) {
  for (const auto& [shape, mask] :
       {std::pair<Dims, std::uint64_t>{{100000}, 1}, {{1000, 100}, 1}, {{30000, 3}, 1}, {{3, 30000}, 2}}) {
    Case c(shape, mask, dtype::float32, {ReduceOp::var}, 11, 10000);
    compare(c, 40);
  }
}

TEST(Reduce, HalfSumsRoundOnce) {
  Case c({5000}, 1, dtype::float16, {ReduceOp::sum, ReduceOp::mean});
  auto* x = reinterpret_cast<std::uint16_t*>(c.input.data());
  for (int i = 0; i < 5000; ++i) x[i] = 0x3c00;  // 1
  const auto results = c.run(cpu_backend());
  EXPECT_EQ(as_double(dtype::float16, results[0], 0), 5000);
  EXPECT_EQ(as_double(dtype::float16, results[1], 0), 1);
}

}  // namespace
}  // namespace cuprum
