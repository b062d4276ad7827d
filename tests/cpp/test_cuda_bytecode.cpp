// Tier 0 without a device: kernels are encoded, and the very text of the interpreter, compiled for the host, runs them one
// thread at a time over a plain array in the place of shared memory. The reference backend says what is right.
#include <array>
#include <utility>

#include "random_kernels.h"
// After what includes standard headers.
#include "cuda_on_host.h"
// After that.
#include "backend/cuda/bytecode/interpreter.cuh"
#include "backend/cuda/bytecode/loop.cuh"

namespace cuprum::cuda::bytecode {

namespace {

template <int... number>
constexpr std::array<LoopFn, sizeof...(number)> all_loops(std::integer_sequence<int, number...>) {
  return {loop_at<number>()...};
}
const std::array<LoopFn, kLoopCount> kTable = all_loops(std::make_integer_sequence<int, kLoopCount>());

}  // namespace

const LoopFn* loop_table = kTable.data();

namespace {

using namespace cuprum::testing;

constexpr std::size_t kShared = 227 * 1024;

/// A block of which some threads are run, one after the other.
class Block {
 public:
  explicit Block(const Program& program) : memory_(program.shared_bytes / 16 + 1) {
    std::memset(memory_.data(), 0xcd, memory_.size() * 16);
    std::memcpy(memory_.data(), program.bytes.data(), program.bytes.size());
  }
  template <class Index>
  Machine<Index> thread(int number) {
    return Machine<Index>(reinterpret_cast<Shared>(memory_.data()), number);
  }
  template <class Index>
  void prepare() {
    for (int t = 0; t < kThreads; ++t) thread<Index>(t).prepare();
  }

 private:
  std::vector<Plane> memory_;
};

template <class Index>
void run_elementwise_as(const Kernel& kernel, const Program& program) {
  Block block(program);
  block.prepare<Index>();
  std::int64_t rows = 1;
  for (std::size_t d = 0; d + 1 < kernel.shape.size(); ++d) rows *= kernel.shape[d];
  const std::int64_t inner = kernel.shape.empty() ? 1 : kernel.shape.back();
  int thread = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t first = 0; first < inner; first += kLanes) {
      thread = (thread + 37) % kThreads;
      const Machine<Index> machine = block.thread<Index>(thread);
      machine.place_kept(static_cast<Index>(row));
      machine.run(static_cast<Index>(first), static_cast<int>(std::min<std::int64_t>(kLanes, inner - first)));
    }
  }
}

bool run_on_host(const Kernel& kernel, std::size_t max_shared = kShared) {
  Program program;
  if (!encode(kernel, Wanted{}, max_shared, program)) return false;
  EXPECT_LE(program.shared_bytes, max_shared);
  if (program.wide) {
    run_elementwise_as<kernels::int64>(kernel, program);
  } else {
    run_elementwise_as<int>(kernel, program);
  }
  return true;
}

TEST(Bytecode, EveryLoopIsServed) {
  for (int o = 0; o < kOpCount; ++o) {
    for (int k = 0; k < kDTypeCount; ++k) {
      const Op op = static_cast<Op>(o);
      const dtype key = static_cast<dtype>(k);
      if (!has_loop(op, key)) continue;
      const LoopName name = loop_of(op, key);
      if (name.op == Op::count_) continue;
      EXPECT_NE(kLoopNumbers.find(name), kNoLoop) << info(op).name << " " << cuprum::name(key);
    }
  }
  for (int from = 0; from < kDTypeCount; ++from) {
    for (int to = 0; to < kDTypeCount; ++to) {
      const LoopName name = cast_loop(static_cast<dtype>(from), static_cast<dtype>(to));
      if (name.op != Op::count_) {
        EXPECT_NE(kLoopNumbers.find(name), kNoLoop) << from << " " << to;
      }
    }
  }
  for (const LoopFn loop : kTable) EXPECT_NE(loop, nullptr);
}

/// Not where the CPU's vector loops have functions of their own.
bool is_exact(Op op) {
  const bool magnitude = op == Op::absolute;  // of a complex number
  return op != Op::cast && !magnitude && !has(op, kTranscendental);
}

class Generator {
 public:
  Generator(Rng& rng, Made& made) : rng_(rng), made_(made) {}

  void run(const Dims& shape, int leaves, int scalars, int instructions, int stores) {
    made_.kernel.shape = shape;
    for (int i = 0; i < leaves; ++i) {
      types_.push_back(any_type());
      add_leaf(rng_, made_, types_.back());
    }
    for (int i = 0; i < scalars; ++i) {
      types_.push_back(any_type());
      made_.kernel.scalars.push_back(random_value(rng_, types_.back()));
    }
    while (instructions-- > 0) add_instruction();
    for (int i = 0; i < stores; ++i) add_store();
  }
  const std::vector<dtype>& types() const { return types_; }

 private:
  dtype any_type() { return static_cast<dtype>(pick(rng_, 0, kDTypeCount - 1)); }
  std::uint16_t any_register() {
    return static_cast<std::uint16_t>(pick(rng_, 0, static_cast<std::int64_t>(types_.size()) - 1));
  }

  std::uint16_t register_of(dtype type) {
    const std::uint16_t from = any_register();
    if (types_[from] == type) return from;
    made_.kernel.code.push_back(Instr{Op::cast, types_[from], type, 1, {from}});
    types_.push_back(type);
    return static_cast<std::uint16_t>(types_.size() - 1);
  }

  void add_instruction() {
    for (;;) {
      const Op op = static_cast<Op>(pick(rng_, 0, kOpCount - 1));
      const Signature* s = signature(op, any_type());
      if (!s || !is_exact(op)) continue;
      Instr instr{op, s->key, s->out, static_cast<std::uint8_t>(input_count(op)), {}};
      for (int i = 0; i < instr.nsrc; ++i) instr.src[i] = register_of(s->in[i]);
      made_.kernel.code.push_back(instr);
      types_.push_back(s->out);
      return;
    }
  }

  void add_store() {
    const std::uint16_t src =
        pick(rng_, 0, 2) ? static_cast<std::uint16_t>(types_.size() - 1) : any_register();
    const dtype type = types_[src];
    made_.outputs.push_back(empty_like(rng_, type, made_.kernel.shape));
    made_.kernel.stores.push_back({made_.outputs.back().data, type, made_.outputs.back().strides, src});
  }

  Rng& rng_;
  Made& made_;
  std::vector<dtype> types_;
};

Dims random_shape(Rng& rng) {
  Dims shape;
  for (std::int64_t d = pick(rng, 0, 4); d > 0; --d) shape.push_back(pick(rng, 1, 9));
  return shape;
}

/// Runs the kernel by the interpreter and by the reference backend and compares what they store.
void expect_agreement(Made& made, std::size_t max_shared, const std::string& what) {
  for (Owned& out : made.outputs) std::fill(out.memory.begin(), out.memory.end(), std::byte{0x5a});
  reference_backend().run(reference_backend().first_stream(), made.kernel);
  std::vector<Owned> expected;
  for (const Owned& out : made.outputs) expected.push_back(copy_of(out));
  for (Owned& out : made.outputs) std::fill(out.memory.begin(), out.memory.end(), std::byte{0x5a});
  ASSERT_TRUE(run_on_host(made.kernel, max_shared)) << what;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    expect_same(made.outputs[i], expected[i], what, Same::any_nan);
  }
}

TEST(Bytecode, RandomProgramsAgreeWithTheReference) {
  for (int seed = 0; seed < 400; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Made made;
    Generator(rng, made).run(random_shape(rng), static_cast<int>(pick(rng, 1, 4)),
                             static_cast<int>(pick(rng, 0, 3)), static_cast<int>(pick(rng, 0, 12)),
                             static_cast<int>(pick(rng, 1, 3)));
    expect_agreement(made, kShared, "seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
}

TEST(Bytecode, FewRegistersAreEnough) {
  for (int seed = 0; seed < 200; ++seed) {
    Rng rng(static_cast<std::uint64_t>(seed));
    Made made;
    Generator(rng, made).run({3, 7}, 6, 2, 6, 2);
    // As few planes as it can be encoded with.
    Program program;
    std::size_t limit = 8 * 1024;
    while (!encode(made.kernel, Wanted{}, limit, program)) limit += kPlaneBytes;
    expect_agreement(made, limit, "seed " + std::to_string(seed));
    if (HasFailure()) return;
  }
}

TEST(Bytecode, EveryExactLoopAgreesWithTheReference) {
  Rng rng(7);
  for (int o = 0; o < kOpCount; ++o) {
    const Op op = static_cast<Op>(o);
    for (int k = 0; k < kDTypeCount; ++k) {
      const Signature* s = signature(op, static_cast<dtype>(k));
      if (!s || !is_exact(op)) continue;
      Made made;
      made.kernel.shape = {61};
      Instr instr{op, s->key, s->out, static_cast<std::uint8_t>(input_count(op)), {}};
      for (int i = 0; i < instr.nsrc; ++i) {
        add_leaf(rng, made, s->in[i]);
        instr.src[i] = static_cast<std::uint16_t>(i);
      }
      made.kernel.code.push_back(instr);
      made.outputs.push_back(empty_like(rng, s->out, made.kernel.shape));
      made.kernel.stores.push_back({made.outputs[0].data, s->out, made.outputs[0].strides, instr.nsrc});
      expect_agreement(made, kShared, std::string(info(op).name) + " " + cuprum::name(s->key));
    }
  }
}

TEST(Bytecode, EveryCastAgreesWithTheReference) {
  Rng rng(8);
  for (const dtype from : all_dtypes()) {
    for (const dtype to : all_dtypes()) {
      Made made;
      made.kernel.shape = {61};
      add_leaf(rng, made, from);
      made.kernel.code.push_back(Instr{Op::cast, from, to, 1, {0}});
      made.outputs.push_back(empty_like(rng, to, made.kernel.shape));
      made.kernel.stores.push_back({made.outputs[0].data, to, made.outputs[0].strides, 1});
      expect_agreement(made, kShared, std::string(cuprum::name(from)) + " to " + cuprum::name(to));
    }
  }
}

TEST(Bytecode, InPlace) {
  // b = a + a, a = -a, where a is read and written: with few registers too.
  std::vector<float> a(10), b(10);
  for (std::size_t limit : {std::size_t{10} * 1024, kShared}) {
    for (int i = 0; i < 10; ++i) a[static_cast<std::size_t>(i)] = static_cast<float>(i);
    auto* pa = reinterpret_cast<std::byte*>(a.data());
    auto* pb = reinterpret_cast<std::byte*>(b.data());
    Kernel kernel;
    kernel.shape = {10};
    kernel.leaves = {{pa, dtype::float32, {4}}, {pa, dtype::float32, {4}}};
    kernel.code = {{Op::negative, dtype::float32, dtype::float32, 1, {0}},
                   {Op::add, dtype::float32, dtype::float32, 2, {1, 1}}};
    kernel.stores = {{pa, dtype::float32, {4}, 2}, {pb, dtype::float32, {4}, 3}};
    ASSERT_TRUE(run_on_host(kernel, limit));
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(a[static_cast<std::size_t>(i)], static_cast<float>(-i));
      EXPECT_EQ(b[static_cast<std::size_t>(i)], static_cast<float>(2 * i));
    }
  }
}

TEST(Bytecode, TooManyRegistersAreRefused) {
  Rng rng(3);
  Made made;
  Generator(rng, made).run({4}, 2, 0, 2, 1);
  Program program;
  EXPECT_FALSE(encode(made.kernel, Wanted{}, 1024, program));
}

TEST(Bytecode, LargeKernelsHaveWideIndices) {
  Kernel kernel;
  kernel.shape = {1 << 16, 1 << 16};
  kernel.leaves = {{nullptr, dtype::int8, {1 << 16, 1}}};
  kernel.stores = {{nullptr, dtype::int8, {1 << 16, 1}, 0}};
  Program program;
  ASSERT_TRUE(encode(kernel, Wanted{}, kShared, program));
  EXPECT_TRUE(program.wide);
}

}  // namespace
}  // namespace cuprum::cuda::bytecode
