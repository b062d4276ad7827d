#include "codegen/source.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <type_traits>

#include "codegen/arguments.h"
#include "codegen/names.h"
#include "core/user_op.h"

namespace cuprum::cuda {

namespace {

void append(std::string& to, const char* text) { to += text; }
void append(std::string& to, const std::string& text) { to += text; }
template <class Number>
requires std::is_arithmetic_v<Number>
void append(std::string& to, Number n) { to += std::to_string(n); }

/// The parts, texts and numbers, one after the other.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string result;
  (append(result, parts), ...);
  return result;
}

class Source {
 public:
  Source(const Kernel& kernel, const Plan& plan) : k_(kernel), p_(plan) {
    each_divisor(p_, [&](Digits digits, std::uint8_t d) {
      const auto n = divisors_.size();
      divisors_[{digits, d}] = n;
    });
    each_stride(k_, p_, [&](StrideOf kind, std::size_t which, std::uint8_t d, std::int64_t) {
      const auto n = strides_.size();
      strides_[{kind, which, d}] = n;
    });
  }

  std::string write() {
    write_head();
    write_params();
    write_fold();
    write_body();
    write_entry();
    return std::move(out_);
  }

 private:
  using Strides = std::map<std::tuple<StrideOf, std::size_t, std::uint8_t>, std::size_t>;

  bool reduces() const { return !p_.reductions.empty(); }
  std::size_t nleaves() const { return k_.leaves.size(); }
  std::size_t nstores() const { return p_.stores ? k_.stores.size() : 0; }
  const Reduction& reduction(std::size_t r) const { return k_.reductions[p_.reductions[r]]; }
  bool is_turned(std::size_t leaf) const { return !p_.turned.empty() && p_.turned[leaf]; }

  const char* skeleton() const {
    static constexpr const char* names[] = {"elementwise", "tiles", "reduce_rows", "reduce_columns",
                                            "reduce_serial"};
    return names[static_cast<int>(p_.form)];
  }
  const char* space() const {
    return p_.form == Form::elementwise ? "ElementwiseSpace"
           : p_.form == Form::tiles     ? "TileSpace"
                                        : "ReduceSpace";
  }

  dtype type_of(std::uint16_t reg) const {
    if (reg < nleaves()) return k_.leaves[reg].type;
    const std::size_t scalar = reg - nleaves();
    if (scalar < k_.scalars.size()) return k_.scalars[scalar].type;
    return k_.code[scalar - k_.scalars.size()].out;
  }

  /// A register within the loop over v.
  std::string reg(std::uint16_t r) const {
    if (r < nleaves())
      return text("l.x", r, p_.access_of[r] == Access::broadcast && !p_.straddles ? "[0]" : "[v]");
    const std::size_t scalar = r - nleaves();
    if (scalar < k_.scalars.size()) return text("p.s", scalar);
    return text("t", scalar - k_.scalars.size());
  }
  std::string converted(std::uint16_t r, dtype to) const {
    return type_of(r) == to ? reg(r) : text("k::cast<", type_name(to), ">(", reg(r), ")");
  }

  // -- Everything before the Body.

  void write_head() {
    std::set<std::string> headers;
    add_headers(k_, headers);
    static constexpr const char* files[] = {"elementwise", "tile", "reduce_rows", "reduce_columns",
                                            "reduce_serial"};
    for (const std::string& header : headers) put("#include \"", header, "\"\n");
    write_user_functions();
    put("#include \"device/", files[static_cast<int>(p_.form)], ".cuh\"\n");
    put("using namespace cuprum::cuda::device;\nnamespace k = cuprum::kernels;\n");
    put("using I = ", (p_.wide ? "int64" : "int"), ";\n");
  }

  /// Before anything of ours has a name that they might mean.
  void write_user_functions() {
    std::set<std::string> headers;
    std::map<std::string, const UserFunctionText*> functions;
    for (const Instr& i : k_.code) {
      if (!is_user_op(i.op)) continue;
      const UserFunctionText& function = user_function(i.op);
      headers.insert(function.headers);
      functions[function.scope] = &function;
    }
    for (const std::string& header : headers) put(header);
    for (const auto& [scope, function] : functions) put(function->text);
  }

  void write_params() {
    put("struct Params {\n  ", space(), "<I> space;\n");
    if (!divisors_.empty()) put("  Divisor<I> by[", divisors_.size(), "];\n");
    if (!strides_.empty()) put("  I stride[", strides_.size(), "];\n");
    const std::size_t pointers = nleaves() + nstores() + p_.reductions.size();
    if (pointers != 0) put("  char* pointer[", pointers, "];\n");
    std::size_t variances = 0;
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) variances += reduction(r).op == ReduceOp::var;
    if (variances != 0) put("  double ddof[", variances, "];\n");
    for (std::size_t i = 0; i < k_.scalars.size(); ++i) {
      put("  ", type_name(k_.scalars[i].type), " s", i, ";\n");
    }
    put("};\n");
  }

  /// The operations of reductions that may not be regrouped.
  void write_fold() {
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (reduction(r).op != ReduceOp::generic) continue;
      const std::string type = type_name(reduction(r).type);
      put("struct Fold", r, " {\n  CUPRUM_DEVICE static ", type, " apply(", type, " a, ", type,
          " b) { return k::cast<", type, ">(k::", info(reduction(r).fold).name, "(a, b)); }\n};\n");
    }
  }

  // -- Addresses.

  /// Statements that split `index` into the coordinates of a list and add them, times strides, to `to<which>`.
  void write_digits(Digits digits, const DimList& dims, const char* index, StrideOf kind, std::size_t first,
                    std::size_t last, const std::string& to) {
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
        out_ +=
            body.empty() ? text("    ", rest, ";\n") : text("    { const I c = ", rest, ";", body, " }\n");
      }
    }
  }

  /// coordinate * stride, or nothing for a stride of 0.
  std::string product(StrideOf kind, std::size_t which, std::uint8_t d, const std::string& coordinate) const {
    const auto found = strides_.find({kind, which, d});
    if (found != strides_.end()) return text(coordinate, " * p.stride[", found->second, "]");
    if (kind != StrideOf::layout || p_.inner.empty() || d != p_.inner[0]) return {};
    const std::uint8_t constant = inner_stride_class(p_, which);
    return constant == 0 ? std::string() : text(coordinate, " * ", static_cast<int>(constant));
  }

  void write_outer() {
    if (p_.form == Form::elementwise) return;
    put("  CUPRUM_DEVICE void outer(I n) {\n   ");
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) put(" o", l, " = 0;");
    put("\n");
    write_digits(Digits::outer, p_.outer, "n", StrideOf::layout, 0, p_.layouts.size(), "o");
    put("  }\n");
  }

  /// The offsets of all layouts at one place.
  void write_at() {
    put("  struct At {");
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) put(" I a", l, ";");
    put(" };\n  CUPRUM_DEVICE At at(I major, I inner) const {\n    At at;\n   ");
    const bool outer = p_.form != Form::elementwise;
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) {
      put(" at.a", l, " = ", outer ? text("o", l) : "0", ";");
    }
    put("\n");
    write_digits(Digits::major, p_.major, "major", StrideOf::layout, 0, p_.layouts.size(), "at.a");
    write_digits(Digits::inner, p_.inner, "inner", StrideOf::layout, 0, p_.layouts.size(), "at.a");
    put("    return at;\n  }\n");
  }

  std::string address(std::size_t pointer, std::size_t operand) const {
    return text("p.pointer[", pointer, "] + a.a", p_.layout_of[operand]);
  }

  /// The stride between the elements of a vector, as an expression.
  std::string inner_stride(std::size_t operand) const {
    if (p_.access_of[operand] != Access::strided) return "0";
    const std::string term = product(StrideOf::layout, p_.layout_of[operand], p_.inner[0], "1");
    return term.substr(4);  // without "1 * "
  }

  std::string access(std::size_t operand) const {
    static constexpr const char* names[] = {"vector", "unit", "broadcast", "strided"};
    return text("<Access::", names[static_cast<int>(p_.access_of[operand])], ", kWhole, kVector>");
  }

  // -- Reading, computing, writing.

  void write_loaded() {
    put("  struct Loaded {\n");
    for (std::size_t i = 0; i < nleaves(); ++i) {
      const bool one = p_.access_of[i] == Access::broadcast && !p_.straddles;
      put("    ", type_name(k_.leaves[i].type), " x", i, "[", (one ? "1" : "kVector"), "];\n");
    }
    put("  };\n");
  }

  void write_load() {
    put("  CUPRUM_DEVICE void load(I major, I inner, int count, Loaded& l) const {\n");
    if (p_.straddles) {
      put("#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n",
          "      const At a = at(major, inner + v);\n");
      for (std::size_t i = 0; i < nleaves(); ++i) {
        const std::string type = type_name(k_.leaves[i].type), x = text("l.x", i, "[v]");
        put("      ", x, " = {};\n      if (v < count) ", x, " = load_one<", type, ">(", address(i, i),
            ");\n");
      }
      put("    }\n  }\n");
      return;
    }
    put("    const At a = at(major, inner);\n");
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (is_turned(i)) continue;
      put("    load_elements", access(i), "(", address(i, i), ", ", inner_stride(i), ", count, l.x", i,
          ");\n");
    }
    put("  }\n");
  }

  /// The instructions, within the loop over v.
  void write_code() {
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      const Instr& instr = k_.code[i];
      const std::string type = type_name(instr.out);
      if (shares_angle(i) && angle_of(i) == i) {
        put("      const auto a", i, " = k::angle_of(", reg(instr.src[0]), ");\n");
      }
      put("      const ", type, " t", i, " = ");
      if (instr.op == Op::cast) {
        put("k::cast<", type, ">(", reg(instr.src[0]), ");\n");
        continue;
      }
      if (shares_angle(i)) {
        put("k::", info(instr.op).name, "_of(a", angle_of(i), ");\n");
        continue;
      }
      if (is_user_op(instr.op)) {
        write_user_call(instr);
        continue;
      }
      put("k::", info(instr.op).name, "(");
      for (int s = 0; s < instr.nsrc; ++s) put((s ? ", " : ""), reg(instr.src[s]));
      put(");\n");
    }
  }

  void write_user_call(const Instr& instr) {
    const std::string& scope = user_function(instr.op).scope;
    put("k::bit_cast<", type_name(instr.out), ">(", scope, "::_apply(");
    for (int s = 0; s < instr.nsrc; ++s)
      put((s ? ", " : ""), "k::bit_cast<", scope, "::_A", s, ">(", reg(instr.src[s]), ")");
    put("));\n");
  }

  // sin and cos of one float32 operand reduce it once (kernels/circular.h).

  bool is_circular(const Instr& i) const {
    return i.key == dtype::float32 && (i.op == Op::sin || i.op == Op::cos);
  }
  /// The first sin or cos of the operand of instruction i.
  std::size_t angle_of(std::size_t i) const {
    std::size_t first = 0;
    while (!is_circular(k_.code[first]) || k_.code[first].src[0] != k_.code[i].src[0]) ++first;
    return first;
  }
  bool shares_angle(std::size_t i) const {
    const Instr& own = k_.code[i];
    return is_circular(own) && std::any_of(k_.code.begin(), k_.code.end(), [&](const Instr& other) {
             return is_circular(other) && other.op != own.op && other.src[0] == own.src[0];
           });
  }

  void write_compute() {
    out_ += reduces() ? "  CUPRUM_DEVICE void values(I major, I inner, int count, Loaded& l, "
                        "Reducers::Values& values) {\n"
                      : "  CUPRUM_DEVICE void store(I major, I inner, int count, Loaded& l) const {\n";
    if (p_.interleaved) {
      put("    ", type_name(k_.stores[0].type), " y[kVector * ", nstores(), "];\n");
    } else {
      for (std::size_t i = 0; i < nstores(); ++i) {
        put("    ", type_name(k_.stores[i].type), " y", i, "[kVector];\n");
      }
    }
    put("#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n");
    write_code();
    for (std::size_t i = 0; i < nstores(); ++i) {
      const std::string y = p_.interleaved ? text("y[v * ", nstores(), " + ", i, "]") : text("y", i, "[v]");
      put("      ", y, " = ", converted(k_.stores[i].src, k_.stores[i].type), ";\n");
    }
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      put("      get<", r, ">(values).lane[v] = ", converted(reduction(r).src, folded_type(reduction(r))),
          ";\n");
    }
    put("    }\n");
    if (nstores() != 0) write_stores();
    put("  }\n");
  }

  void write_stores() {
    if (p_.straddles) {
      put("#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n      if (v >= count) continue;\n");
      put("      const At a = at(major, inner + v);\n");
    } else {
      put("    const At a = at(major, inner);\n");
    }
    if (p_.interleaved) {
      const char* access = p_.access_of[nleaves()] == Access::vector ? "vector" : "unit";
      put("    store_elements<Access::", access, ", kWhole, kVector * ", nstores(), ">(",
          address(nleaves(), nleaves()), ", 0, count * ", nstores(), ", y);\n");
      return;
    }
    for (std::size_t i = 0; i < nstores(); ++i) {
      const std::size_t operand = nleaves() + i;
      if (p_.straddles) {
        put("      store_one(", address(operand, operand), ", y", i, "[v]);\n");
      } else {
        put("    store_elements", access(operand), "(", address(operand, operand), ", ",
            inner_stride(operand), ", count, y", i, ");\n");
      }
    }
    if (p_.straddles) put("    }\n");
  }

  // -- Tiles.

  void write_turned() {
    std::string types, fetch, take;
    std::size_t n = 0;
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (!is_turned(i)) continue;
      const std::string type = type_name(k_.leaves[i].type), is = text("    if constexpr (L == ", n, ") ");
      types += text(n ? ", " : "", type);
      fetch += text(is, "return load_one<", type, ">(", address(i, i), ");\n");
      take += text(is, "l.x", i, "[0] = value;\n");
      ++n;
    }
    put("  using Turned = Types<", types, ">;\n");
    put("  template <int L>\n  CUPRUM_DEVICE Turned::At<L> fetch(I major, I inner) const {\n",
        "    const At a = at(major, inner);\n", fetch, "  }\n");
    put("  template <int L, class T>\n  CUPRUM_DEVICE void take(Loaded& l, T value) const {\n", take,
        "  }\n");
  }

  // -- Reductions.

  void write_reducers() {
    put("  using Reducers = List<");
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      put(r ? ", " : "", reducer_name(reduction(r), p_.ordered[r], text("Fold", r)));
    }
    put(">;\n");
  }

  void write_position() {
    put("  template <int R>\n  CUPRUM_DEVICE I position(I major, I inner) const {\n");
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (!is_arg(reduction(r).op)) continue;
      put("    if constexpr (R == ", r, ") {\n");
      if (p_.ordered[r]) {
        out_ += p_.form != Form::rows ? "      return major;\n"
                : p_.single_row       ? "      return inner;\n"
                                      : "      return major * p.space.inner + inner;\n";
      } else {
        put("      I at = 0;\n");
        write_digits(Digits::major, p_.major, "major", StrideOf::weight, r, r + 1, "at");
        if (p_.form == Form::rows)
          write_digits(Digits::inner, p_.inner, "inner", StrideOf::weight, r, r + 1, "at");
        put("      return at;\n");
      }
      put("    }\n");
    }
    put("    return 0;\n  }\n");
  }

  void write_result() {
    put("  template <int R, class T>\n  CUPRUM_DEVICE void result(I n, T value) const {\n");
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      const std::string type = type_name(reduction(r).out);
      put("    if constexpr (R == ", r, ") {\n      I at = 0;\n");
      if (p_.dense[r]) {
        put("      at = n * ", itemsize(reduction(r).out), ";\n");
      } else {
        write_digits(Digits::kept, p_.kept, "n", StrideOf::result, r, r + 1, "at");
      }
      put("      store_one(p.pointer[", nleaves() + nstores() + r, "] + at, k::cast<", type,
          ">(value));\n    }\n");
    }
    put("  }\n  template <int R>\n  CUPRUM_DEVICE double ddof() const {\n");
    std::size_t variances = 0;
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (reduction(r).op != ReduceOp::var) continue;
      put("    if constexpr (R == ", r, ") return p.ddof[", variances++, "];\n");
    }
    put("    return 0;\n  }\n");
  }

  // -- The whole.

  void write_body() {
    const auto flag = [](bool b) { return b ? "true" : "false"; };
    put("struct Body {\n  using Params = ::Params;\n  using Index = I;\n");
    put("  static constexpr int kVector = ", p_.vector, ", kUnroll = ", p_.unroll, ";\n");
    put("  static constexpr bool kWhole = ", flag(p_.whole), ", kSingleRow = ", flag(p_.single_row), ";\n");
    put("  const Params& p;\n");
    if (p_.form != Form::elementwise) {
      for (std::size_t l = 0; l < p_.layouts.size(); ++l) put("  I o", l, " = 0;\n");
    }
    put("  CUPRUM_DEVICE explicit Body(const Params& params) : p(params) {}\n");
    write_loaded();
    if (reduces()) write_reducers();
    write_outer();
    write_at();
    if (p_.form == Form::tiles) write_turned();
    write_load();
    write_compute();
    if (reduces()) {
      write_position();
      write_result();
    }
    put("};\n");
  }

  /// Reductions with small states run four blocks per multiprocessor: 64 registers. The others two.
  std::string bounds() const {
    if (!reduces() || p_.form == Form::serial) return "256";
    const bool small = p_.reductions.size() == 1 && itemsize(folded_type(reduction(0))) <= 4 &&
                       (reduction(0).op != ReduceOp::var || p_.form == Form::rows);
    return small ? "256, 4" : "256, 2";
  }

  void write_entry() {
    put("extern \"C\" __global__ void __launch_bounds__(", bounds(), ")\n", kKernelName,
        "(const __grid_constant__ Params p) { ", skeleton(), "<Body>(p); }\n");
  }

  template <class... Parts>
  void put(const Parts&... parts) {
    (append(out_, parts), ...);
  }

  const Kernel& k_;
  const Plan& p_;
  std::string out_;
  std::map<std::pair<Digits, std::uint8_t>, std::size_t> divisors_;
  Strides strides_;
};

}  // namespace

std::string make_source(const Kernel& kernel, const Plan& plan) { return Source(kernel, plan).write(); }

}  // namespace cuprum::cuda
