// Fused kernels, interpreted element by element; each reduction collects its operands and folds them at the
// end.
#include <complex>
#include <utility>

#include "backend/reference/element.h"
#include "backend/reference/primitives.h"
#include "runtime/stages.h"

namespace cuprum::reference {

namespace {

/// The operand of one result of a reduction, in kernel order, with the logical position of each value.
struct Operand {
  std::vector<Scalar> values;
  std::vector<std::int64_t> positions;
};

Scalar fold(Op op, const std::vector<Scalar>& values) {
  Scalar total = values[0];
  for (std::size_t i = 1; i < values.size(); ++i) total = apply(op, total, values[i]);
  return total;
}

using Wide = std::complex<long double>;

Wide widen(const Scalar& value) {
  const Scalar wide = cast(value, dtype::complex128);
  double part[2];
  std::memcpy(part, wide.bytes, sizeof(part));
  return {part[0], part[1]};
}

Scalar narrow(Wide value, dtype type) {
  const double part[2] = {static_cast<double>(value.real()), static_cast<double>(value.imag())};
  Scalar wide;
  wide.type = dtype::complex128;
  std::memcpy(wide.bytes, part, sizeof(part));
  return cast(wide, type);
}

Wide wide_sum(const std::vector<Scalar>& values) {
  Wide total = 0;
  for (const Scalar& v : values) total += widen(v);
  return total;
}

Wide variance(const std::vector<Scalar>& values, double ddof) {
  const Wide mean = wide_sum(values) / static_cast<long double>(values.size());
  long double squares = 0;
  for (const Scalar& v : values) squares += std::norm(widen(v) - mean);
  return squares / std::max(static_cast<long double>(values.size()) - ddof, 0.0L);
}

/// First occurrence of the best value; NaN beats everything, or loses to everything.
std::int64_t best_position(const Operand& operand, bool largest, bool nan_wins) {
  const auto better = [&](const Scalar& a, const Scalar& b) {
    if (is_nan(a) || is_nan(b)) return is_nan(a) != is_nan(b) && is_nan(a) == nan_wins;
    return largest ? sort_key(b) < sort_key(a) : sort_key(a) < sort_key(b);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < operand.values.size(); ++i) {
    const Scalar &a = operand.values[i], &b = operand.values[best];
    const bool earlier = operand.positions[i] < operand.positions[best];
    if (better(a, b) || (earlier && !better(b, a))) best = i;
  }
  return operand.positions[best];
}

Op fold_of(const Reduction& r) {
  switch (r.op) {
    case ReduceOp::sum: return Op::add;
    case ReduceOp::prod: return Op::multiply;
    case ReduceOp::min: return Op::minimum;
    case ReduceOp::max: return Op::maximum;
    case ReduceOp::fmin: return Op::fmin;
    case ReduceOp::fmax: return Op::fmax;
    case ReduceOp::any: return Op::logical_or;
    case ReduceOp::all: return Op::logical_and;
    case ReduceOp::bitwise_and: return Op::bitwise_and;
    case ReduceOp::bitwise_or: return Op::bitwise_or;
    case ReduceOp::bitwise_xor: return Op::bitwise_xor;
    case ReduceOp::logical_xor: return Op::logical_xor;
    default: return r.fold;
  }
}

/// What an empty reduction gives. Those without an identity never come here: the engine refuses them.
Scalar identity(const Reduction& r) {
  if (r.op == ReduceOp::mean || r.op == ReduceOp::var) return narrow(Wide(0) / 0.0L, r.out);
  double value = 0;
  switch (info(fold_of(r)).identity) {
    case Identity::one:
    case Identity::true_: value = 1; break;
    case Identity::minus_one: return cast(int_scalar(-1), r.out);
    case Identity::minus_inf: value = -__builtin_inf(); break;
    default: break;
  }
  return cast(Scalar::of(dtype::float64, value), r.out);
}

Scalar reduce(const Reduction& r, const Operand& operand) {
  const std::vector<Scalar>& values = operand.values;
  if (values.empty()) return identity(r);
  const bool small = r.type == dtype::float16 || r.type == dtype::bfloat16;
  const bool inexact = is_floating(r.type) || is_complex(r.type);
  switch (r.op) {
    case ReduceOp::sum: return inexact ? narrow(wide_sum(values), r.out) : cast(fold(Op::add, values), r.out);
    case ReduceOp::mean: return narrow(wide_sum(values) / static_cast<long double>(values.size()), r.out);
    case ReduceOp::var: return narrow(variance(values, r.ddof), r.out);
    case ReduceOp::argmin: return int_scalar(best_position(operand, false, true));
    case ReduceOp::argmax: return int_scalar(best_position(operand, true, true));
    case ReduceOp::nanargmin: return int_scalar(best_position(operand, false, false));
    case ReduceOp::nanargmax: return int_scalar(best_position(operand, true, false));
    case ReduceOp::any:
    case ReduceOp::all:
    case ReduceOp::logical_xor:
    case ReduceOp::prod: {
      const dtype wide = r.op != ReduceOp::prod ? dtype::bool_ : small ? dtype::float32 : r.type;
      std::vector<Scalar> converted;
      for (const Scalar& v : values) converted.push_back(cast(v, wide));
      return cast(fold(fold_of(r), converted), r.out);
    }
    default: return cast(fold(fold_of(r), values), r.out);
  }
}

/// Where the element of a leaf lies.
std::byte* element_of(const Kernel& kernel, std::size_t leaf, const Dims& at) {
  std::byte* data = address(kernel.leaves[leaf].data, kernel.leaves[leaf].strides, at);
  if (const Gathered* g = gathered(kernel, leaf)) {
    std::int64_t index;
    const Scalar given = load(g->index.type, address(g->index.data, g->strides, at));
    std::memcpy(&index, cast(given, dtype::int64).bytes, sizeof(index));
    data += (index < 0 ? index + g->extent : index) * g->step;
  }
  return data;
}

/// The registers of one element: leaves, scalars, one result per instruction.
std::vector<Scalar> evaluate(const Kernel& kernel, const Dims& at) {
  std::vector<Scalar> registers;
  for (std::size_t i = 0; i < kernel.leaves.size(); ++i)
    registers.push_back(load(kernel.leaves[i].type, element_of(kernel, i, at)));
  registers.insert(registers.end(), kernel.scalars.begin(), kernel.scalars.end());
  for (const Instr& i : kernel.code) {
    Scalar source[kMaxInputs];
    for (int k = 0; k < i.nsrc; ++k) source[k] = registers[i.src[k]];
    registers.push_back(i.op == Op::cast ? cast(source[0], i.out)
                                         : apply(i.op, i.key, i.out, source[0], source[1], source[2]));
  }
  return registers;
}

/// Draws what leaves read, all of it up to the last number: then they are as any other.
std::vector<std::vector<std::byte>> draw_leaves(Kernel& kernel) {
  std::vector<std::vector<std::byte>> memory;
  for (const Drawn& d : kernel.draws) {
    Leaf& leaf = kernel.leaves[d.leaf];
    const auto size = static_cast<std::int64_t>(itemsize(leaf.type));
    std::int64_t last = leaf.data.address() - static_cast<std::byte*>(nullptr);
    for (std::size_t k = 0; k < kernel.shape.size(); ++k)
      last += std::max<std::int64_t>(0, (kernel.shape[k] - 1) * leaf.strides[k]);
    std::byte* const data = memory.emplace_back(static_cast<std::size_t>(last + size)).data();
    const View numbers{data, leaf.type, {last / size + 1}, {size}, {}};
    call(d.draw, {}, {&numbers, 1});
    leaf.data = data + (leaf.data.address() - static_cast<std::byte*>(nullptr));
  }
  kernel.draws.clear();
  return memory;
}

void run_stage(const Kernel& kernel) {
  Dims kept = kernel.shape, reduced = kernel.shape;
  for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
    (kernel.reduced >> d & 1 ? kept : reduced)[d] = 1;
  }
  each(kept, [&](const Dims& base) {
    std::vector<Operand> operands(kernel.reductions.size());
    each(reduced, [&](const Dims& along) {
      Dims at = base;
      for (std::size_t d = 0; d < at.size(); ++d) at[d] += along[d];
      const std::vector<Scalar> registers = evaluate(kernel, at);
      for (const Store& s : kernel.stores) store(registers[s.src], address(s.data, s.strides, at));
      for (std::size_t i = 0; i < operands.size(); ++i) {
        const Reduction& r = kernel.reductions[i];
        operands[i].values.push_back(registers[r.src]);
        std::int64_t position = 0;
        for (std::size_t d = 0; d < r.arg_weights.size(); ++d) position += along[d] * r.arg_weights[d];
        operands[i].positions.push_back(position);
      }
    });
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const Reduction& r = kernel.reductions[i];
      store(reduce(r, operands[i]), address(r.data, r.strides, base));
    }
  });
}

}  // namespace

void run(const Kernel& kernel) {
  if (!kernel.draws.empty()) {
    Kernel plain = kernel;
    const auto memory = draw_leaves(plain);
    return run(plain);
  }
  if (kernel.stages.empty()) return run_stage(kernel);
  Split split = cuprum::split(kernel);
  std::vector<std::vector<std::byte>> memory;
  for (std::size_t i = 0; i < split.crossings.size(); ++i) {
    split.place(i, memory.emplace_back(split.crossings[i].bytes + 1).data());
  }
  for (const Kernel& stage : split.kernels) run_stage(stage);
}

}  // namespace cuprum::reference
