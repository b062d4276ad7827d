#include "codegen/writer.h"

#include <algorithm>
#include <set>

#include "codegen/names.h"
#include "core/user_op.h"

namespace cuprum::cuda {

Writer::Writer(const Kernel& kernel, const Plan& plan) : k_(kernel), p_(plan) {
  each_divisor(p_, [&](Digits digits, std::uint8_t d) {
    const auto n = divisors_.size();
    divisors_[{digits, d}] = n;
  });
  each_stride(k_, p_, [&](StrideOf kind, std::size_t which, std::uint8_t d, std::int64_t) {
    const auto n = strides_.size();
    strides_[{kind, which, d}] = n;
  });
}

dtype Writer::type_of(std::uint16_t reg) const {
  if (reg < nleaves()) return k_.leaves[reg].type;
  const std::size_t scalar = reg - nleaves();
  if (scalar < k_.scalars.size()) return k_.scalars[scalar].type;
  const std::size_t instr = scalar - k_.scalars.size();
  return instr < k_.code.size() ? k_.code[instr].out : k_.reductions[instr - k_.code.size()].out;
}

std::string Writer::converted(std::uint16_t r, dtype to) const {
  return type_of(r) == to ? reg(r) : text("k::cast<", type_name(to), ">(", reg(r), ")");
}

std::string Writer::folded(const Reduction& r) const {
  const bool sums = r.op == ReduceOp::sum || r.op == ReduceOp::mean || r.op == ReduceOp::var;
  if (sums && type_of(r.src) == dtype::float16 && folded_type(r) == dtype::float32)
    return text("widen_number(", reg(r.src), ")");
  return converted(r.src, folded_type(r));
}

// -- Everything before the Body.

void Writer::write_head(const char* skeleton) {
  std::set<std::string> headers;
  add_headers(k_, headers);
  for (const std::string& header : headers) put("#include \"", header, "\"\n");
  write_user_functions();
  put("#include \"device/", skeleton, ".cuh\"\n");
  if (!k_.gathers.empty()) put("#include \"device/gather.cuh\"\n");
  if (!k_.draws.empty()) put("#include \"device/draw.cuh\"\n");
  put("using namespace cuprum::cuda::device;\nnamespace k = cuprum::kernels;\n");
  put("using I = ", (p_.wide ? "int64" : "int"), ";\n");
}

/// Before anything of ours has a name that they might mean.
void Writer::write_user_functions() {
  std::set<std::string> headers;
  std::map<std::string, const UserFunctionText*> functions;
  const auto add = [&](Op op) {
    if (!is_user_op(op)) return;
    const UserFunctionText& function = user_function(op);
    headers.insert(function.headers);
    functions[function.scope] = &function;
  };
  for (const Instr& i : k_.code) add(i.op);
  for (const Reduction& r : k_.reductions) add(r.fold);
  for (const std::string& header : headers) put(header);
  for (const auto& [scope, function] : functions) put(function->text);
}

void Writer::write_params(const char* space) {
  put("struct Params {\n  ", space, "<I> space;\n");
  if (!divisors_.empty()) put("  Divisor<I> by[", divisors_.size(), "];\n");
  if (!strides_.empty()) put("  I stride[", strides_.size(), "];\n");
  const std::size_t pointers = nleaves() + nstores() + p_.reductions.size() + k_.gathers.size();
  if (pointers != 0) put("  char* pointer[", pointers, "];\n");
  if (!k_.gathers.empty()) put("  Gather gather[", k_.gathers.size(), "];\n");
  for (std::size_t d = 0; d < k_.draws.size(); ++d)
    put("  ", draw_argument_type(k_.draws[d].draw), " draw", d, ";\n");
  std::size_t variances = 0;
  for (std::size_t r = 0; r < p_.reductions.size(); ++r) variances += reduction(r).op == ReduceOp::var;
  if (variances != 0) put("  double ddof[", variances, "];\n");
  for (std::size_t i = 0; i < k_.scalars.size(); ++i) {
    put("  ", type_name(k_.scalars[i].type), " s", i, ";\n");
  }
  put("};\n");
}

// -- Addresses.

void Writer::write_digits(Digits digits, const DimList& dims, const char* index, StrideOf kind,
                          std::size_t first, std::size_t last, const std::string& to) {
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const std::uint8_t d = dims[i];
    const bool slowest = i + 1 == dims.size();
    std::string body;
    for (std::size_t which = first; which < last; ++which) {
      const std::string term = product(kind, which, d, slowest ? index : "c");
      if (!term.empty())
        body += text(" ", to, kind == StrideOf::layout ? std::to_string(which) : "", " += ", term, ";");
    }
    if (slowest) {
      if (!body.empty()) put("   ", body, "\n");
    } else {
      const std::string rest = text("split(", index, ", p.by[", divisors_.at({digits, d}), "])");
      out_ += body.empty() ? text("    ", rest, ";\n") : text("    { const I c = ", rest, ";", body, " }\n");
    }
  }
}

std::string Writer::product(StrideOf kind, std::size_t which, std::uint8_t d,
                            const std::string& coordinate) const {
  const auto found = strides_.find({kind, which, d});
  if (found != strides_.end()) return text(coordinate, " * p.stride[", found->second, "]");
  if (kind != StrideOf::layout || p_.inner.empty() || d != p_.inner[0]) return {};
  const std::uint8_t constant = inner_stride_class(p_, which);
  return constant == 0 ? std::string() : text(coordinate, " * ", static_cast<int>(constant));
}

void Writer::write_outer_offsets() {
  put("   ");
  for (std::size_t l = 0; l < p_.layouts.size(); ++l) put(" o", l, " = 0;");
  put("\n");
  write_digits(Digits::outer, p_.outer, "n", StrideOf::layout, 0, p_.layouts.size(), "o");
}

void Writer::write_at(bool outer) {
  put("  struct At {");
  for (std::size_t l = 0; l < p_.layouts.size(); ++l) put(" I a", l, ";");
  put(" };\n  CUPRUM_DEVICE At at(I major, I inner) const {\n    At at;\n   ");
  for (std::size_t l = 0; l < p_.layouts.size(); ++l) {
    put(" at.a", l, " = ", outer ? text("o", l) : "0", ";");
  }
  put("\n");
  write_digits(Digits::major, p_.major, "major", StrideOf::layout, 0, p_.layouts.size(), "at.a");
  write_digits(Digits::inner, p_.inner, "inner", StrideOf::layout, 0, p_.layouts.size(), "at.a");
  put("    return at;\n  }\n");
}

std::string Writer::address(std::size_t pointer, std::size_t operand) const {
  return text("p.pointer[", pointer, "] + a.a", p_.layout_of[operand]);
}

std::string Writer::inner_stride(std::size_t operand) const {
  if (p_.access_of[operand] != Access::strided) return "0";
  const std::string term = product(StrideOf::layout, p_.layout_of[operand], p_.inner[0], "1");
  return term.empty() ? "0" : term.substr(4);  // without "1 * "
}

std::string Writer::access(std::size_t operand) const {
  static constexpr const char* names[] = {"vector", "unit", "broadcast", "strided"};
  return text("<Access::", names[static_cast<int>(p_.access_of[operand])], ", kWhole, kVector>");
}

// -- Instructions.

void Writer::write_user_call(const Instr& instr) {
  const std::string& scope = user_function(instr.op).scope;
  put("k::bit_cast<", type_name(instr.out), ">(", scope, "::_apply(");
  for (int s = 0; s < instr.nsrc; ++s)
    put((s ? ", " : ""), "k::bit_cast<", scope, "::_A", s, ">(", reg(instr.src[s]), ")");
  put("));\n");
}

namespace {

/// An operation on float16 whose hardware gives one NaN for all: what bits its operands' NaN have does not matter.
bool forgets_nan(const Instr& i) {
  if (i.key != dtype::float16 || i.out != dtype::float16) return false;
  switch (i.op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::square:
    case Op::reciprocal:
    case Op::sqrt:
    case Op::exp:
    case Op::log: return true;
    default: return false;
  }
}

bool is_circular(const Instr& i) { return i.key == dtype::float32 && (i.op == Op::sin || i.op == Op::cos); }

}  // namespace

std::size_t Writer::angle_of(std::size_t i, const List& among) const {
  return *std::find_if(among.begin(), among.end(), [&](std::size_t other) {
    return is_circular(k_.code[other]) && k_.code[other].src[0] == k_.code[i].src[0];
  });
}

bool Writer::shares_angle(std::size_t i, const List& among) const {
  const Instr& own = k_.code[i];
  return is_circular(own) && std::any_of(among.begin(), among.end(), [&](std::size_t n) {
           const Instr& other = k_.code[n];
           return is_circular(other) && other.op != own.op && other.src[0] == own.src[0];
         });
}

void Writer::write_operation(std::size_t i, const List& among) {
  const Instr& instr = k_.code[i];
  if (instr.op == Op::cast) return put("k::cast<", type_name(instr.out), ">(", reg(instr.src[0]), ");\n");
  if (shares_angle(i, among)) return put("k::", info(instr.op).name, "_of(a", angle_of(i, among), ");\n");
  if (is_user_op(instr.op)) return write_user_call(instr);
  const bool fast = forgets_nan(instr);
  put(fast ? "narrow_number(" : "", "k::", info(instr.op).name, "(");
  for (int s = 0; s < instr.nsrc; ++s) {
    const std::string operand = reg(instr.src[s]);
    put((s ? ", " : ""), fast ? text("widen_number(", operand, ")") : operand);
  }
  put(fast ? "));\n" : ");\n");
}

// -- Reductions.

void Writer::write_position(bool rows) {
  put("  template <int R>\n  CUPRUM_DEVICE I position(I major, I inner) const {\n");
  for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
    if (!is_arg(reduction(r).op)) continue;
    put("    if constexpr (R == ", r, ") {\n");
    if (p_.ordered[r]) {
      out_ += !rows           ? "      return major;\n"
              : p_.single_row ? "      return inner;\n"
                              : "      return major * p.space.inner + inner;\n";
    } else {
      put("      I at = 0;\n");
      write_digits(Digits::major, p_.major, "major", StrideOf::weight, r, r + 1, "at");
      if (rows) write_digits(Digits::inner, p_.inner, "inner", StrideOf::weight, r, r + 1, "at");
      put("      return at;\n");
    }
    put("    }\n");
  }
  put("    return 0;\n  }\n");
}

void Writer::write_result_offset(std::size_t r) {
  if (p_.dense[r]) return put("      const I at = n * ", itemsize(reduction(r).out), ";\n");
  put("      I at = 0, rest = n;\n");
  write_digits(Digits::kept, p_.kept, "rest", StrideOf::result, r, r + 1, "at");
}

void Writer::write_ddof() {
  put("  template <int R>\n  CUPRUM_DEVICE double ddof() const {\n");
  std::size_t variances = 0;
  for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
    if (reduction(r).op != ReduceOp::var) continue;
    put("    if constexpr (R == ", r, ") return p.ddof[", variances++, "];\n");
  }
  put("    return 0;\n  }\n");
}

}  // namespace cuprum::cuda
