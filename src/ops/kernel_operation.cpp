#include "ops/kernel_operation.h"

#include <cstdio>
#include <cstring>
#include <optional>

#include "core/user_op.h"
#include "expr/engine.h"
#include "ops/kernel.h"
#include "ops/kernel_prelude.h"
#include "ops/support.h"
#include "runtime/user_kernels.h"

namespace cuprum::ops {

namespace {

constexpr const char* kThreadWords[] = {"threadIdx",  "blockIdx",      "blockDim",
                                        "gridDim",    "warpSize",      "__shared__",
                                        "__syncwarp", "__syncthreads", "cooperative_groups"};
constexpr const char* kArrayWords[] = {"CArray", "CIndexer"};

// Elements of a block of the evaluator, which may lie anywhere.
constexpr const char* kLoads =
    "#include <cstring>\n"
    "typedef void (*_Loop)(long long, void*, const void*, const void*, const void*);\n"
    "template <class T> static inline T _load(const void* from, long long k) {\n"
    "  T x;\n"
    "  std::memcpy(&x, static_cast<const char*>(from) + k * sizeof(T), sizeof(T));\n"
    "  return x;\n"
    "}\n"
    "template <class T> static inline void _store(void* to, long long k, const T& x) {\n"
    "  std::memcpy(static_cast<char*>(to) + k * sizeof(T), &x, sizeof(T));\n"
    "}\n";
constexpr const char* kFolds = "#include \"kernels/user_fold.h\"\n";

// FNV-1a of 64 bits: two texts of one process that have the same would be one text.
std::string hex_digest(const std::string& text) {
  std::uint64_t h = 1469598103934665603u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(h));
  return digits;
}

std::string all_text(const OperationTexts& texts) {
  std::string all = texts.preamble + texts.helpers;
  for (const OperationBody& body : texts.bodies) all += body.statements + body.identity.value_or("");
  return all;
}

// -- Devices whose work the host does.

/// void _loop0(n, to, a, b, c), and cuprum_loop0, its address.
std::string loop_text(const OperationBody& body, const std::string& number) {
  static constexpr const char* operands[kMaxInputs] = {"_a", "_b", "_c"};
  const auto load = [&](const KernelParameter& p, std::size_t operand) {
    return std::string("    ") + (p.is_const ? "const " : "") + p.type_name() + " " + p.name + " = _load<" +
           p.type_name() + ">(" + operands[operand] + ", _k);\n";
  };
  std::string text = "static void _loop" + number +
                     "(long long _n, void* _to, const void* _a, const void* _b, const void* _c) {\n"
                     "#pragma GCC ivdep\n"
                     "  for (long long _k = 0; _k < _n; ++_k) {\n";
  for (std::size_t i = 0; i < body.in.size(); ++i) text += load(body.in[i], i);
  const std::string type = body.out.type_name();
  text += body.reads_out ? load(body.out, body.in.size()) : "    " + type + " " + body.out.name + "{};\n";
  return text + "    {" + own_lines(body.statements) + ";}\n    _store(_to, _k, " + body.out.name +
         ");\n  }\n}\n__device__ _Loop cuprum_loop" + number + " = _loop" + number + ";\n";
}

/// cuprum_fold0, the loops of a reduction (kernels/user_fold.h).
std::string fold_text(const OperationBody& body, const std::string& number) {
  const std::string type = body.out.type_name(), a = body.in[0].name, b = body.in[1].name;
  return "struct _Fold" + number + " {\n  " + type + " operator()(const " + type + " " + a + ", const " +
         type + " " + b + ") const {\n    " + type + " " + body.out.name + "{};\n    {" +
         own_lines(body.statements) + ";}\n    return " + body.out.name +
         ";\n  }\n};\n__device__ cuprum::FoldLoops cuprum_fold" + number +
         " = cuprum::kernels::fold_loops<_Fold" + number + ", " + type + ">();\n";
}

std::vector<Op> compile_loops(const OperationTexts& texts, std::string& text) {
  bool folds = false;
  for (const OperationBody& body : texts.bodies) folds |= body.identity.has_value();
  text = kernel_prelude(texts.types, all_text(texts)) + kLoads + (folds ? kFolds : "") +
         texts.types.typedefs() + own_lines(texts.preamble) + texts.helpers;
  for (std::size_t i = 0; i < texts.bodies.size(); ++i) {
    text += loop_text(texts.bodies[i], std::to_string(i));
    if (texts.bodies[i].identity) text += fold_text(texts.bodies[i], std::to_string(i));
  }
  const ModuleSpec spec = loop_module(text, texts.options);
  std::shared_ptr<UserModule> image;
  {
    const BlockingSection others_run;
    image = compile_on_host(spec);
  }
  std::vector<Op> operations;
  for (std::size_t i = 0; i < texts.bodies.size(); ++i) {
    const OperationBody& body = texts.bodies[i];
    UserLoop loop;
    FoldLoops fold;
    std::memcpy(&loop, image->global("cuprum_loop" + std::to_string(i)).first, sizeof loop);
    if (body.identity)
      std::memcpy(&fold, image->global("cuprum_fold" + std::to_string(i)).first, sizeof fold);
    operations.push_back(user_op(body.name, static_cast<int>(body.count()), body.signature, loop, image,
                                 body.identity ? &fold : nullptr));
  }
  return operations;
}

// -- Others.

UserFunctionText function_text(const OperationTexts& texts, const OperationBody& body) {
  std::string names, parameters;
  const auto add = [&](const KernelParameter& p, std::size_t i) {
    names += "typedef " + std::string(p.type_name()) + " _A" + std::to_string(i) + ";\n";
    parameters += std::string(i ? ", " : "") + (p.is_const ? "const " : "") + p.type_name() + " " + p.name;
  };
  for (std::size_t i = 0; i < body.in.size(); ++i) add(body.in[i], i);
  if (body.reads_out) add(body.out, body.in.size());
  const std::string type = body.out.type_name();
  std::string function = texts.types.typedefs() + names + own_lines(texts.preamble) + texts.helpers +
                         "static __device__ inline " + type + " _apply(" + parameters + ") {\n" +
                         (body.reads_out ? "" : type + " " + body.out.name + "{};\n") + "  {" +
                         own_lines(body.statements) + ";}\n  return " + body.out.name + ";\n}\n";
  if (body.identity)
    function += "static __device__ inline " + type + " _identity() { return static_cast<" + type + ">(" +
                *body.identity + "); }\n";
  UserFunctionText result;
  result.headers = number_prelude(texts.types, all_text(texts));
  result.scope = "user_" + hex_digest(result.headers + function);
  result.text = "namespace " + result.scope + " {\n" + function + "}\n";
  return result;
}

std::vector<Op> compile_functions(Backend& device, const OperationTexts& texts, std::string& text) {
  std::vector<UserFunctionText> functions;
  for (const OperationBody& body : texts.bodies) functions.push_back(function_text(texts, body));
  text = functions[0].headers;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    bool again = false;
    for (std::size_t k = 0; k < i; ++k) again |= functions[k].scope == functions[i].scope;
    if (!again) text += functions[i].text;
  }
  KernelModule::of(device, loop_module(text, {}));  // a text that does not compile is refused here
  std::vector<Op> operations;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const OperationBody& body = texts.bodies[i];
    operations.push_back(
        user_op(body.name, static_cast<int>(body.count()), body.signature, std::move(functions[i])));
  }
  return operations;
}

}  // namespace

std::vector<Op> compile_operations(Backend& device, const OperationTexts& texts, std::string& text) {
  return computes_on_host(device) ? compile_loops(texts, text) : compile_functions(device, texts, text);
}

bool is_portable_text(std::string_view text, std::span<const std::string> options) {
  return options.empty() && text.find('#') == std::string_view::npos && !mentions(text, kArrayWords);
}

bool names_threads(std::string_view text) { return mentions(text, kThreadWords); }

Array record_operation(Op op, std::span<const Value> arguments, bool has_output, const Dims& shape,
                       char order) {
  const Signature& signature = info(op).signatures[0];
  std::vector<Input> inputs;
  inputs.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Value& v = arguments[i];
    inputs.push_back(v.is_array() ? Input(v.array()) : Input(v.to_scalar(signature.in[i])));
  }
  if (!has_output) return record(op, signature, inputs, shape, order);
  const Array& target = arguments.back().array();
  assign(target, op, signature, inputs);
  return target;
}

}  // namespace cuprum::ops
