#include "backend/cuda/bytecode/assemble.h"

namespace cuprum::cuda::bytecode {

namespace {

class Assembler {
 public:
  Assembler(const Kernel& kernel, const Wanted& wanted, Assembly& to)
      : kernel_(kernel), wanted_(wanted), to_(to) {}

  bool run() {
    to_.values.clear();
    to_.register_values.clear();
    to_.steps.clear();
    to_.fold.clear();
    to_.reduced = to_.total = 0;
    for (const Leaf& leaf : kernel_.leaves) add_source(leaf.type, is_uniform(leaf));
    for (const Scalar& scalar : kernel_.scalars) add_source(scalar.type, true);
    for (const Instr& instr : kernel_.code) {
      std::uint16_t src[kMaxInputs] = {};
      for (int i = 0; i < instr.nsrc; ++i) src[i] = to_.register_values[instr.src[i]];
      to_.register_values.push_back(instr.op == Op::cast
                                        ? convert(src[0], instr.key, instr.out)
                                        : apply(instr.op, instr.key, instr.out, instr.nsrc, src));
    }
    if (wanted_.reduction >= 0 && !add_reduction()) return false;
    keep_needed();
    return true;
  }

 private:
  bool is_uniform(const Leaf& leaf) const {
    for (std::size_t d = 0; d < kernel_.shape.size(); ++d) {
      if (leaf.strides[d] != 0 && kernel_.shape[d] != 1) return false;
    }
    return true;
  }

  std::uint16_t add_value(dtype type, bool uniform) {
    Value value;
    value.planes = static_cast<std::uint8_t>(planes_of(type));
    value.uniform = uniform;
    to_.values.push_back(value);
    return static_cast<std::uint16_t>(to_.values.size() - 1);
  }
  void add_source(dtype type, bool uniform) { to_.register_values.push_back(add_value(type, uniform)); }

  std::uint16_t add_step(const LoopName& loop, dtype out, int nsrc, const std::uint16_t* src) {
    Step step = {};
    step.loop = static_cast<std::uint16_t>(kLoopNumbers.find(loop));
    step.nsrc = static_cast<std::uint8_t>(nsrc);
    for (int i = 0; i < nsrc; ++i) step.src[i] = src[i];
    step.dst = add_value(out, false);
    to_.steps.push_back(step);
    return step.dst;
  }

  std::uint16_t convert(std::uint16_t value, dtype from, dtype to) {
    const LoopName loop = cast_loop(from, to);
    return loop.op == Op::count_ ? value : add_step(loop, to, 1, &value);
  }

  /// The value of op(src...).
  std::uint16_t apply(Op op, dtype key, dtype out, int nsrc, std::uint16_t* src) {
    const LoopName loop = loop_of(op, key);
    if (loop.op == Op::count_) return src[0];
    if (!(is_small_float(key) && loop.key == dtype::float32)) return add_step(loop, out, nsrc, src);
    const Signature s = signature_of(op, key);
    const std::uint16_t first = src[0];
    for (int i = 0; i < nsrc; ++i) {
      if (s.in[i] != key) continue;
      src[i] = i > 0 && src[i] == first ? src[0] : convert(src[i], key, dtype::float32);
    }
    const std::uint16_t wide = add_step(loop, output_type(op, dtype::float32), nsrc, src);
    return s.out == key ? convert(wide, dtype::float32, key) : wide;
  }

  bool add_reduction() {
    const Reduction& r = kernel_.reductions[static_cast<std::size_t>(wanted_.reduction)];
    to_.reduced = to_.register_values[r.src];
    if (r.op != ReduceOp::generic) {
      to_.reduced = convert(to_.reduced, r.type, reduced_type(r));
      return true;
    }
    const Signature* s = signature(r.fold, r.type);
    if (!s || input_count(r.fold) != 2 || s->in[1] != r.type || s->out != r.type || r.out != r.type)
      return false;
    to_.total = add_value(r.type, false);
    const std::size_t before = to_.steps.size();
    std::uint16_t src[kMaxInputs] = {to_.total, to_.reduced};
    apply(r.fold, r.type, r.type, 2, src);
    to_.fold.assign(to_.steps.begin() + static_cast<std::ptrdiff_t>(before), to_.steps.end());
    to_.steps.resize(before);
    return true;
  }

  void keep_needed() {
    if (wanted_.stores) {
      for (const Store& store : kernel_.stores) to_.values[to_.register_values[store.src]].needed = true;
    }
    if (wanted_.reduction >= 0) to_.values[to_.reduced].needed = true;
    // Backwards over the steps; those that are needed gather at the end of the list.
    std::size_t kept = to_.steps.size();
    for (std::size_t i = to_.steps.size(); i-- > 0;) {
      const Step step = to_.steps[i];
      if (!to_.values[step.dst].needed) continue;
      for (int k = 0; k < step.nsrc; ++k) to_.values[step.src[k]].needed = true;
      to_.steps[--kept] = step;
    }
    to_.steps.erase(to_.steps.begin(), to_.steps.begin() + static_cast<std::ptrdiff_t>(kept));
  }

  const Kernel& kernel_;
  const Wanted& wanted_;
  Assembly& to_;
};

}  // namespace

bool assemble(const Kernel& kernel, const Wanted& wanted, Assembly& to) {
  return Assembler(kernel, wanted, to).run();
}

dtype reduced_type(const Reduction& r) {
  switch (r.op) {
    case ReduceOp::generic: return r.type;
    case ReduceOp::any:
    case ReduceOp::all:
    case ReduceOp::logical_xor: return dtype::bool_;
    case ReduceOp::sum:
    case ReduceOp::prod:
    case ReduceOp::bitwise_and:
    case ReduceOp::bitwise_or:
    case ReduceOp::bitwise_xor:
      if (is_integer(r.type)) return dtype::uint64;
      break;
    default: break;
  }
  if (is_small_float(r.type)) return dtype::float32;
  if (is_signed_integer(r.type)) return dtype::int64;
  if (is_unsigned_integer(r.type) || is_bool(r.type)) return dtype::uint64;
  return r.type;
}

}  // namespace cuprum::cuda::bytecode
