// What the code generator writes compiles with NVRTC, for every operation, dtype, layout and reduction, and the argument
// that the host packs has the size of the kernel's. No GPU is needed, only the library: without it the tests are
// skipped.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "codegen/arguments.h"
#include "codegen/row_plan.h"
#include "codegen/source.h"
#include "cuda_kernels.h"
#include "jit/compiler.h"
#include "jit/nvrtc.h"

namespace cuprum::cuda {
namespace {

using test::KernelBuilder;

constexpr dtype f4 = dtype::float32, f8 = dtype::float64, i4 = dtype::int32, i8 = dtype::int64,
                b1 = dtype::bool_;

struct Case {
  std::string name, source;
};

class CudaCompile : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      nvrtc_version();
    } catch (const std::exception& error) {
      GTEST_SKIP() << error.what();
    }
  }

  void add(const std::string& name, const Kernel& kernel) {
    if (!kernel.stages.empty()) {
      Plan plan;
      ASSERT_TRUE(make_row_plan(kernel, true, plan)) << name;
      return add(name, kernel, plan);
    }
    const auto passes = passes_of(kernel);
    for (const Pass pass : passes) {
      Plan plan;
      make_plan(kernel, pass, pass == passes.back(), plan);
      add(name, kernel, plan);
    }
  }
  void add(const std::string& name, const Kernel& kernel, const Plan& plan) {
    static ArgumentBuffer buffer;
    pack_arguments(kernel, plan, {}, buffer);
    const std::size_t size = (buffer.size() + 7) / 8 * 8;
    cases_.push_back({name, make_source(kernel, plan) +
                                "static_assert(sizeof(Params) == " + std::to_string(size) + ");\n"});
  }

  /// Compiles on as many threads as there are cores.
  void compile_all() {
    std::atomic<std::size_t> next{0};
    std::vector<std::string> logs(cases_.size());
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); ++t) {
      threads.emplace_back([&] {
        const Target target = target_for(90);
        for (std::size_t i = next++; i < cases_.size(); i = next++) {
          const Compilation result = compile(cases_[i].source, target);
          if (result.image.empty()) logs[i] = result.log + "\n" + cases_[i].source;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < cases_.size(); ++i) EXPECT_EQ(logs[i], "") << cases_[i].name;
  }

  std::vector<Case> cases_;
};

dtype type_at(int i) { return static_cast<dtype>(i); }

// One kernel per operation, with a store for each of its loops.
TEST_F(CudaCompile, Operations) {
  for (int o = 0; o < kOpCount; ++o) {
    const auto op = static_cast<Op>(o);
    if (op == Op::cast) continue;
    KernelBuilder b({1000});
    for (int key = 0; key < kDTypeCount; ++key) {
      const Signature* s = signature(op, type_at(key));
      if (!s) continue;
      std::uint16_t in[kMaxInputs] = {};
      for (int i = 0; i < input_count(op); ++i) in[i] = b.leaf(s->in[i]);
      const auto result = input_count(op) == 1   ? b.apply(op, s->key, {in[0]})
                          : input_count(op) == 2 ? b.apply(op, s->key, {in[0], in[1]})
                                                 : b.apply(op, s->key, {in[0], in[1], in[2]});
      b.store(result, s->out);
    }
    add(info(op).name, b.done());
  }
  compile_all();
}

TEST_F(CudaCompile, SinAndCos) {
  KernelBuilder b({1000});
  const auto x = b.leaf(f4);
  b.store(b.apply(Op::multiply, f4, {b.apply(Op::sin, f4, {x}), b.apply(Op::cos, f4, {x})}), f4);
  add("both", b.done());
  compile_all();
}

TEST_F(CudaCompile, Casts) {
  for (int from = 0; from < kDTypeCount; ++from) {
    KernelBuilder b({1000});
    const auto x = b.leaf(type_at(from));
    for (int to = 0; to < kDTypeCount; ++to) b.store(b.cast(x, type_at(from), type_at(to)), type_at(to));
    add(cuprum::name(type_at(from)), b.done());
  }
  compile_all();
}

TEST_F(CudaCompile, Layouts) {
  for (const std::int64_t n : {64, 63}) {
    for (const bool wide : {false, true}) {
      const std::int64_t m = wide ? std::int64_t{1} << 28 : 100;
      KernelBuilder b({m, n});
      const Dims layouts[] = {{n * 4, 4}, {n * 8, 4},   {n * 8, 8},    {0, 4},
                              {4, 0},     {-n * 4, -4}, {n * 4 + 4, 4}};
      std::uint16_t total = b.scalar(f4, 1.0f);
      for (const Dims& layout : layouts) total = b.apply(Op::add, f4, {total, b.leaf(f4, layout)});
      b.store(total, f4);
      b.store(b.apply(Op::greater, f4, {total, b.leaf(f4)}), b1);
      add("rows", b.done());
    }
  }
  for (int t = 0; t < kDTypeCount; ++t) {
    const dtype type = type_at(t);
    const auto size = static_cast<std::int64_t>(itemsize(type));
    KernelBuilder b({3, 40, 50});
    const auto x = b.leaf(type, {size * 2000, size, size * 40}), y = b.leaf(type),
               z = b.leaf(type, {0, 0, size});
    b.store(b.apply(Op::where, type, {b.apply(Op::equal, type, {x, y}), y, z}), type);
    add("tiles", b.done());
    KernelBuilder shape({5, 6, 7, 8});
    shape.store(shape.leaf(type, {size, size * 5, size * 30, size * 210}), type,
                {size * 8, size * 40, size * 300, size});
    add("copy", shape.done());
  }
  KernelBuilder scalar(Dims{});
  scalar.store(scalar.scalar(dtype::complex64, std::array<float, 2>{1, 2}), dtype::complex64);
  add("fill", scalar.done());
  compile_all();
}

std::vector<ReduceOp> reductions_of(dtype t) {
  using R = ReduceOp;
  std::vector<R> list = {R::sum, R::prod, R::min, R::max, R::argmin, R::argmax};
  if (is_integer(t) || is_bool(t)) list.insert(list.end(), {R::bitwise_and, R::bitwise_or, R::bitwise_xor});
  if (is_bool(t)) list.insert(list.end(), {R::any, R::all, R::logical_xor});
  if (is_floating(t) || is_complex(t)) {
    list.insert(list.end(), {R::fmin, R::fmax, R::nanargmin, R::nanargmax, R::mean, R::var});
  }
  return list;
}

dtype result_of(ReduceOp op, dtype t) {
  if (is_arg(op)) return i8;
  return op == ReduceOp::var ? real_type(t) : t;
}

void add_reductions(KernelBuilder& b, dtype t, std::uint64_t axes, std::size_t first, std::size_t last) {
  const std::uint16_t x = b.leaf(t);
  const std::vector<ReduceOp> list = reductions_of(t);
  for (std::size_t i = first; i < std::min(last, list.size()); ++i)
    b.reduce(list[i], x, t, result_of(list[i], t), axes);
}

// Along rows and along columns, half of the reductions of a dtype in each kernel.
TEST_F(CudaCompile, Reductions) {
  for (int t = 0; t < kDTypeCount; ++t) {
    for (const int half : {0, 1}) {
      for (const std::uint64_t axes : {1, 2}) {
        KernelBuilder b({100, 200 + half});
        add_reductions(b, type_at(t), (axes + static_cast<unsigned>(t)) % 2 + 1, half ? 6 : 0, half ? 12 : 6);
        if (axes == 1 && t % 2 == half) add(cuprum::name(type_at(t)), b.done());
        if (axes == 2 && t % 2 != half) add(cuprum::name(type_at(t)), b.done());
      }
    }
  }
  compile_all();
}

TEST_F(CudaCompile, ReductionsOfExpressions) {
  for (const std::uint64_t axes : {1, 2, 3, 4, 5, 6, 7}) {
    KernelBuilder b({10, 20, 30});
    const auto x = b.leaf(f4), y = b.leaf(f4, {0, 4, 0});
    const auto z = b.apply(Op::exp, f4, {b.apply(Op::subtract, f4, {x, y})});
    b.store(z, f4);
    b.reduce(ReduceOp::sum, z, f4, f4, axes);
    b.reduce(ReduceOp::argmax, z, f4, i8, axes);
    Reduction& scattered = b.reduce(ReduceOp::generic, b.cast(z, f4, f8), f8, f8, axes);
    scattered.fold = Op::subtract;
    for (auto& stride : scattered.strides) stride *= 2;
    if (axes == 3) b.kernel.reductions[1].arg_weights = {1, 10, 0};
    if (axes >= 6) b.kernel.merged = axes == 7 ? 3 : 2;
    add("axes " + std::to_string(axes), b.done());
  }
  KernelBuilder zero(Dims{});
  zero.reduce(ReduceOp::var, zero.leaf(f4), f4, f4, 0);
  add("zero dimensions", zero.done());
  KernelBuilder large({std::int64_t{1} << 20, 1 << 14});
  large.reduce(ReduceOp::sum, large.leaf(i4), i4, i4, 1);
  large.reduce(ReduceOp::argmin, 0, i4, i8, 1);
  add("large", large.done());
  compile_all();
}

// Four reductions of a dtype in two stages, then elements; by parts of warps, by blocks, and by clusters, whose memory the text
// asserts.
TEST_F(CudaCompile, RowPrograms) {
  for (int t = 0; t < kDTypeCount; ++t) {
    const dtype type = type_at(t);
    const std::vector<ReduceOp> list = reductions_of(type);
    for (std::size_t first = 0; first < list.size(); first += 4) {
      const std::int64_t lengths[] = {30000, 128, 1000};
      const std::int64_t n = lengths[(first / 4 + static_cast<std::size_t>(t)) % 3];
      KernelBuilder b({600, itemsize(type) > 8 ? n / 8 : n});
      const auto x = b.leaf(type);
      auto y = x;
      for (std::size_t i = first; i < std::min(first + 4, list.size()); ++i) {
        b.reduce(list[i], y, type, result_of(list[i], type), 2);
        if (i % 2) b.kernel.reductions.back().data = nullptr;
        if (i % 2) b.stage();
        if (i % 2)
          y = b.apply(Op::maximum, type, {x, b.cast(b.result(), b.kernel.reductions.back().out, type)});
      }
      b.store(y, type);
      b.stage();
      add(std::string(cuprum::name(type)) + " " + std::to_string(n), b.done());
    }
  }
  compile_all();
}

/// Hands a kernel to the background threads, and ends the process some milliseconds later.
[[noreturn]] void end_while_compiling(const std::string& source, int milliseconds) {
  static CompiledKernel kernel;  // where it is for good
  kernel.architecture = 90;
  kernel.source = source;
  compile_later(kernel);
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
  std::exit(0);
}

// NVRTC destroys its objects at exit(): nobody may be compiling by then.
TEST_F(CudaCompile, AProgramMayEndWhileItsFirstKernelIsCompiled) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const int milliseconds : {0, 2, 5, 10, 20, 40, 80}) {
    KernelBuilder b({100, 100});
    auto y = b.leaf(f8);
    for (int i = 0; i < 8; ++i) y = b.apply(Op::sin, f8, {b.apply(Op::add, f8, {y, y})});
    b.store(y, f8);
    add("chain", b.done());
    EXPECT_EXIT(end_while_compiling(cases_.back().source, milliseconds), ::testing::ExitedWithCode(0), "");
  }
}

}  // namespace
}  // namespace cuprum::cuda
