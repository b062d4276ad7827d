#include "expr/now.h"

#include <algorithm>

#include "core/cast.h"
#include "core/inline_vector.h"
#include "core/layout.h"
#include "core/user_op.h"
#include "expr/host_copy.h"
#include "expr/lower.h"
#include "expr/node.h"
#include "expr/overlap.h"
#include "expr/run.h"
#include "runtime/capture.h"
#include "runtime/geometry.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

namespace cuprum {

namespace {

// Of one kernel. What it reads is found by walking down from its inputs, and compared with all that it reads already.
constexpr std::size_t kMostInstructions = 16;

// Its memory is used again; under the graph's lock.
Kernel& empty_kernel() {
  static Kernel kernel;
  clear(kernel);
  return kernel;
}

// The code of a kernel with one store or one reduction of a line. While leaves and scalars are still being found, leaf i is register i, scalar i kScalars + i and
// instruction i kCode + i.
class Code {
 public:
  Code(Kernel& kernel, const Dims& shape, const Stream& stream) : kernel_(kernel), stream_(stream) {
    kernel.shape = shape;
  }

  /// Computes `op` of the inputs, as `type`. False: something is not in memory, or it is too much.
  bool compute(Op op, const Signature& signature, std::span<const Input> inputs, dtype type) {
    std::uint16_t in[kMaxInputs] = {};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::optional<std::uint16_t> r = input(inputs[i], signature.in[i]);
      if (!r) return false;
      in[i] = *r;
    }
    result_ = op == Op::copy ? in[0] : instruction(op, signature.key, signature.out, {in, inputs.size()});
    if (signature.out != type) result_ = instruction(Op::cast, signature.out, type, {&result_, 1});
    return kernel_.code.size() <= kMostInstructions;
  }

  /// The elements themselves, as `type`; an expression too, which stays pending.
  bool read(const Array& a, dtype type) {
    Input whole(a);
    whole.temporary = reduces_ = true;
    const Register r = input(whole, type);
    result_ = r.value_or(0);
    return r && kernel_.code.size() <= kMostInstructions;
  }

  void reduce(const ReduceSpec& spec, std::byte* to, const Dims& order) {
    number_densely();
    kernel_.reduced = 1;
    Reduction& r = kernel_.reductions.emplace_back();
    r.op = spec.op;
    r.fold = spec.fold;
    r.type = spec.type;
    r.out = spec.out;
    r.ddof = spec.ddof;
    r.data = to;
    r.strides = {0};
    r.arg_weights = {1};
    r.src = dense(result_);
    simplify_geometry(kernel_, order);
  }

  void store(const Place& place, const Array& to) {
    number_densely();
    Store& store = kernel_.stores.emplace_back(Store{place, to.type(), to.strides(), dense(result_)});
    store.may_overlap = true;
    simplify_geometry(kernel_, to.strides());
  }

 private:
  using Register = std::optional<std::uint16_t>;
  static constexpr std::uint16_t kScalars = 0x4000, kCode = 0x8000;

  std::uint16_t instruction(Op op, dtype key, dtype out, std::span<const std::uint16_t> in) {
    Instr instr{op, key, out, static_cast<std::uint8_t>(in.size()), {}};
    std::copy(in.begin(), in.end(), instr.src);
    kernel_.code.push_back(instr);
    return static_cast<std::uint16_t>(kCode + kernel_.code.size() - 1);
  }
  std::uint16_t scalar(const Scalar& value) {
    kernel_.scalars.push_back(value);
    return static_cast<std::uint16_t>(kScalars + kernel_.scalars.size() - 1);
  }
  std::uint16_t leaf(const Place& data, dtype type, const Dims& strides) {
    for (std::size_t i = 0; i < kernel_.leaves.size(); ++i) {
      const Leaf& other = kernel_.leaves[i];
      if (other.data == data && other.type == type && other.strides == strides)
        return static_cast<std::uint16_t>(i);
    }
    kernel_.leaves.push_back({data, type, strides});
    return static_cast<std::uint16_t>(kernel_.leaves.size() - 1);
  }

  Register input(const Input& input, dtype wanted) {
    if (!input.array) return scalar(cast_scalar(input.scalar, wanted));
    const Array& a = *input.array;
    if (a.is_number()) return scalar(cast_scalar(a.number(), wanted));
    Register r;
    if (const Ref<Buffer>& buffer = a.storage()->buffer) {
      if (buffer->backend != &stream_.device) return std::nullopt;
      r = leaf({buffer.get(), a.offset()}, a.type(),
               broadcast_strides(a.shape(), a.strides(), kernel_.shape));
    } else if (input.temporary && a.shape() == kernel_.shape) {
      Node& node = *a.storage()->pending;
      if (node.count <= kMostInstructions && a.type() == node.type && a.strides() == node.strides &&
          a.offset() == 0)
        r = value_of(node);
    }
    return r && a.type() != wanted ? instruction(Op::cast, a.type(), wanted, {&*r, 1}) : r;
  }

  // Of a node over the kernel's shape. What an array names is stored by a plan, for whoever reads it next; but computed twice is sooner
  // done than planned where nothing is stored.
  Register value_of(Node& node) {
    for (const auto& [known, r] : known_) {
      if (known == &node) return r;
    }
    if (!node.is_elementwise() || node.is_done() || node.flight || node.stream != &stream_ ||
        is_user_op(node.op) || kernel_.code.size() >= kMostInstructions)
      return std::nullopt;
    std::uint16_t in[kMaxInputs] = {};
    for (int i = 0; i < node.nin; ++i) {
      const Operand& operand = node.in[i];
      if (operand.is_scalar()) {
        in[i] = scalar(operand.scalar);
      } else if (operand.buffer) {
        in[i] = leaf({operand.buffer, operand.offset}, operand.type, operand.strides);
      } else {
        const Register r =
            operand.identity && (reduces_ || !operand.node->storage) ? value_of(*operand.node) : std::nullopt;
        if (!r) return std::nullopt;
        in[i] = *r;
      }
    }
    const std::uint16_t r =
        node.op == Op::copy ? in[0] : instruction(node.op, node.key, node.type, {in, node.nin});
    known_.push_back({&node, r});
    return r;
  }

  void number_densely() {
    for (Instr& instr : kernel_.code) {
      for (int i = 0; i < instr.nsrc; ++i) instr.src[i] = dense(instr.src[i]);
    }
  }
  std::uint16_t dense(std::uint16_t r) const {
    const std::size_t leaves = kernel_.leaves.size();
    if (r >= kCode) return static_cast<std::uint16_t>(r - kCode + leaves + kernel_.scalars.size());
    return r >= kScalars ? static_cast<std::uint16_t>(r - kScalars + leaves) : r;
  }

  Kernel& kernel_;
  const Stream& stream_;
  struct Known {
    const Node* node;
    std::uint16_t r;
  };
  SmallVector<Known, kMostInstructions> known_;
  std::uint16_t result_ = 0;
  bool reduces_ = false;
};

bool names_elements_once(const Array& a) {
  if (a.ndim() == 1) return std::abs(a.strides()[0]) >= static_cast<std::int64_t>(a.itemsize());
  return internal_overlap(a, 0) == Overlap::no;
}

}  // namespace

bool computes_now(Backend& backend, const Dims& shape, dtype type) {
  return is_few(bytes_of(shape, type)) && backend.is_cpu && !watched() &&
         !capture_of(current_stream(backend.known_as()));
}

namespace {

// The operands of a call, numbers where they are.
class Seen {
 public:
  explicit Seen(std::size_t count) : views_(count), numbers_(count) {}

  // False: it is not in memory. With the graph's lock.
  bool add(const Array& a) {
    if (!a.is_number()) {
      std::optional<View> view = view_now(a);
      if (!view) return false;
      views_.emplace_back(*std::move(view));
      return true;
    }
    Scalar& number = numbers_.emplace_back(a.number());
    views_.emplace_back(View{reinterpret_cast<std::byte*>(number.bytes), a.type(), {}, {}, {}});
    return true;
  }
  Operands operands() const { return {views_.data(), views_.size()}; }

 private:
  InlineVector<View, 4> views_;
  InlineVector<Scalar, 4> numbers_;
};

}  // namespace

std::optional<Array> call_now(Backend& backend, const Primitive& primitive, std::span<const Array* const> in,
                              dtype type, const Dims& shape) {
  if (!computes_now(backend, shape, type)) return std::nullopt;
  for (const Array* a : in) {
    if (&a->backend() != &backend || (!a->is_number() && !may_be_had_now(*a))) return std::nullopt;
  }
  Scalar number;
  number.type = type;
  Array result;
  View out{reinterpret_cast<std::byte*>(number.bytes), type, shape, {}, {}};
  if (!shape.empty()) {
    result = make_array(backend, type, shape);
    out.data = {result.storage()->buffer.get(), 0};
    out.strides = result.strides();
  }
  const EngineLock lock;
  Seen seen(in.size());
  for (const Array* a : in) {
    if (!seen.add(*a)) return std::nullopt;
  }
  const Call call{primitive, seen.operands(), {&out, 1}};
  if (!is_quick(backend, call)) return std::nullopt;
  if (backend.call(current_stream(backend), call).axis >= 0) return std::nullopt;
  count_recorded();
  return shape.empty() ? Array(number, backend) : std::move(result);
}

std::optional<Scalar> reduce_now(const ReduceSpec& spec, const Array& a) {
  if (a.ndim() != 1 || a.size() == 0 || !is_few(a.nbytes()) || spec.op == ReduceOp::user) return std::nullopt;
  const EngineLock lock;
  if (!computes_now(a.backend())) return std::nullopt;
  Stream& stream = current_stream(a.backend());
  Kernel& kernel = empty_kernel();
  Code code(kernel, a.shape(), stream);
  if (!code.read(a, spec.type)) return std::nullopt;
  Scalar number;
  number.type = spec.out;
  code.reduce(spec, reinterpret_cast<std::byte*>(number.bytes), a.strides());
  count_recorded();
  ++evaluation_stats.kernels;
  stream.device.run(stream, kernel);
  return number;
}

bool write_now(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs) {
  const auto size = static_cast<std::size_t>(target.size());
  const std::size_t most = engine_options().small_bytes;
  if (size == 0 || 3 * size > most || is_user_op(op) || engine_options().trace_eval) return false;
  if (!address_now(target) || !names_elements_once(target)) return false;
  Buffer& written = *target.storage()->buffer;
  if (written.readers) return false;
  Stream& stream = current_stream(target.backend());
  Kernel& kernel = empty_kernel();
  Code code(kernel, target.shape(), stream);
  if (!code.compute(op, signature, inputs, target.type()) || size * (kernel.leaves.size() + 2) >= most)
    return false;
  code.store({&written, target.offset()}, target);
  forget_host_copy(*target.storage());
  count_recorded();
  ++evaluation_stats.kernels;
  stream.device.run(stream, kernel);
  return true;
}

}  // namespace cuprum
