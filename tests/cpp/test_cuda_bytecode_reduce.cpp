// Reductions of tier 0 without a device: skeletons, reducers and interpreter are compiled for the host, where the
// threads of a block are fibers. The reference backend says what is right.
#include <cmath>
#include <optional>

#include "codegen/divisor.h"
#include "cuda_emulator.h"
#include "random_kernels.h"
// After what includes standard headers.
#include "cuda_on_host.h"
// After that.
#include "backend/cuda/bytecode/interpreter.cu"
#include "backend/cuda/bytecode/loop.cuh"

namespace cuprum::cuda::bytecode {

namespace {

constexpr std::size_t kShared = 200 * 1024;

template <int number = 0>
void add_casts(std::vector<LoopFn>& table) {
  if constexpr (number < kLoopCount) {
    if constexpr (kLoopNumbers.names[number].op == Op::cast) table[number] = loop_at<number>();
    add_casts<number + 1>(table);
  }
}

/// The loops that the tests use.
std::vector<LoopFn> make_table() {
  std::vector<LoopFn> table(kLoopCount, nullptr);
  add_casts(table);
  const auto add = [&](Op op, dtype key, LoopFn loop) {
    table[static_cast<std::size_t>(kLoopNumbers.find({op, key}))] = loop;
  };
  add(Op::where, dtype::uint32, &run_loop<Op::where, dtype::uint32>);
  add(Op::where, dtype::uint64, &run_loop<Op::where, dtype::uint64>);
  add(Op::where, dtype::complex128, &run_loop<Op::where, dtype::complex128>);
  add(Op::subtract, dtype::uint8, &run_loop<Op::subtract, dtype::uint8>);
  add(Op::subtract, dtype::uint64, &run_loop<Op::subtract, dtype::uint64>);
  add(Op::subtract, dtype::float32, &run_loop<Op::subtract, dtype::float32>);
  add(Op::subtract, dtype::complex128, &run_loop<Op::subtract, dtype::complex128>);
  return table;
}
const std::vector<LoopFn> kTable = make_table();

}  // namespace

const LoopFn* loop_table = kTable.data();
uint4* dynamic_shared = nullptr;

namespace {

using namespace cuprum::testing;

/// What reduce.cu does, with `kernel` in the place of a launch.
template <class F>
void launch_on_host(const Kernel& kernel, F&& device_kernel) {
  const Reduction& r = kernel.reductions[0];
  Wanted wanted;
  wanted.reduction = 0;
  wanted.shape = reduce_shape(kernel, r.op == ReduceOp::generic);
  const ReduceShape& s = wanted.shape;
  Program program;
  ASSERT_TRUE(encode(kernel, wanted, kShared, program));
  ReduceParameters p{};
  p.ddof = r.ddof;
  p.out = r.out;
  p.space.inner = s.inner;
  p.space.items = s.items;
  p.space.major = s.major;
  p.space.results = s.results;
  p.space.part = s.part;
  p.space.per_row = make_divisor<device::int64>(s.row_items);
  p.space.count = s.count;
  p.space.shift = s.shift;
  p.space.splits = s.splits;
  std::vector<uint4> partials(static_cast<std::size_t>(partial_bytes(s, 1)) / 16 + 1),
      shared(program.shared_bytes / 16);
  std::vector<std::uint32_t> tickets(kMaxTickets);
  p.space.partials = reinterpret_cast<char*>(partials.data());
  p.space.tickets = tickets.data();
  p.program.planes = static_cast<int>(program.bytes.size() / 16);
  p.program.far = reinterpret_cast<const uint4*>(program.bytes.data());
  dynamic_shared = shared.data();
  run_grid(static_cast<unsigned>(s.blocks), static_cast<unsigned>(s.splits), kThreads, [&] {
    begin_block(p.program);
    device_kernel(p, s);
  });
  for (const std::uint32_t ticket : tickets) EXPECT_EQ(ticket, 0u);
}

template <class Reducer>
void reduce_with(const Kernel& kernel) {
  launch_on_host(kernel, [](const ReduceParameters& p, const ReduceShape& s) {
    if (s.form == Form::rows) {
      device::reduce_rows<ReduceBody<Reducer, false>>(p);
    } else {
      device::reduce_columns<ReduceBody<Reducer, true>>(p);
    }
  });
}

void reduce_generic(const Kernel& kernel) {
  launch_on_host(kernel, [](const ReduceParameters& p, const ReduceShape&) {
    reduce_in_order(shared_memory(), p.space.results, p.space.count);
  });
}

struct Case {
  const char* name;
  ReduceOp op;
  Op fold;
  dtype type, out;
  void (*run)(const Kernel&);
  double tolerance;  // relative; 0: the same bits
};

template <class T>
using Sum = device::Fold<device::Add, T>;
template <class T>
using Max = device::Fold<device::Maximum, T>;
template <class T>
using ArgMax = device::Arg<device::Largest, T, device::int64, false>;

const Case kCases[] = {
    {"sum int8", ReduceOp::sum, Op::add, dtype::int8, dtype::int8, reduce_with<Sum<uint64>>, 0},
    {"sum int32", ReduceOp::sum, Op::add, dtype::int32, dtype::int32, reduce_with<Sum<uint64>>, 0},
    {"sum float32", ReduceOp::sum, Op::add, dtype::float32, dtype::float32, reduce_with<Sum<float>>, 1e-5},
    {"sum complex128", ReduceOp::sum, Op::add, dtype::complex128, dtype::complex128,
     reduce_with<Sum<kernels::complex128>>, 1e-12},
    {"mean float16", ReduceOp::mean, Op::count_, dtype::float16, dtype::float16,
     reduce_with<device::Fold<device::Add, float, true>>, 4e-3},
    {"var float64", ReduceOp::var, Op::count_, dtype::float64, dtype::float64,
     reduce_with<device::Variance<double>>, 1e-10},
    {"var complex64", ReduceOp::var, Op::count_, dtype::complex64, dtype::float32,
     reduce_with<device::Variance<kernels::complex64>>, 1e-4},
    {"max bfloat16", ReduceOp::max, Op::maximum, dtype::bfloat16, dtype::bfloat16, reduce_with<Max<float>>,
     0},
    {"max uint16", ReduceOp::max, Op::maximum, dtype::uint16, dtype::uint16, reduce_with<Max<uint64>>, 0},
    {"max int64", ReduceOp::max, Op::maximum, dtype::int64, dtype::int64, reduce_with<Max<int64>>, 0},
    {"any bool", ReduceOp::any, Op::logical_or, dtype::bool_, dtype::bool_,
     reduce_with<device::Fold<device::Any, bool>>, 0},
    {"argmax float64", ReduceOp::argmax, Op::count_, dtype::float64, dtype::int64,
     reduce_with<ArgMax<double>>, 0},
    {"argmax int16", ReduceOp::argmax, Op::count_, dtype::int16, dtype::int64, reduce_with<ArgMax<int64>>, 0},
    {"subtract int8", ReduceOp::generic, Op::subtract, dtype::int8, dtype::int8, reduce_generic, 0},
    {"subtract int64", ReduceOp::generic, Op::subtract, dtype::int64, dtype::int64, reduce_generic, 0},
    {"subtract float16", ReduceOp::generic, Op::subtract, dtype::float16, dtype::float16, reduce_generic, 0},
    {"subtract complex128", ReduceOp::generic, Op::subtract, dtype::complex128, dtype::complex128,
     reduce_generic, 0},
};

/// Finite, so that tolerances mean something.
Scalar plain_value(Rng& rng, dtype type) {
  if (is_integer(type) || is_bool(type)) return random_value(rng, type);
  Scalar wide;
  wide.type = dtype::complex128;
  const double part[2] = {1 + std::normal_distribution<>()(rng), std::normal_distribution<>()(rng)};
  std::memcpy(wide.bytes, part, sizeof(part));
  return reference::cast(wide, type);
}

double magnitude(const Scalar& value) {
  double part[2];
  const Scalar wide = reference::cast(value, dtype::complex128);
  std::memcpy(part, wide.bytes, sizeof(part));
  return std::hypot(part[0], part[1]);
}

void expect_close(const View& actual, const View& expected, double tolerance, const std::string& what) {
  if (tolerance == 0) return expect_same(actual, expected, what, Same::any_nan);
  reference::each(actual.shape, [&](const Dims& at) {
    const Scalar a = reference::load(actual.type, reference::address(actual, at));
    const Scalar b = reference::load(expected.type, reference::address(expected, at));
    if (a == b) return;
    const double scale = std::max(1.0, magnitude(b));
    EXPECT_LE(std::abs(magnitude(a) - magnitude(b)), tolerance * scale) << what;
  });
}

void check(Rng& rng, const Case& c, const Dims& shape, std::uint64_t reduced, std::uint64_t merged,
           bool generated = false) {
  Made made;
  made.kernel.shape = shape;
  made.kernel.reduced = reduced;
  made.kernel.merged = merged;
  for (int i = 0; i < 2; ++i) {
    add_leaf(rng, made, c.type);
    View filled = made.inputs.back();
    fill(filled, [&] { return plain_value(rng, c.type); });
  }
  Reduction r{};
  if (pick(rng, 0, 1)) {  // a prologue that chooses the first leaf
    made.kernel.scalars.push_back(Scalar::of(dtype::bool_, true));
    made.kernel.code.push_back(Instr{Op::where, c.type, c.type, 3, {2, 0, 1}});
    r.src = 3;
  }
  r.op = c.op;
  r.fold = c.fold;
  r.type = c.type;
  r.out = c.out;
  r.ddof = 1;
  made.outputs.push_back(empty_like(rng, c.out, shape));
  r.data = made.outputs[0].data;
  r.strides = made.outputs[0].strides;
  r.arg_weights = Dims(shape.size());
  std::int64_t weight = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    r.arg_weights[d] = reduced >> d & 1 ? weight : 0;
    if (reduced >> d & 1) weight *= shape[d];
  }
  made.kernel.reductions.push_back(r);
  made.outputs.push_back(empty_like(rng, c.type, shape));
  made.kernel.stores.push_back({made.outputs[1].data, c.type, made.outputs[1].strides, 1});

  reference_backend().run(reference_backend().first_stream(), made.kernel);
  const Owned expected = copy_of(made.outputs[0]), expected_store = copy_of(made.outputs[1]);
  for (Owned& out : made.outputs) std::fill(out.memory.begin(), out.memory.end(), std::byte{0x5a});
  c.run(made.kernel);
  const Owned interpreted = copy_of(made.outputs[0]);
  const std::string what =
      std::string(c.name) + " of " + to_string(shape) + " over " + std::to_string(reduced);
  expect_close(made.outputs[0], expected, c.tolerance, what);
  expect_same(made.outputs[1], expected_store, what + ", stored", Same::any_nan);

  // The kernel that is generated for it gives the same bits.
  if (!generated) return;
  run_emulated(made.kernel);
  expect_same(interpreted, made.outputs[0], what + ", both tiers");
}

class BytecodeReduce : public ::testing::TestWithParam<Case> {};

TEST_P(BytecodeReduce, SmallShapes) {
  for (int seed = 0; seed < 12; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Dims shape;
    for (std::int64_t d = pick(rng, 1, 4); d > 0; --d) shape.push_back(pick(rng, 1, 7));
    const auto reduced = static_cast<std::uint64_t>(pick(rng, 1, (1 << shape.size()) - 1));
    std::uint64_t merged = 0;
    for (std::size_t d = 0; d + 1 < shape.size(); ++d) {
      const bool same = (reduced >> d & 1) == (reduced >> (d + 1) & 1);
      if (same && pick(rng, 0, 1)) merged |= std::uint64_t{1} << d;
    }
    check(rng, GetParam(), shape, reduced, merged);
    if (HasFailure()) return;
  }
}

TEST_P(BytecodeReduce, SharedBetweenThreadsAndBlocks) {
  Rng rng(1);
  const bool generated = Emulator::get().works();
  check(rng, GetParam(), {40001}, 1, 0, generated);
  check(rng, GetParam(), {3, 2003}, 2, 0);
  check(rng, GetParam(), {7001, 3}, 1, 0);
  check(rng, GetParam(), {30, 5, 70}, 2, 0, generated);
  check(rng, GetParam(), {5, 30, 71}, 6, 2, generated);
}

INSTANTIATE_TEST_SUITE_P(Cases, BytecodeReduce, ::testing::ValuesIn(kCases), [](const auto& info) {
  std::string name = info.param.name;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
});

}  // namespace
}  // namespace cuprum::cuda::bytecode
