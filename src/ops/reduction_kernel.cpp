#include "ops/reduction_kernel.h"

#include <algorithm>

#include "core/layout.h"
#include "expr/engine.h"
#include "ops/kernel_carray.h"
#include "ops/kernel_operation.h"
#include "ops/kernel_prelude.h"
#include "ops/manipulate.h"
#include "ops/reduce_plan.h"
#include "ops/support.h"

namespace cuprum::ops {

namespace {

constexpr const char* kFunction = "ReductionKernel";

// Elements of a row that one thread folds. A sum of 1e7 float32 is 2442 chunks, and their partial results one more.
constexpr std::int64_t kChunk = 4096;

// Operands that are read by rows: element j of row i.
constexpr const char* kRowsText = R"text(
template <class T, bool _unit>
struct CRows {
  T* data_;
  ptrdiff_t row_, step_;  // in elements
  __device__ const T& at(ptrdiff_t i, ptrdiff_t j) const { return data_[i * row_ + j * (_unit ? 1 : step_)]; }
};
)text";

/// How a device goes through the items of a launch, chunks or rows, and folds one.
struct FoldText {
  const char* fold;   // _fold(from, to, take, merge)
  const char* items;  // the loop over _item
  const char* ready;  // has this thread the result of a valid item?
};

// The host: a range of the items for each block, which is one thread. A fold goes in sixteen lanes, side by side for the sake of vector
// registers and of rounding, which are merged in pairs; one after the other where it is short.
constexpr FoldText kFoldByRanges = {
    R"text(
#define _IDENTITY2 _type_reduce(_IDENTITY), _type_reduce(_IDENTITY)
#define _IDENTITY8 _IDENTITY2, _IDENTITY2, _IDENTITY2, _IDENTITY2
template <class Take, class Merge>
__device__ inline _type_reduce _fold(ptrdiff_t from, ptrdiff_t to, Take take, Merge merge) {
  _type_reduce lane[16] = {_IDENTITY8, _IDENTITY8};
  if (to - from < 32) {
    for (; from < to; ++from) lane[0] = merge(lane[0], take(from));
    return lane[0];
  }
  for (; from + 16 <= to; from += 16) {
    for (int l = 0; l < 16; ++l) lane[l] = merge(lane[l], take(from + l));
  }
  for (int l = 0; from + l < to; ++l) lane[l] = merge(lane[l], take(from + l));
  for (int width = 8; width > 0; width /= 2) {
    for (int l = 0; l < width; ++l) lane[l] = merge(lane[l], lane[l + width]);
  }
  return lane[0];
}
)text",
    "  const ptrdiff_t _range = (_items + gridDim.x - 1) / gridDim.x;\n"
    "  const ptrdiff_t _begin = _range * blockIdx.x;\n"
    "  const ptrdiff_t _end = _begin + _range < _items ? _begin + _range : _items;\n"
    "  for (ptrdiff_t _item = _begin; _item < _end; ++_item) {\n",
    "true"};

// A GPU: the threads of a block along x fold an item together, side by side in memory, and merge in pairs; those along y have one each.
constexpr FoldText kFoldByThreads = {
    R"text(
template <class Take, class Merge>
__device__ inline _type_reduce _fold(ptrdiff_t from, ptrdiff_t to, Take take, Merge merge) {
  __shared__ alignas(16) unsigned char _memory[256 * sizeof(_type_reduce)];
  _type_reduce* lane = reinterpret_cast<_type_reduce*>(_memory) + threadIdx.y * blockDim.x;
  _type_reduce s = _type_reduce(_IDENTITY);
#pragma unroll 4
  for (from += threadIdx.x; from < to; from += blockDim.x) s = merge(s, take(from));
  if (blockDim.x == 1) return s;
  __syncthreads();
  lane[threadIdx.x] = s;
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    __syncthreads();
    if (threadIdx.x < width) lane[threadIdx.x] = merge(lane[threadIdx.x], lane[threadIdx.x + width]);
  }
  return threadIdx.x == 0 ? lane[0] : s;  // the first thread has the result
}
)text",
    "  for (ptrdiff_t _first = ptrdiff_t(blockIdx.x) * blockDim.y; _first < _items;\n"
    "       _first += ptrdiff_t(gridDim.x) * blockDim.y) {\n"
    "    const ptrdiff_t _item = _first + threadIdx.y;\n",
    "threadIdx.x == 0 && _item < _items"};

constexpr const char* kMerge =
    "  const auto _merge = [&](const _type_reduce& _a, const _type_reduce& _b) -> _type_reduce { return "
    "REDUCE(_a, _b); };\n";

constexpr std::int64_t kThreads = 256;  // of a block

/// Threads for `n` items of `length` elements: as many for an item as it has pieces of four, one where elements of a row lie across memory,
/// so that threads side by side read what lies side by side.
LaunchShape threads_of(std::int64_t n, std::int64_t length, bool across) {
  std::int64_t width = 1;
  while (!across && width < kThreads && width * 4 < length) width *= 2;
  const std::int64_t items = kThreads / width;  // of a block
  LaunchShape shape;
  shape.block.x = static_cast<std::uint32_t>(width);
  shape.block.y = static_cast<std::uint32_t>(items);
  shape.grid.x = static_cast<std::uint32_t>(std::min<std::int64_t>((n + items - 1) / items, 1 << 20));
  return shape;
}

constexpr const char* kRowWords[] = {"_in_ind", "_j"};
// Words that tie the text to the loop around it.
constexpr const char* kLoopWords[] = {"_in_ind", "_out_ind", "_j", "_J", "_i", "_item", "return", "static"};

/// What a type of C++ is called that is a dtype. None: it is none, or nobody knows.
std::optional<dtype> dtype_of(const std::string& type, const ParameterTypes& types) {
  for (const auto& [letter, is] : types.placeholders) {
    if (letter == type) return is;
  }
  for (int i = 0; i < kDTypeCount; ++i) {
    if (type == c_type(static_cast<dtype>(i))) return static_cast<dtype>(i);
  }
  return std::nullopt;
}

/// A macro is one line.
std::string on_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Axes of a view that lie behind each other as one: their stride, or nothing.
std::optional<std::int64_t> joint_stride(const Array& a, std::size_t from, std::size_t to) {
  std::optional<std::int64_t> fastest;
  std::int64_t next = 0;
  for (std::size_t d = to; d-- > from;) {
    if (a.shape()[d] == 1) continue;
    if (fastest && a.strides()[d] != next) return std::nullopt;
    if (!fastest) fastest = a.strides()[d];
    next = a.strides()[d] * a.shape()[d];
  }
  return fastest.value_or(0);
}

}  // namespace

/// The operands as rows, and the results.
struct ReductionKernel::Rows {
  struct Operand {
    Array array;  // none: a number
    bool raw = false;
    std::int64_t row = 0, step = 0;  // in elements
  };
  std::vector<Operand> in;
  std::vector<Array> out;
  Dims out_shape;
  std::int64_t count = 1, length = 1;
  /// Does the first operand lie so that neighbours are of different rows?
  bool across() const {
    for (const Operand& o : in) {
      if (o.array && !o.raw) return o.step != 1 && o.row == 1;
    }
    return false;
  }
  std::int64_t chunks() const { return std::max<std::int64_t>(1, (length + kChunk - 1) / kChunk); }

  /// Reads `a`, of which the first `kept` axes are those of the results, by rows; through a copy where it does not lie so.
  static Operand by_rows(const Array& a, std::size_t kept) {
    if (a.size() == 0) return {a, false, 0, 0};
    const auto item = static_cast<std::int64_t>(a.itemsize());
    const auto row = joint_stride(a, 0, kept);
    const auto step = joint_stride(a, kept, static_cast<std::size_t>(a.ndim()));
    if (row && step && *row % item == 0 && *step % item == 0) return {a, false, *row / item, *step / item};
    return by_rows(record_copy(a, a.type(), 'C'), kept);
  }
};

ReductionKernel::ReductionKernel(ReductionSpec spec) : spec_(std::move(spec)) {
  check_kernel_name(kFunction, spec_.name);
  in_ = parse_parameters(kFunction, spec_.in_params, true);
  out_ = parse_parameters(kFunction, spec_.out_params, false);
  if (out_.empty()) throw ValueError("cuprum.ReductionKernel: out_params names no output");
  const std::string text = spec_.preamble + "\n" + spec_.map_expr + "\n" + spec_.reduce_expr + "\n" +
                           spec_.post_map_expr + "\n" + spec_.identity;
  const auto in_loop = [](const KernelParameter& p) { return p.raw || !p.is_const; };
  pure_text_ = out_.size() == 1 && !out_[0].raw && out_[0].name != "a" && !in_.empty() &&
               in_.size() <= kMaxInputs && std::none_of(in_.begin(), in_.end(), in_loop) &&
               !names_threads(text) && !mentions(text, kLoopWords) && text.find("_raw_") == std::string::npos;
  portable_text_ = is_portable_text(text, spec_.options);
}

std::vector<Array> ReductionKernel::operator()(std::span<const Value> arguments,
                                               const ReductionOptions& options) {
  const std::size_t nin = in_.size();
  if (arguments.size() != nin && arguments.size() != nin + out_.size()) {
    throw TypeError("Wrong number of arguments for " + spec_.name + ": it takes " + std::to_string(nin) +
                    " or " + std::to_string(nin + out_.size()) + " (with outputs), but given " +
                    std::to_string(arguments.size()));
  }
  const KernelCall call(kFunction, spec_.name, in_, out_, arguments.first(nin), arguments.subspan(nin),
                        nullptr);
  const std::optional<Dims> shape = call.broadcast(nin);
  if (!shape) call.refuse("Loop size is undecided. Give an array that is not raw");
  if (const std::optional<dtype> folded = folded_dtype(call); folded && element_count(*shape) > 0)
    return {record_pure(call, operations_of(call, *folded), *shape, options)};
  const auto over = [&](const Array& a) {
    return a.view(*shape, broadcast_strides(a.shape(), a.strides(), *shape));
  };

  Rows rows;
  std::optional<ReducePlan> plan;
  Dims order;
  for (std::size_t i = 0; i < nin; ++i) {
    const Array* a = call.array(i);
    if (!a || in_[i].raw) {
      rows.in.push_back({a ? *a : Array(), true});
      continue;
    }
    const Array whole = over(*a);
    if (!plan) {
      plan.emplace(kFunction, whole, options.axes);
      for (const bool reduced : {false, true}) {
        for (int d = 0; d < whole.ndim(); ++d) {
          if ((plan->axes >> d & 1) == reduced) order.push_back(d);
        }
      }
    }
    rows.in.push_back(Rows::by_rows(transpose(whole, order), plan->kept.size()));
  }
  rows.out_shape = options.keepdims ? plan->full : plan->kept;
  rows.count = element_count(rows.out_shape);
  rows.length = plan->count;
  std::vector<Array> results = call.results(rows.out_shape, false);
  if (rows.count == 0) return results;
  if (rows.length == 0 && spec_.identity.empty()) {
    call.refuse("zero-size array to reduction operation " + spec_.name + " which has no identity");
  }
  rows.out = results;
  if (spec_.reduce_dims) {
    std::vector<Array*> looped;
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (!out_[i].raw) looped.push_back(&rows.out[i]);
    }
    collapse_dimensions(rows.out_shape, looped);
  }
  launch_rows(call, rows);
  if (call.out.empty()) {
    for (Array& a : results) a = value_if_0d(std::move(a));
  }
  return results;
}

std::optional<dtype> ReductionKernel::folded_dtype(const KernelCall& call) const {
  if (!pure_text_ || (!portable_text_ && !computes_on_host(*call.device))) return std::nullopt;
  return spec_.reduce_type.empty() ? call.types.out[0] : dtype_of(spec_.reduce_type, call.types);
}

ReductionKernel::Operations ReductionKernel::operations_of(const KernelCall& call, dtype folded) {
  const bool reads_out = !call.out.empty();
  std::string key = call.device->name();
  for (const dtype t : call.types.in) key += static_cast<char>(t);
  key += static_cast<char>(call.types.out[0]);
  key += reads_out ? 'o' : ' ';
  {
    const std::lock_guard guard(mutex_);
    if (const auto found = operations_.find(key); found != operations_.end()) return found->second;
  }
  const auto element = [&](const char* name, bool is_const) {
    KernelParameter p;
    p.name = name;
    p.type = folded;
    p.is_const = is_const;
    return p;
  };
  const dtype out = call.types.out[0];
  const std::string type = c_type(folded), start = "_type_reduce(" + on_one_line(spec_.identity) + ")";
  OperationBody map{spec_.name, in_, element("_value", false), false, {}, {}, {}};
  map.statements = "_value = static_cast<_type_reduce>(" + own_lines(spec_.map_expr) + ")";
  for (std::size_t i = 0; i < in_.size(); ++i) map.signature.in[i] = call.types.in[i];
  map.signature.out = folded;
  OperationBody fold{spec_.name,
                     {element("a", true), element("b", true)},
                     element("_value", false),
                     false,
                     "_value = _reduce(a, b)",
                     start,
                     {}};
  fold.signature.in[0] = fold.signature.in[1] = fold.signature.out = folded;
  // The identity counts once: a maximum that begins at 0 is not below.
  OperationBody post{spec_.name, {element("_folded", true)}, out_[0], reads_out, {}, {}, {}};
  post.statements = "_type_reduce a = _reduce(" + start + ", _folded);\n" + spec_.post_map_expr;
  post.signature.in[0] = folded;
  if (reads_out) post.signature.in[1] = out;
  post.signature.out = out;
  for (OperationBody* body : {&map, &fold, &post}) body->signature.key = body->signature.in[0];

  OperationTexts texts{
      call.types,
      "typedef long long IndexT;\ntypedef " + type + " _type_reduce;\n" + spec_.preamble,
      "static __device__ inline _type_reduce _reduce(const _type_reduce a, const _type_reduce b) "
      "{ return static_cast<_type_reduce>(" +
          own_lines(spec_.reduce_expr) + "); }\n",
      spec_.options,
      {map, fold, post}};
  std::string text;
  const std::vector<Op> ops = compile_operations(*call.device, texts, text);
  codes_.note(call, text);
  const std::lock_guard guard(mutex_);
  return operations_.emplace(key, Operations{ops[0], ops[1], ops[2], folded}).first->second;
}

Array ReductionKernel::record_pure(const KernelCall& call, const Operations& operations, const Dims& shape,
                                   const ReductionOptions& options) const {
  const Array mapped = record_operation(operations.map, call.in, false, shape, 'K');
  const ReducePlan plan(kFunction, mapped, options.axes);
  if (!call.out.empty()) call.results(options.keepdims ? plan.full : plan.kept, false);  // checks them
  const ReduceSpec spec{ReduceOp::user, operations.fold, operations.type, operations.type};
  Array folded = plan.axes ? record_reduction(spec, mapped, plan.axes) : mapped;
  if (options.keepdims) folded = reshape(folded, plan.full);
  std::vector<Value> arguments{folded};
  arguments.insert(arguments.end(), call.out.begin(), call.out.end());
  Array result = record_operation(operations.post, arguments, !call.out.empty(), folded.shape(), 'C');
  return call.out.empty() ? value_if_0d(std::move(result)) : result;
}

std::string ReductionKernel::text_of(const KernelCall& call, const Rows& rows) const {
  std::string parameters, elements, results;
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const Rows::Operand& o = rows.in[i];
    if (o.raw) {
      parameters += declared(in_[i], o.array ? &o.array : nullptr, call.types.in[i]) + ", ";
      continue;
    }
    parameters += std::string("const CRows<") + c_type(o.array.type()) +
                  (o.step == 1 ? ", true> _raw_" : ", false> _raw_") + in_[i].name + ", ";
    elements += std::string("      const ") + in_[i].type_name() + " " + in_[i].name + " = _raw_" +
                in_[i].name + ".at(_i, _J);\n";
  }
  for (std::size_t i = 0; i < out_.size(); ++i) {
    parameters += declared(out_[i], &rows.out[i], call.types.out[i]) + ", ";
    results += "      " + element_of(out_[i], &rows.out[i], "_out_ind");
  }
  parameters += "CIndexer<2> _in_ind, " + cindexer_type(rows.out_shape) +
                " _out_ind, ptrdiff_t _items, ptrdiff_t _chunks, _type_reduce* _partial";
  const std::string all = spec_.preamble + spec_.map_expr + spec_.reduce_expr + spec_.post_map_expr +
                          spec_.identity + spec_.reduce_type;
  const FoldText& fold = computes_on_host(*call.device) ? kFoldByRanges : kFoldByThreads;
  const std::string post = "      _out_ind.set(_i);\n" + results + own_lines("POST_MAP(_s);");
  const std::string positions =
      mentions(all, kRowWords)
          ? "      const ptrdiff_t _j = _J * _out_ind.size() + _i;\n      _in_ind.set(_j);\n"
          : "";
  const std::string chunk = std::to_string(kChunk),
                    if_ready = std::string("    if (!(") + fold.ready + ")) continue;\n";
  const std::string begin = ") {\n" + std::string(kMerge) + fold.items;
  return kernel_prelude(call.types, all) + call.types.typedefs() + "typedef long long IndexT;\n" +
         own_lines(spec_.preamble) + "#define REDUCE(a, b) (" + on_one_line(spec_.reduce_expr) +
         ")\n#define POST_MAP(a) (" + on_one_line(spec_.post_map_expr) + ")\n#define _IDENTITY " +
         on_one_line(spec_.identity) + "\ntypedef " +
         (spec_.reduce_type.empty() ? std::string(out_[0].type_name()) : spec_.reduce_type) +
         " _type_reduce;\n" + kRowsText + fold.fold +
         // Chunks of rows, folded; whole rows are results.
         "extern \"C\" __global__ void " + function_name(spec_.name) + "(" + parameters + begin +
         "    const ptrdiff_t _i = _item / _chunks, _from = _item % _chunks * " + chunk + ";\n" +
         "    const ptrdiff_t _length = _item < _items ? _in_ind.shape()[0] : 0;\n" +
         "    const ptrdiff_t _to = _from + " + chunk + " < _length ? _from + " + chunk + " : _length;\n" +
         "    _type_reduce _s = _fold(_from, _to, [&](ptrdiff_t _J) -> _type_reduce {\n" + positions +
         elements + "      return static_cast<_type_reduce>(" + own_lines(spec_.map_expr) +
         ");\n    }, _merge);\n" + if_ready +
         "    if (_chunks > 1) {\n      _partial[_item] = _s;\n    } else {\n" + post + "    }\n  }\n}\n" +
         // Partial results of rows, merged.
         "extern \"C\" __global__ void " + spec_.name + "_merge(" + parameters + begin +
         "    const ptrdiff_t _i = _item;\n" +
         "    _type_reduce _s = _fold(0, _item < _items ? _chunks : 0, [&](ptrdiff_t _c) { return "
         "_partial[_i * "
         "_chunks + _c]; }, _merge);\n" +
         if_ready + post + "  }\n}\n";
}

const ReductionKernel::Compiled& ReductionKernel::compiled(const KernelCall& call, const Rows& rows) {
  std::string key = call.device->name();
  for (const dtype t : call.types.in) key += static_cast<char>(t);
  for (const dtype t : call.types.out) key += static_cast<char>(t);
  for (std::size_t i = 0; i < rows.in.size(); ++i) {
    const Rows::Operand& o = rows.in[i];
    key += static_cast<char>(!o.array ? -1 : o.raw ? layout_key(in_[i], o.array) : o.step == 1);
  }
  for (std::size_t i = 0; i < rows.out.size(); ++i)
    key += static_cast<char>(layout_key(out_[i], rows.out[i]));
  {
    const std::lock_guard guard(mutex_);
    if (const auto found = compiled_.find(key); found != compiled_.end()) return found->second;
  }
  const ModuleSpec spec = loop_module(text_of(call, rows), spec_.options);
  const auto module = KernelModule::of(*call.device, spec);
  codes_.note(call, spec.code);
  const KernelFunction map(module, function_name(spec_.name));
  const Compiled kernels{map, {module, spec_.name + "_merge"}, map.function->parameters()->back().size};
  const std::lock_guard guard(mutex_);
  return compiled_.emplace(key, kernels).first->second;
}

void ReductionKernel::launch_rows(const KernelCall& call, const Rows& rows) {
  const Compiled& kernels = compiled(call, rows);
  LoopArguments arguments;
  for (std::size_t i = 0; i < in_.size(); ++i) {
    const Rows::Operand& o = rows.in[i];
    if (!o.array) {
      arguments.add(call.scalar(i));
    } else if (o.raw) {
      arguments.add(o.array, !in_[i].is_const);
    } else {
      arguments.add(o.array, false, {o.row, o.step});
    }
  }
  for (const Array& a : rows.out) arguments.add(a, true);
  arguments.add(Dims{rows.length, rows.count});
  arguments.add(rows.out_shape);

  const std::int64_t chunks = rows.chunks(), items = rows.count * chunks;
  const auto bytes = chunks == 1 ? 0 : items * static_cast<std::int64_t>(kernels.state_bytes);
  const Array partial = make_array(*call.device, dtype::uint8, {bytes});
  const auto run = [&](const KernelFunction& kernel, std::int64_t n, std::int64_t cost, bool across) {
    LoopArguments all = arguments;
    all.add(n);
    all.add(chunks);
    all.add(partial, true, {});
    const bool by_ranges = computes_on_host(*call.device);
    launch(kFunction, kernel, by_ranges ? ranges_of(n, cost) : threads_of(n, cost, across), all.list());
  };
  run(kernels.map, items, std::min(rows.length, kChunk), rows.across());
  if (chunks > 1) run(kernels.merge, rows.count, chunks, false);
}

}  // namespace cuprum::ops
