#include "ops/elementwise_kernel.h"

#include <algorithm>
#include <optional>

#include "core/layout.h"
#include "ops/kernel_carray.h"
#include "ops/kernel_operation.h"
#include "ops/kernel_prelude.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr const char* kFunction = "ElementwiseKernel";

// Words that tie the text to the loop around it, or leave its body early.
constexpr const char* kLoopWords[] = {"i", "n", "_ind", "return", "continue", "break", "goto", "static"};

// On a device whose work the host does, a block is one thread, and takes a range that lies together.
constexpr const char* kRanges =
    "  const ptrdiff_t _range = (_ind.size() + gridDim.x - 1) / gridDim.x;\n"
    "  const ptrdiff_t _begin = _range * blockIdx.x;\n"
    "  const ptrdiff_t _end = _begin + _range < _ind.size() ? _begin + _range : _ind.size();\n"
    "  for (ptrdiff_t i = _begin; i < _end; ++i) {\n";
constexpr const char* kThreads =
    "  for (ptrdiff_t i = ptrdiff_t(blockIdx.x) * blockDim.x + threadIdx.x; i < _ind.size();\n"
    "       i += ptrdiff_t(blockDim.x) * gridDim.x) {\n";

constexpr const char* kLoopSize[] = {"n"};

LaunchShape threads_for(std::int64_t size, std::int64_t block) {
  LaunchShape shape;
  shape.grid.x = static_cast<std::uint32_t>(std::min<std::int64_t>((size + block - 1) / block, 0x7fffffff));
  shape.block.x = static_cast<std::uint32_t>(std::min<std::int64_t>(block, 1024));
  return shape;
}

// What a key is made of: two calls with one key are served by one compiled text.
void append_key(std::string& key, int number) { key += static_cast<char>(number); }

// Of the arguments alone: arrays of two devices have no key that was ever seen.
std::string operation_key(std::span<const Value> arguments) {
  std::string key;
  const Backend* device = nullptr;
  for (const Value& v : arguments) {
    append_key(key, v.is_array() ? static_cast<int>(v.array().type()) : -1);
    if (!v.is_array()) continue;
    const Backend& there = v.array().backend().known_as();
    if (device && device != &there) return {};
    device = &there;
  }
  key.append(reinterpret_cast<const char*>(&device), sizeof device);
  return key;
}

}  // namespace

ElementwiseKernel::ElementwiseKernel(ElementwiseSpec spec) : spec_(std::move(spec)) {
  check_kernel_name(kFunction, spec_.name);
  in_ = parse_parameters(kFunction, spec_.in_params, true);
  out_ = parse_parameters(kFunction, spec_.out_params, false);
  bool any_raw = false;
  for (const auto* list : {&in_, &out_}) {
    for (const KernelParameter& p : *list) {
      if (p.name == "i") throw ValueError("cuprum.ElementwiseKernel: Can not use 'i' as a parameter name");
      any_raw |= p.raw || (list == &in_ && !p.is_const);
    }
  }
  std::string text = spec_.operation;
  if (spec_.preamble.find("#define") != std::string::npos) text += "\n" + spec_.preamble;
  names_threads_ = names_threads(text + "\n" + spec_.loop_prep + "\n" + spec_.after_loop);
  pure_text_ = out_.size() == 1 && !in_.empty() && in_.size() <= kMaxInputs && !any_raw && !names_threads_ &&
               spec_.loop_prep.empty() && spec_.after_loop.empty() && !mentions(text, kLoopWords) &&
               text.find("_raw_") == std::string::npos;
  portable_text_ = is_portable_text(spec_.preamble + "\n" + spec_.operation, spec_.options);
}

std::vector<Array> ElementwiseKernel::operator()(std::span<const Value> arguments,
                                                 const ElementwiseOptions& options) {
  if (pure_text_ && options.size < 0 && options.block_size > 0) {
    if (auto results = record_known(arguments)) return *std::move(results);
  }
  const std::size_t nin = in_.size(), nargs = nin + out_.size();
  if (arguments.size() != nin && arguments.size() != nargs) {
    throw TypeError("Wrong number of arguments for '" + spec_.name + "'. It must be either " +
                    std::to_string(nin) + " or " + std::to_string(nargs) + " (with outputs), but given " +
                    std::to_string(arguments.size()) + ".");
  }
  const KernelCall call(kFunction, spec_.name, in_, out_, arguments.first(nin), arguments.subspan(nin),
                        options.device);
  if (options.block_size <= 0) call.refuse("block_size must be greater than zero");
  std::optional<Dims> shape = call.broadcast(call.count());
  if (options.size >= 0) {
    if (shape) call.refuse("Specified 'size' can be used only if all of the ndarray are 'raw'.");
    shape = Dims{options.size};
  }
  if (!shape) call.refuse("Loop size is undecided. Give size=, or an array that is not raw");
  return is_pure(call) ? record_pure(call, *shape) : launch_loop(call, *shape, options);
}

bool ElementwiseKernel::is_pure(const KernelCall& call) const {
  // An output that is given may be read before it is written: then it is an operand, too.
  if (!pure_text_ || call.count() > kMaxInputs) return false;
  if (!portable_text_ && !computes_on_host(*call.device)) return false;
  return call.broadcast(call.count()).has_value();
}

Op ElementwiseKernel::operation_of(const KernelCall& call) {
  OperationBody body{spec_.name, in_, out_[0], !call.out.empty(), spec_.operation, std::nullopt, {}};
  for (std::size_t i = 0; i < call.count(); ++i)
    body.signature.in[i] = i < in_.size() ? call.types.in[i] : call.types.out[0];
  body.signature.out = call.types.out[0];
  body.signature.key = body.signature.in[0];
  std::string text;
  const Op op =
      compile_operations(*call.device, {call.types, spec_.preamble, "", spec_.options, {body}}, text)[0];
  codes_.note(call, text);
  return op;
}

std::vector<Array> ElementwiseKernel::record_pure(const KernelCall& call, const Dims& shape) {
  if (!call.out.empty()) call.results(shape, false);  // checks them
  const Op op = operation_of(call);
  std::vector<Value> arguments(call.in.begin(), call.in.end());
  arguments.insert(arguments.end(), call.out.begin(), call.out.end());
  {
    const std::lock_guard guard(mutex_);
    operations_.emplace(operation_key(arguments), op);
  }
  return record_results(op, arguments, !call.out.empty(), shape);
}

std::optional<std::vector<Array>> ElementwiseKernel::record_known(std::span<const Value> arguments) {
  const std::string key = operation_key(arguments);
  Op op;
  {
    const std::lock_guard guard(mutex_);
    const auto found = operations_.find(key);
    if (found == operations_.end()) return std::nullopt;
    op = found->second;
  }
  Dims shapes[kMaxInputs];
  int n = 0;
  for (const Value& v : arguments) {
    if (v.is_array()) shapes[n++] = v.array().shape();
  }
  const bool has_output = arguments.size() > in_.size();
  const Dims shape = broadcast_shapes(kFunction, shapes, n);
  if (has_output && (!arguments.back().array().writeable() || !(shapes[n - 1] == shape))) return std::nullopt;
  return record_results(op, arguments, has_output, shape);
}

std::vector<Array> ElementwiseKernel::record_results(Op op, std::span<const Value> arguments, bool has_output,
                                                     const Dims& shape) {
  Array result = record_operation(op, arguments, has_output, shape, 'C');
  return {has_output ? std::move(result) : value_if_0d(std::move(result))};
}

bool ElementwiseKernel::runs_as_threads(const KernelCall& call) const {
  return names_threads_ || !computes_on_host(*call.device);
}

std::string ElementwiseKernel::launch_text(const KernelCall& call, std::span<const Array* const> arrays,
                                           const Dims& shape) const {
  std::string parameters, elements;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const bool is_input = i < in_.size();
    const KernelParameter& p = is_input ? in_[i] : out_[i - in_.size()];
    parameters += declared(p, arrays[i], is_input ? call.types.in[i] : call.types.out[i - in_.size()]) + ", ";
    elements += element_of(p, arrays[i], "_ind");
  }
  const std::string all = spec_.preamble + spec_.operation + spec_.loop_prep + spec_.after_loop;
  return kernel_prelude(call.types, all) + call.types.typedefs() + own_lines(spec_.preamble) +
         "extern \"C\" __global__ void " + function_name(spec_.name) + "(" + parameters +
         cindexer_type(shape) + " _ind) {\n" +
         (mentions(all, kLoopSize) ? "  const ptrdiff_t n = _ind.size();\n" : "") + "  {" +
         own_lines(spec_.loop_prep) + ";\n" + (runs_as_threads(call) ? kThreads : kRanges) +
         "    _ind.set(i);\n" + elements + own_lines(spec_.operation) + ";\n  }\n" +
         own_lines(spec_.after_loop) + ";\n  }\n}\n";
}

const KernelFunction& ElementwiseKernel::kernel_of(const KernelCall& call,
                                                   std::span<const Array* const> arrays, const Dims& shape) {
  std::string key = call.device->name();
  for (const dtype t : call.types.in) append_key(key, static_cast<int>(t));
  for (const dtype t : call.types.out) append_key(key, static_cast<int>(t));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    append_key(key, arrays[i] ? layout_key(i < in_.size() ? in_[i] : out_[i - in_.size()], *arrays[i]) : -1);
  }
  append_key(key, static_cast<int>(shape.size()));
  {
    const std::lock_guard guard(mutex_);
    if (const auto found = kernels_.find(key); found != kernels_.end()) return found->second;
  }
  const std::string text = launch_text(call, arrays, shape);
  const auto module = KernelModule::of(*call.device, loop_module(text, spec_.options));
  const KernelFunction kernel(module, function_name(spec_.name));
  codes_.note(call, text);
  const std::lock_guard guard(mutex_);
  return kernels_.emplace(key, kernel).first->second;
}

std::vector<Array> ElementwiseKernel::launch_loop(const KernelCall& call, Dims shape,
                                                  const ElementwiseOptions& options) {
  std::vector<Array> results = call.results(shape, options.size >= 0);
  const std::int64_t size = element_count(shape);
  if (size == 0) return results;
  // The arguments as the loop sees them.
  std::vector<Array> views(in_.size() + out_.size());
  std::vector<const Array*> arrays(views.size());
  std::vector<Array*> looped;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const Array* a = i < in_.size() ? call.array(i) : &results[i - in_.size()];
    if (!a) continue;
    const bool raw = (i < in_.size() ? in_[i] : out_[i - in_.size()]).raw;
    views[i] = raw ? *a : a->view(shape, broadcast_strides(a->shape(), a->strides(), shape));
    arrays[i] = &views[i];
    if (!raw) looped.push_back(&views[i]);
  }
  if (spec_.reduce_dims) collapse_dimensions(shape, looped);
  const KernelFunction& kernel = kernel_of(call, arrays, shape);

  LoopArguments arguments;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (arrays[i]) {
      arguments.add(views[i], i >= in_.size() || !in_[i].is_const);
    } else {
      arguments.add(call.scalar(i));
    }
  }
  arguments.add(shape);
  launch(kFunction, kernel,
         runs_as_threads(call) ? threads_for(size, options.block_size) : ranges_of(size, 1),
         arguments.list());
  return results;
}

}  // namespace cuprum::ops
