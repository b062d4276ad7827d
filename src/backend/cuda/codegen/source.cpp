#include "codegen/source.h"

#include <map>
#include <tuple>

#include "codegen/arguments.h"
#include "codegen/names.h"

namespace cuprum::cuda {

namespace {

std::string str(std::size_t n) { return std::to_string(n); }

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

  std::string text() {
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
      return "l.x" + str(r) + (p_.access_of[r] == Access::broadcast && !p_.straddles ? "[0]" : "[v]");
    const std::size_t scalar = r - nleaves();
    if (scalar < k_.scalars.size()) return "p.s" + str(scalar);
    return "t" + str(scalar - k_.scalars.size());
  }
  std::string converted(std::uint16_t r, dtype to) const {
    return type_of(r) == to ? reg(r) : std::string("k::cast<") + type_name(to) + ">(" + reg(r) + ")";
  }

  // -- Everything before the Body.

  void write_head() {
    std::set<std::string> headers;
    add_headers(k_, headers);
    static constexpr const char* files[] = {"elementwise", "tile", "reduce_rows", "reduce_columns",
                                            "reduce_serial"};
    for (const std::string& header : headers) out_ += "#include \"" + header + "\"\n";
    out_ += std::string("#include \"device/") + files[static_cast<int>(p_.form)] + ".cuh\"\n";
    out_ += "using namespace cuprum::cuda::device;\nnamespace k = cuprum::kernels;\n";
    out_ += std::string("using I = ") + (p_.wide ? "int64" : "int") + ";\n";
  }

  void write_params() {
    out_ += std::string("struct Params {\n  ") + space() + "<I> space;\n";
    if (!divisors_.empty()) out_ += "  Divisor<I> by[" + str(divisors_.size()) + "];\n";
    if (!strides_.empty()) out_ += "  I stride[" + str(strides_.size()) + "];\n";
    const std::size_t pointers = nleaves() + nstores() + p_.reductions.size();
    if (pointers != 0) out_ += "  char* pointer[" + str(pointers) + "];\n";
    std::size_t variances = 0;
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) variances += reduction(r).op == ReduceOp::var;
    if (variances != 0) out_ += "  double ddof[" + str(variances) + "];\n";
    for (std::size_t i = 0; i < k_.scalars.size(); ++i) {
      out_ += std::string("  ") + type_name(k_.scalars[i].type) + " s" + str(i) + ";\n";
    }
    out_ += "};\n";
  }

  /// The operations of reductions that may not be regrouped.
  void write_fold() {
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (reduction(r).op != ReduceOp::generic) continue;
      const std::string type = type_name(reduction(r).type);
      out_ += "struct Fold" + str(r) + " {\n  CUPRUM_DEVICE static " + type + " apply(" + type + " a, " +
              type + " b) { return k::cast<" + type + ">(k::" + info(reduction(r).fold).name +
              "(a, b)); }\n};\n";
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
          body += " " + to + (kind == StrideOf::layout ? str(which) : "") + " += " + term + ";";
      }
      if (slowest) {
        if (!body.empty()) out_ += "   " + body + "\n";
      } else {
        const std::string rest =
            std::string("split(") + index + ", p.by[" + str(divisors_.at({digits, d})) + "])";
        out_ += body.empty() ? "    " + rest + ";\n" : "    { const I c = " + rest + ";" + body + " }\n";
      }
    }
  }

  /// coordinate * stride, or nothing for a stride of 0.
  std::string product(StrideOf kind, std::size_t which, std::uint8_t d, const std::string& coordinate) const {
    const auto found = strides_.find({kind, which, d});
    if (found != strides_.end()) return coordinate + " * p.stride[" + str(found->second) + "]";
    if (kind != StrideOf::layout || p_.inner.empty() || d != p_.inner[0]) return {};
    const std::uint8_t constant = inner_stride_class(p_, which);
    return constant == 0 ? std::string() : coordinate + " * " + str(constant);
  }

  void write_outer() {
    if (p_.form == Form::elementwise) return;
    out_ += "  CUPRUM_DEVICE void outer(I n) {\n   ";
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) out_ += " o" + str(l) + " = 0;";
    out_ += "\n";
    write_digits(Digits::outer, p_.outer, "n", StrideOf::layout, 0, p_.layouts.size(), "o");
    out_ += "  }\n";
  }

  /// The offsets of all layouts at one place.
  void write_at() {
    out_ += "  struct At {";
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) out_ += " I a" + str(l) + ";";
    out_ += " };\n  CUPRUM_DEVICE At at(I major, I inner) const {\n    At at;\n   ";
    const bool outer = p_.form != Form::elementwise;
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) {
      out_ += " at.a" + str(l) + " = " + (outer ? "o" + str(l) : std::string("0")) + ";";
    }
    out_ += "\n";
    write_digits(Digits::major, p_.major, "major", StrideOf::layout, 0, p_.layouts.size(), "at.a");
    write_digits(Digits::inner, p_.inner, "inner", StrideOf::layout, 0, p_.layouts.size(), "at.a");
    out_ += "    return at;\n  }\n";
  }

  std::string address(std::size_t pointer, std::size_t operand) const {
    return "p.pointer[" + str(pointer) + "] + a.a" + str(p_.layout_of[operand]);
  }

  /// The stride between the elements of a vector, as an expression.
  std::string inner_stride(std::size_t operand) const {
    if (p_.access_of[operand] != Access::strided) return "0";
    const std::string term = product(StrideOf::layout, p_.layout_of[operand], p_.inner[0], "1");
    return term.substr(4);  // without "1 * "
  }

  std::string access(std::size_t operand) const {
    static constexpr const char* names[] = {"vector", "unit", "broadcast", "strided"};
    return std::string("<Access::") + names[static_cast<int>(p_.access_of[operand])] + ", kWhole, kVector>";
  }

  // -- Reading, computing, writing.

  void write_loaded() {
    out_ += "  struct Loaded {\n";
    for (std::size_t i = 0; i < nleaves(); ++i) {
      const bool one = p_.access_of[i] == Access::broadcast && !p_.straddles;
      out_ += std::string("    ") + type_name(k_.leaves[i].type) + " x" + str(i) + "[" +
              (one ? "1" : "kVector") + "];\n";
    }
    out_ += "  };\n";
  }

  void write_load() {
    out_ += "  CUPRUM_DEVICE void load(I major, I inner, int count, Loaded& l) const {\n";
    if (p_.straddles) {
      out_ +=
          "#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n      const At a = at(major, inner + "
          "v);\n";
      for (std::size_t i = 0; i < nleaves(); ++i) {
        const std::string type = type_name(k_.leaves[i].type), x = "l.x" + str(i) + "[v]";
        out_ += "      " + x + " = {};\n      if (v < count) " + x + " = load_one<" + type + ">(" +
                address(i, i) + ");\n";
      }
      out_ += "    }\n  }\n";
      return;
    }
    out_ += "    const At a = at(major, inner);\n";
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (is_turned(i)) continue;
      out_ += "    load_elements" + access(i) + "(" + address(i, i) + ", " + inner_stride(i) +
              ", count, l.x" + str(i) + ");\n";
    }
    out_ += "  }\n";
  }

  /// The instructions, within the loop over v.
  void write_code() {
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      const Instr& instr = k_.code[i];
      const std::string type = type_name(instr.out);
      out_ += "      const " + type + " t" + str(i) + " = ";
      if (instr.op == Op::cast) {
        out_ += "k::cast<" + type + ">(" + reg(instr.src[0]) + ");\n";
        continue;
      }
      out_ += std::string("k::") + info(instr.op).name + "(";
      for (int s = 0; s < instr.nsrc; ++s) out_ += (s ? ", " : "") + reg(instr.src[s]);
      out_ += ");\n";
    }
  }

  void write_compute() {
    out_ += reduces() ? "  CUPRUM_DEVICE void values(I major, I inner, int count, Loaded& l, "
                        "Reducers::Values& values) {\n"
                      : "  CUPRUM_DEVICE void store(I major, I inner, int count, Loaded& l) const {\n";
    for (std::size_t i = 0; i < nstores(); ++i) {
      out_ += std::string("    ") + type_name(k_.stores[i].type) + " y" + str(i) + "[kVector];\n";
    }
    out_ += "#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n";
    write_code();
    for (std::size_t i = 0; i < nstores(); ++i) {
      out_ += "      y" + str(i) + "[v] = " + converted(k_.stores[i].src, k_.stores[i].type) + ";\n";
    }
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      out_ += "      get<" + str(r) +
              ">(values).lane[v] = " + converted(reduction(r).src, folded_type(reduction(r))) + ";\n";
    }
    out_ += "    }\n";
    if (nstores() != 0) write_stores();
    out_ += "  }\n";
  }

  void write_stores() {
    if (p_.straddles) {
      out_ += "#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n      if (v >= count) continue;\n";
      out_ += "      const At a = at(major, inner + v);\n";
    } else {
      out_ += "    const At a = at(major, inner);\n";
    }
    for (std::size_t i = 0; i < nstores(); ++i) {
      const std::size_t operand = nleaves() + i;
      if (p_.straddles) {
        out_ += "      store_one(" + address(operand, operand) + ", y" + str(i) + "[v]);\n";
      } else {
        out_ += "    store_elements" + access(operand) + "(" + address(operand, operand) + ", " +
                inner_stride(operand) + ", count, y" + str(i) + ");\n";
      }
    }
    if (p_.straddles) out_ += "    }\n";
  }

  // -- Tiles.

  void write_turned() {
    std::string types, fetch, take;
    std::size_t n = 0;
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (!is_turned(i)) continue;
      const std::string type = type_name(k_.leaves[i].type), is = "    if constexpr (L == " + str(n) + ") ";
      types += (n ? ", " : "") + type;
      fetch += is + "return load_one<" + type + ">(" + address(i, i) + ");\n";
      take += is + "l.x" + str(i) + "[0] = value;\n";
      ++n;
    }
    out_ += "  using Turned = Types<" + types + ">;\n";
    out_ +=
        "  template <int L>\n  CUPRUM_DEVICE Turned::At<L> fetch(I major, I inner) const {\n    const At a = "
        "at(major, inner);\n" +
        fetch + "  }\n";
    out_ += "  template <int L, class T>\n  CUPRUM_DEVICE void take(Loaded& l, T value) const {\n" + take +
            "  }\n";
  }

  // -- Reductions.

  void write_reducers() {
    out_ += "  using Reducers = List<";
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      out_ += (r ? ", " : "") + reducer_name(reduction(r), p_.ordered[r], "Fold" + str(r));
    }
    out_ += ">;\n";
  }

  void write_position() {
    out_ += "  template <int R>\n  CUPRUM_DEVICE I position(I major, I inner) const {\n";
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (!is_arg(reduction(r))) continue;
      out_ += "    if constexpr (R == " + str(r) + ") {\n";
      if (p_.ordered[r]) {
        out_ += p_.form != Form::rows ? "      return major;\n"
                : p_.single_row       ? "      return inner;\n"
                                      : "      return major * p.space.inner + inner;\n";
      } else {
        out_ += "      I at = 0;\n";
        write_digits(Digits::major, p_.major, "major", StrideOf::weight, r, r + 1, "at");
        if (p_.form == Form::rows)
          write_digits(Digits::inner, p_.inner, "inner", StrideOf::weight, r, r + 1, "at");
        out_ += "      return at;\n";
      }
      out_ += "    }\n";
    }
    out_ += "    return 0;\n  }\n";
  }

  void write_result() {
    out_ += "  template <int R, class T>\n  CUPRUM_DEVICE void result(I n, T value) const {\n";
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      const std::string type = type_name(reduction(r).out);
      out_ += "    if constexpr (R == " + str(r) + ") {\n      I at = 0;\n";
      if (p_.dense[r]) {
        out_ += "      at = n * " + str(itemsize(reduction(r).out)) + ";\n";
      } else {
        write_digits(Digits::kept, p_.kept, "n", StrideOf::result, r, r + 1, "at");
      }
      out_ += "      store_one(p.pointer[" + str(nleaves() + nstores() + r) + "] + at, k::cast<" + type +
              ">(value));\n    }\n";
    }
    out_ += "  }\n  template <int R>\n  CUPRUM_DEVICE double ddof() const {\n";
    std::size_t variances = 0;
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (reduction(r).op != ReduceOp::var) continue;
      out_ += "    if constexpr (R == " + str(r) + ") return p.ddof[" + str(variances++) + "];\n";
    }
    out_ += "    return 0;\n  }\n";
  }

  // -- The whole.

  void write_body() {
    const auto flag = [](bool b) { return b ? "true" : "false"; };
    out_ += "struct Body {\n  using Params = ::Params;\n  using Index = I;\n";
    out_ += "  static constexpr int kVector = " + str(p_.vector) + ", kUnroll = " + str(p_.unroll) + ";\n";
    out_ += std::string("  static constexpr bool kWhole = ") + flag(p_.whole) +
            ", kSingleRow = " + flag(p_.single_row) + ";\n";
    out_ += "  const Params& p;\n";
    if (p_.form != Form::elementwise) {
      for (std::size_t l = 0; l < p_.layouts.size(); ++l) out_ += "  I o" + str(l) + " = 0;\n";
    }
    out_ += "  CUPRUM_DEVICE explicit Body(const Params& params) : p(params) {}\n";
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
    out_ += "};\n";
  }

  /// Reductions with small states run four blocks per multiprocessor: 64 registers. The others two.
  std::string bounds() const {
    if (!reduces() || p_.form == Form::serial) return "256";
    const bool small = p_.reductions.size() == 1 && reduction(0).op != ReduceOp::var &&
                       itemsize(folded_type(reduction(0))) <= 4;
    return small ? "256, 4" : "256, 2";
  }

  void write_entry() {
    out_ += "extern \"C\" __global__ void __launch_bounds__(" + bounds() + ")\n" + kKernelName +
            "(const __grid_constant__ Params p) { " + skeleton() + "<Body>(p); }\n";
  }

  const Kernel& k_;
  const Plan& p_;
  std::string out_;
  std::map<std::pair<Digits, std::uint8_t>, std::size_t> divisors_;
  Strides strides_;
};

}  // namespace

std::string make_source(const Kernel& kernel, const Plan& plan) { return Source(kernel, plan).text(); }

}  // namespace cuprum::cuda
