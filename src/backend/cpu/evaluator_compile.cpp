// Translates a kernel to a program: loops are looked up, values get slots, registers are reused by liveness.
#include <unistd.h>

#include <algorithm>

#include "backend/cpu/evaluator.h"
#include "backend/cpu/instruction_loop.h"
#include "backend/cpu/simd/pairs.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

// Small enough that memory is read steadily while a block is computed: 2*a + 3*b - a*b of 1e7 float32 takes 4.8 ms with
// registers of 1 KB and 9 ms with 2 KB or more (one thread); in the cache, 1 KB costs nothing.
constexpr std::int64_t kRegisterBytes = 1024;
constexpr std::int64_t kBlockWithoutRegisters = 8192;
constexpr std::int64_t kTranscendentalCost = 8;
constexpr std::int64_t kGatherCost = 3;
// Gathered at once: of 16 KB, exp(table[idx]) * sin(w) takes 1.1 of the time of a call and a kernel, of 64 KB as long.
constexpr std::int64_t kGatheredBytes = 64 * 1024;
// Between two gathers or draws, other operands are read in longer pieces if little is computed: table[idx] * w + b of 4M float32 takes
// 5.2 ms with registers of 4 KB and 6.4 with 1 KB (one thread), a + random(n) 2.9 and 3.2.
constexpr std::int64_t kRegisterBytesAmidMade = 4096;
constexpr std::int64_t kLittleWork = 16;
// Drawn at once: less, and entering the stream counts; more, and memory waits while numbers are drawn (a table in
// benchmarks/results/draws-2026-11-19.md).
constexpr std::int64_t kDrawnBytes = 8 * 1024;

/// Results of at least this size are written past the cache, which could not hold them until they are read (`a + b` of 1e7
/// float32: 3.6 ms instead of 4.2, because their memory is not read first).
std::int64_t stream_bytes() {
  static const std::int64_t bytes = [] {
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return cache > 0 ? static_cast<std::int64_t>(cache) : std::int64_t{32} << 20;
  }();
  return bytes;
}

class Compiler {
 public:
  Compiler(const Kernel& kernel, const CompileOptions& options, Program& program)
      : k_(kernel), options_(options), p_(program) {}

  void run() {
    p_.kernel = &k_;
    p_.total = 1;
    for (const std::int64_t extent : k_.shape) p_.total *= extent;
    first_code_ = k_.leaves.size() + k_.scalars.size();
    first_store_ = static_cast<std::uint16_t>(k_.leaves.size());
    p_.first_register = static_cast<std::uint16_t>(k_.leaves.size() + k_.stores.size());
    p_.slots = p_.first_register;
    find_last_uses();
    place_stores();
    place_leaves();
    place_gathers();
    place_draws();
    place_scalars();
    place_code();
    place_copies();
    place_operands();
    choose_block();
  }

 private:
  std::uint16_t new_register() { return p_.slots++; }

  void widest(dtype t) { p_.itemsize = std::max(p_.itemsize, static_cast<std::int64_t>(itemsize(t))); }

  /// last_use_[v]: index of the last instruction that reads value v; code.size() when a store or a reduction does.
  void find_last_uses() {
    last_use_.resize(first_code_ + k_.code.size(), -1);
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      for (int s = 0; s < k_.code[i].nsrc; ++s) last_use_[k_.code[i].src[s]] = static_cast<std::int32_t>(i);
    }
    const auto end = static_cast<std::int32_t>(k_.code.size());
    for (const Store& store : k_.stores) {
      if (store.src < first_code_) last_use_[store.src] = end;
    }
    for (const Reduction& reduction : k_.reductions) last_use_[reduction.src] = end;
  }

  template <class Operand>
  Access access(const Operand& operand) {
    Access a = make_access(k_.shape, operand.data, operand.strides, operand.type);
    if (options_.tiled) a.flat = false;
    if (!a.flat) {
      p_.flat = false;
      a.reg = new_register();
      ++p_.cost;
    }
    return a;
  }

  /// The instruction that computes a stored value may write it in place, unless the store is the memory of a leaf
  /// that is still read later.
  bool computed_in_place(const Store& store) const {
    if (store.src < first_code_) return false;
    const auto index = static_cast<std::int32_t>(store.src - first_code_);
    for (std::size_t leaf = 0; leaf < k_.leaves.size(); ++leaf) {
      if (k_.leaves[leaf].data == store.data && last_use_[leaf] > index) return false;
    }
    return true;
  }

  bool is_leaf_memory(const Store& store) const {
    return std::any_of(k_.leaves.begin(), k_.leaves.end(),
                       [&](const Leaf& leaf) { return leaf.data == store.data; });
  }

  void place_stores() {
    in_place_.resize(k_.code.size(), kNoSlot);
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      const Store& store = k_.stores[i];
      StoreAccess a{access(store), 0, true, false};
      a.slot = static_cast<std::uint16_t>(first_store_ + i);
      a.copied = !computed_in_place(store) || in_place_[store.src - first_code_] != kNoSlot;
      const bool is_scalar = store.src >= k_.leaves.size() && store.src < first_code_;
      a.streamed = a.flat && p_.total * options_.slices * a.itemsize >= stream_bytes() &&
                   !is_leaf_memory(store) && !is_scalar;
      if (a.streamed && !a.copied) a.reg = new_register();
      if (!a.copied) in_place_[store.src - first_code_] = a.slot;
      if (a.copied && store.src >= first_code_) {
        last_use_[store.src] = static_cast<std::int32_t>(k_.code.size());
      }
      p_.stores.push_back(a);
      widest(store.type);
    }
  }

  void place_leaves() {
    for (std::size_t i = 0; i < k_.leaves.size(); ++i) {
      const Leaf& leaf = k_.leaves[i];
      Access a = access(leaf);
      a.slot = static_cast<std::uint16_t>(i);
      if (overwritten_before_copied(i)) {
        a.run = 0;
        if (a.reg == kNoSlot) a.reg = new_register();
        a.flat = p_.flat = false;
      }
      p_.leaves.push_back(a);
      widest(leaf.type);
    }
  }

  /// Elements of a leaf that is made, `bytes` of them at once.
  void place_made(std::uint16_t i, const LeafSource& from, std::int64_t bytes) {
    Access& leaf = p_.leaves[i];
    if (leaf.reg == kNoSlot) leaf.reg = new_register();
    leaf.run = leaf.period = 0;
    leaf.flat = p_.flat = false;
    leaf.made = true;
    p_.made.push_back({i, from, bytes / leaf.itemsize});
  }

  void place_gathers() {
    const std::int64_t bytes = kGatheredBytes / std::max<std::int64_t>(1, k_.gathers.size() / 4);
    for (const Gathered& g : k_.gathers) {
      const Access& leaf = p_.leaves[g.leaf];
      p_.cost += kGatherCost;
      place_made(g.leaf,
                 GatherSource{leaf.data, g.index.data, leaf.strides, g.strides.data(), g.extent, g.step,
                              leaf.itemsize},
                 bytes);
    }
  }

  void place_draws() {
    for (const Drawn& d : k_.draws) {
      const Leaf& leaf = k_.leaves[d.leaf];
      const auto size = static_cast<std::int64_t>(itemsize(leaf.type));
      const std::int64_t first = leaf.data.address() - static_cast<std::byte*>(nullptr);
      const PlacedLaw& law = *p_.laws.emplace_back(placed_law(d.draw, *d.draw.from, leaf.type));
      p_.cost += kParallelWork / law.share;
      place_made(d.leaf, DrawSource{&law, first, leaf.strides.data(), static_cast<int>(size)}, kDrawnBytes);
    }
  }

  /// Is leaf `i` copied to a store by itself, while another store writes its memory? Then it is saved in a register.
  bool overwritten_before_copied(std::size_t i) const {
    bool copied = false, overwritten = false;
    for (const Store& store : k_.stores) {
      if (store.src == i) {
        copied = true;
      } else if (store.data == k_.leaves[i].data) {
        overwritten = true;
      }
    }
    return copied && overwritten;
  }

  void place_scalars() {
    p_.first_scalar = p_.slots;
    for (const Scalar& scalar : k_.scalars) {
      new_register();
      widest(scalar.type);
    }
  }

  std::uint16_t slot_of(std::uint16_t value) const {
    if (value < k_.leaves.size()) return value;
    if (value < first_code_) return static_cast<std::uint16_t>(p_.first_scalar + value - k_.leaves.size());
    return code_slots_[value - first_code_];
  }

  std::uint16_t take_register() {
    if (free_.empty()) return new_register();
    const std::uint16_t slot = free_.back();  // the one used last is the warmest
    free_.pop_back();
    return slot;
  }

  /// Gives back the registers of values that instruction `i` reads last.
  void release_sources(std::size_t i) {
    const Instr& instr = k_.code[i];
    for (int s = 0; s < instr.nsrc; ++s) {
      const std::uint16_t v = instr.src[s];
      if (v < first_code_ || last_use_[v] != static_cast<std::int32_t>(i)) continue;
      if (in_place_[v - first_code_] != kNoSlot) continue;
      if (s > 0 && v == instr.src[0]) continue;
      if (s > 1 && v == instr.src[1]) continue;
      free_.push_back(slot_of(v));
    }
  }

  /// May the result share a register with an operand? Loops allow it only where all elements are of one size.
  bool same_sizes(const Instr& instr) const {
    for (int s = 0; s < instr.nsrc; ++s) {
      if (itemsize(type_of(instr.src[s])) != itemsize(instr.out)) return false;
    }
    return true;
  }

  dtype type_of(std::uint16_t value) const {
    if (value < k_.leaves.size()) return k_.leaves[value].type;
    if (value < first_code_) return k_.scalars[value - k_.leaves.size()].type;
    return k_.code[value - first_code_].out;
  }

  /// The loop of instructions i - 1 and i, where nobody else reads what the first one gives.
  LoopFn loop_of_pair(std::size_t i) const {
    if (i == 0 || paired_) return nullptr;
    const Instr &first = k_.code[i - 1], &second = k_.code[i];
    const std::size_t between = first_code_ + i - 1;
    if (first.nsrc != 2 || second.nsrc != 2 || first.key != second.key || in_place_[i - 1] != kNoSlot ||
        last_use_[between] != static_cast<std::int32_t>(i)) {
      return nullptr;
    }
    const bool left = second.src[0] == between, right = second.src[1] == between;
    if (!left && !right) return nullptr;
    const PairForm form = left && right ? PairForm::both : left ? PairForm::left : PairForm::right;
    return pair_loop(first.op, second.op, form, second.key);
  }

  /// Instruction i joins the one before it in a step. What that one reads is still there: nothing has been written since.
  void join(std::size_t i, LoopFn pair) {
    const Instr& instr = k_.code[i];
    Step& step = p_.steps.back();
    const bool left = instr.src[0] == first_code_ + i - 1;
    step.fn = pair;
    step.c = slot_of(instr.src[left ? 1 : 0]);
    release_sources(i);
    step.dst = in_place_[i] != kNoSlot ? in_place_[i] : take_register();
    code_slots_.push_back(step.dst);
  }

  void place_code() {
    const LoopTable& table = loops();
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      const Instr& instr = k_.code[i];
      widest(instr.out);
      p_.cost += info(instr.op).flags & kTranscendental ? kTranscendentalCost : 1;
      const LoopFn pair = loop_of_pair(i);
      paired_ = pair != nullptr;
      if (pair) {
        join(i, pair);
        continue;
      }
      Step step;
      step.fn = instruction_loop(table, instr);
      std::uint16_t src[3] = {0, 0, 0};
      for (int s = 0; s < instr.nsrc; ++s) src[s] = slot_of(instr.src[s]);
      step.a = src[0];
      step.b = src[1];
      step.c = src[2];
      const bool share = same_sizes(instr);
      if (share) release_sources(i);
      step.dst = in_place_[i] != kNoSlot ? in_place_[i] : take_register();
      if (!share) release_sources(i);
      code_slots_.push_back(step.dst);
      p_.steps.push_back(step);
    }
  }

  void place_copies() {
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      p_.stores[i].src = slot_of(k_.stores[i].src);
      p_.cost += p_.stores[i].copied;
    }
  }

  void place_operands() {
    for (const Reduction& reduction : k_.reductions) {
      std::uint16_t slot = slot_of(reduction.src);
      const dtype type = folded_type(reduction);
      if (type != reduction.type) {
        const LoopFn convert = loops().cast[static_cast<int>(reduction.type)][static_cast<int>(type)];
        const std::uint16_t converted = new_register();
        p_.steps.push_back({convert, converted, slot, 0, 0});
        slot = converted;
      }
      widest(type);
      p_.operands.push_back(slot);
      ++p_.cost;
    }
  }

  void choose_block() {
    if (p_.slots == p_.first_register) {
      p_.block = kBlockWithoutRegisters;
    } else {
      const bool longer = !has_plain_leaves(k_) && p_.cost <= kLittleWork;
      p_.block = (longer ? kRegisterBytesAmidMade : kRegisterBytes) / p_.itemsize;
      // A row a little longer is better taken whole than in halves.
      const bool follows_rows = !p_.flat && !options_.tiled && !k_.shape.empty() && k_.reductions.empty();
      if (follows_rows && k_.shape.back() > p_.block && k_.shape.back() <= 2 * p_.block)
        p_.block = (k_.shape.back() + 15) / 16 * 16;  // registers stay aligned
    }
    p_.block = std::max(p_.block, options_.min_block);
    for (MadeLeaf& leaf : p_.made) leaf.ahead = std::max(leaf.ahead, p_.block);
    // 128 bytes behind: room for loads past the end, and registers do not all fall on the same cache sets.
    p_.register_bytes = static_cast<std::uint32_t>(p_.block * p_.itemsize + 128);
    if (p_.cost == 0) p_.cost = 1;
  }

  const Kernel& k_;
  const CompileOptions& options_;
  Program& p_;
  std::size_t first_code_ = 0;
  std::uint16_t first_store_ = 0;
  SmallVector<std::int32_t, 32> last_use_;
  SmallVector<std::uint16_t, 24> in_place_;    // store slot that instruction i writes, or kNoSlot
  SmallVector<std::uint16_t, 24> code_slots_;  // slot of the result of instruction i
  SmallVector<std::uint16_t, 16> free_;
  bool paired_ = false;  // the last instruction shares its step with the one before it
};

}  // namespace

Access make_access(const Dims& shape, std::byte* data, const Dims& strides, dtype type) {
  Access a{};
  a.data = data;
  a.strides = strides.data();
  a.itemsize = static_cast<std::uint8_t>(itemsize(type));
  a.reg = kNoSlot;
  a.run = 1;
  std::int64_t expected = a.itemsize, total = 1;
  const auto dims = static_cast<int>(shape.size());
  bool running = true;
  for (int d = dims - 1; d >= 0; --d) {
    running = running && strides[d] == expected;
    if (running) a.run *= shape[d];
    expected *= shape[d];
    total *= shape[d];
  }
  a.flat = a.run == total;
  if (a.run == 1) a.run = 0;
  int first = 0;
  while (first < dims && strides[first] == 0) ++first;
  if (first > 0) {
    a.period = 1;
    for (int d = first; d < dims; ++d) a.period *= shape[d];
  }
  return a;
}

void compile(const Kernel& kernel, const CompileOptions& options, Program& program) {
  Compiler(kernel, options, program).run();
}

}  // namespace cuprum::cpu
