#include "codegen/source.h"

#include <numeric>

#include "codegen/names.h"
#include "codegen/writer.h"
#include "core/user_op.h"

namespace cuprum::cuda {

namespace {

class Source final : public Writer {
 public:
  using Writer::Writer;

  std::string write() override {
    write_head(file());
    write_params(space());
    write_fold();
    write_body();
    write_entry();
    return std::move(out_);
  }

 private:
  bool reduces() const { return !p_.reductions.empty(); }
  bool is_turned(std::size_t leaf) const { return !p_.turned.empty() && p_.turned[leaf]; }

  const char* skeleton() const {
    static constexpr const char* names[] = {"elementwise", "tiles", "reduce_rows", "reduce_columns",
                                            "reduce_serial"};
    return names[static_cast<int>(p_.form)];
  }
  const char* file() const { return p_.form == Form::tiles ? "tile" : skeleton(); }
  const char* space() const {
    return p_.form == Form::elementwise ? "ElementwiseSpace"
           : p_.form == Form::tiles     ? "TileSpace"
                                        : "ReduceSpace";
  }

  std::string reg(std::uint16_t r) const override {
    if (r < nleaves())
      return text("l.x", r, p_.access_of[r] == Access::broadcast && !p_.straddles ? "[0]" : "[v]");
    const std::size_t scalar = r - nleaves();
    if (scalar < k_.scalars.size()) return text("p.s", scalar);
    return text("t", scalar - k_.scalars.size());
  }
  /// The operations of reductions that may not be regrouped, and those of the program.
  void write_fold() {
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      const std::string type = type_name(reduction(r).type);
      if (reduction(r).op == ReduceOp::user) write_user_fold(r, type, user_function(reduction(r).fold).scope);
      if (reduction(r).op != ReduceOp::generic) continue;
      put("struct Fold", r, " {\n  CUPRUM_DEVICE static ", type, " apply(", type, " a, ", type,
          " b) { return k::cast<", type, ">(k::", info(reduction(r).fold).name, "(a, b)); }\n};\n");
    }
  }

  void write_user_fold(std::size_t r, const std::string& type, const std::string& scope) {
    put("struct Fold", r,
        " {\n  template <class T>\n  CUPRUM_DEVICE static T neutral() { return k::bit_cast<T>(", scope,
        "::_identity()); }\n  CUPRUM_DEVICE static ", type, " fold(", type, " a, ", type,
        " b) {\n    return k::bit_cast<", type, ">(", scope, "::_apply(k::bit_cast<", scope,
        "::_A0>(a), k::bit_cast<", scope, "::_A1>(b)));\n  }\n};\n");
  }

  void write_outer() {
    if (p_.form == Form::elementwise) return;
    put("  CUPRUM_DEVICE void outer(I n) {\n");
    write_outer_offsets();
    put("  }\n");
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
        const std::string x = text("l.x", i, "[v]");
        put("      ", x, " = {};\n      if (v < count) ", x, " = ", leaf_element(i), ";\n");
      }
      put("    }\n  }\n");
      return;
    }
    put("    const At a = at(major, inner);\n");
    List leaves;
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (!is_turned(i)) leaves.push_back(i);
    }
    write_leaves(leaves);
    put("  }\n");
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
    List all(k_.code.size());
    std::iota(all.begin(), all.end(), 0);
    write_code(all, [&](std::size_t i) { put("      const ", type_name(k_.code[i].out), " t", i, " = "); });
    for (std::size_t i = 0; i < nstores(); ++i) {
      const std::string y = p_.interleaved ? text("y[v * ", nstores(), " + ", i, "]") : text("y", i, "[v]");
      put("      ", y, " = ", converted(k_.stores[i].src, k_.stores[i].type), ";\n");
    }
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      put("      get<", r, ">(values).lane[v] = ", folded(reduction(r)), ";\n");
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

  void write_result() {
    put("  template <int R, class T>\n  CUPRUM_DEVICE void result(I n, T value) const {\n");
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      const std::string type = type_name(reduction(r).out);
      put("    if constexpr (R == ", r, ") {\n");
      write_result_offset(r);
      put("      store_one(p.pointer[", nleaves() + nstores() + r, "] + at, k::cast<", type,
          ">(value));\n    }\n");
    }
    put("  }\n");
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
    write_start();
    write_loaded();
    if (reduces()) write_reducers();
    write_outer();
    write_at(p_.form != Form::elementwise);
    if (p_.form == Form::tiles) write_turned();
    write_load();
    write_compute();
    if (reduces()) {
      write_position(p_.form == Form::rows);
      write_result();
      write_ddof();
    }
    put("};\n");
  }

  /// Reductions with small states, and those of one leaf that is drawn with few registers, run four blocks per multiprocessor: 64
  /// registers. The others two.
  std::string bounds() const {
    if (!reduces() || p_.form == Form::serial) return "256";
    const bool small = p_.reductions.size() == 1 && itemsize(folded_type(reduction(0))) <= 4 &&
                       (reduction(0).op != ReduceOp::var || p_.form == Form::rows);
    const bool four = k_.draws.empty() ? small : k_.draws.size() == 1 && draws_lightly(k_.draws[0].draw);
    return four ? "256, 4" : "256, 2";
  }

  void write_entry() {
    put("extern \"C\" __global__ void __launch_bounds__(", bounds(), ")\n", kKernelName,
        "(const __grid_constant__ Params p) { ", skeleton(), "<Body>(p); }\n");
  }
};

}  // namespace

std::string make_source(const Kernel& kernel, const Plan& plan) {
  return is_row_program(plan.form) ? make_row_source(kernel, plan) : Source(kernel, plan).write();
}

}  // namespace cuprum::cuda
