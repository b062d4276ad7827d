// The Body of a row program: device/row_program.cuh says what its members mean.
#include <algorithm>

#include "codegen/names.h"
#include "codegen/row_stages.h"
#include "codegen/source.h"
#include "codegen/writer.h"

namespace cuprum::cuda {

namespace {

class RowSource final : public Writer {
 public:
  RowSource(const Kernel& kernel, const Plan& plan) : Writer(kernel, plan), s_(kernel) {}

  std::string write() override {
    const char* skeleton = p_.form == Form::row_cluster ? "row_cluster" : "row_program";
    write_head(skeleton);
    write_params("RowSpace");
    write_body();
    put("extern \"C\" __global__ void __launch_bounds__(256, ", static_cast<int>(p_.blocks_each), ")\n",
        kKernelName, "(const __grid_constant__ Params p) { ", skeleton, "<Body>(p); }\n");
    return std::move(out_);
  }

 private:
  // -- Names. Of elements: l.x0[v] a leaf, t0 an instruction, l.t0[v] one that an earlier stage kept. Of the row, members of
  // the Body: x0 a leaf, w0 an instruction, r0 the result of a reduction.

  std::string reg(std::uint16_t r) const override {
    if (r < nleaves()) {
      if (s_.row[r]) return text("x", r);
      return text("l.x", r, p_.access_of[r] == Access::broadcast ? "[0]" : "[v]");
    }
    const std::size_t scalar = r - nleaves();
    if (scalar < k_.scalars.size()) return text("p.s", scalar);
    const std::size_t i = scalar - k_.scalars.size();
    if (i >= k_.code.size()) return text("r", i - k_.code.size());
    if (s_.row[r]) return text("w", i);
    return s_.kept_in[i] < stage_ ? text("l.t", i, "[v]") : text("t", i);
  }

  static const char* type(dtype t) { return type_name(t); }

  // -- What a thread keeps.

  void write_row_values() {
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (s_.row[i]) put("  ", type(k_.leaves[i].type), " x", i, ";\n");
    }
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
      put("  ", type(k_.reductions[r].out), " r", r, ";\n");
    for (const auto& list : s_.row_code) {
      for (const std::size_t i : list) put("  ", type(k_.code[i].out), " w", i, ";\n");
    }
  }

  void write_kept() {
    put("  struct Kept {\n");
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (s_.row[i]) continue;
      put("    ", type(k_.leaves[i].type), " x", i, "[", p_.access_of[i] == Access::broadcast ? 1 : 4,
          "];\n");
    }
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      if (s_.kept_in[i] != RowStages::kNever) put("    ", type(k_.code[i].out), " t", i, "[kVector];\n");
    }
    put("  };\n");
  }

  void write_reducers() {
    put("  template <int S>\n  using Reducers = typename TypeAt<S");
    for (std::size_t s = 0; s < s_.count; ++s) {
      put(", List<");
      for (std::size_t r = s_.first[s]; r < s_.first[s + 1]; ++r)
        put(r == s_.first[s] ? "" : ", ", reducer_name(reduction(r), p_.ordered[r], ""));
      put(">");
    }
    put(">::type;\n");
  }

  // -- Row values.

  void write_row_code(const RowStages::List& list) {
    stage_ = RowStages::kNever;
    write_code(list, [&](std::size_t i) { put("      w", i, " = "); });
  }

  void write_outer() {
    put("  CUPRUM_DEVICE void outer(I n) {\n");
    write_outer_offsets();
    for (std::size_t i = 0; i < nleaves(); ++i) {
      if (s_.row[i]) put("    x", i, " = ", leaf_element(i, "o"), ";\n");
    }
    write_row_code(s_.row_code[0]);
    put("  }\n");
  }

  void write_take() {
    put("  template <int R, class T>\n  CUPRUM_DEVICE void take(T value) {\n");
    for (std::size_t r = 0; r < k_.reductions.size(); ++r)
      put("    if constexpr (R == ", r, ") r", r, " = k::cast<", type(k_.reductions[r].out), ">(value);\n");
    put("  }\n  template <int S>\n  CUPRUM_DEVICE void row() {\n");
    for (std::size_t s = 0; s < s_.count; ++s) {
      put("    if constexpr (S == ", s, ") {\n");
      write_row_code(s_.row_code[s + 1]);
      put("    }\n");
    }
    put("  }\n");
  }

  void write_results() {
    put("  CUPRUM_DEVICE void results(I n) const {\n");
    for (std::size_t r = 0; r < p_.reductions.size(); ++r) {
      if (!reduction(r).data) continue;
      put("    {\n");
      write_result_offset(r);
      put("      store_one(p.pointer[", nleaves() + nstores() + r, "] + at, r", r, ");\n    }\n");
    }
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      const Store& store = k_.stores[i];
      if (!store.row) continue;
      put("    store_one<", type(store.type), ">(p.pointer[", nleaves() + i, "] + o",
          p_.layout_of[nleaves() + i], ", ", converted(store.src, store.type), ");\n");
    }
    put("  }\n");
  }

  // -- Elements.

  void write_load() {
    put("  template <int S>\n  CUPRUM_DEVICE void load(I major, I inner, int count, Kept& l) const {\n",
        "    const At a = at(major, inner);\n");
    for (std::size_t s = 0; s <= s_.count; ++s) {
      if (s_.loads[s].empty()) continue;
      put("    if constexpr (S == ", s, ") {\n");
      write_leaves(s_.loads[s]);
      put("    }\n");
    }
    put("  }\n");
  }

  // -- Elements that wait in the block's memory.

  std::string member(std::size_t reg) const {
    return reg < nleaves() ? text("l.x", reg) : text("l.t", reg - nleaves() - k_.scalars.size());
  }
  std::size_t member_bytes(std::size_t reg) const {
    const bool one = reg < nleaves() && p_.access_of[reg] == Access::broadcast;
    return itemsize(type_of(static_cast<std::uint16_t>(reg))) * (one ? 1 : 4);
  }
  std::size_t words_after(std::size_t stage) const {
    std::size_t bytes = 0;
    for (const std::size_t reg : s_.live[stage]) bytes += member_bytes(reg);
    return (bytes + 15) / 16;
  }
  /// Copies between what lives after a stage and its words.
  void write_copies(std::size_t stage, bool saves) {
    std::size_t at = 0;
    for (const std::size_t reg : s_.live[stage]) {
      const std::string word = text("reinterpret_cast<char*>(w) + ", at), own = member(reg);
      put("      memcpy(", saves ? word : own, ", ", saves ? own : word, ", ", member_bytes(reg), ");\n");
      at += member_bytes(reg);
    }
  }

  void write_saved() {
    for (const bool saves : {true, false}) {
      put("  template <int S>\n  CUPRUM_DEVICE static void ",
          saves ? "save(const Kept& l, uint4* to) {\n" : "restore(Kept& l, const uint4* from) {\n");
      for (std::size_t s = 0; s < s_.count; ++s) {
        const std::size_t words = words_after(s);
        // A stage that changes nothing has nothing to save.
        if (words == 0 || (saves && s > 0 && s_.live[s] == s_.live[s - 1])) continue;
        put("    if constexpr (S == ", s, ") {\n      uint4 w[", words, "]", saves ? " = {};\n" : ";\n");
        if (saves) write_copies(s, true);
        for (std::size_t n = 0; n < words; ++n) {
          if (saves) {
            put("      to[", n, " * kBlock] = w[", n, "];\n");
          } else {
            put("      w[", n, "] = from[", n, " * kBlock];\n");
          }
        }
        if (!saves) write_copies(s, false);
        put("    }\n");
      }
      put("  }\n");
    }
  }

  /// The instructions of a stage, within the loop over v.
  void write_elements(std::size_t stage) {
    stage_ = stage;
    for (const std::size_t i : s_.code[stage]) {
      write_code({i}, [&](std::size_t) { put("      const ", type(k_.code[i].out), " t", i, " = "); });
      if (s_.kept_in[i] == stage) put("      l.t", i, "[v] = t", i, ";\n");
    }
  }

  void write_values() {
    put("  template <int S>\n  CUPRUM_DEVICE void values(I major, I inner, int count, Kept& l, ",
        "typename Reducers<S>::Values& values) const {\n");
    for (std::size_t s = 0; s < s_.count; ++s) {
      put("    if constexpr (S == ", s, ") {\n#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n");
      write_elements(s);
      for (std::size_t r = s_.first[s]; r < s_.first[s + 1]; ++r) {
        put("      get<", r - s_.first[s], ">(values).lane[v] = ", folded(reduction(r)), ";\n");
      }
      put("    }\n    }\n");
    }
    put("  }\n");
  }

  void write_store() {
    put("  CUPRUM_DEVICE void store(I major, I inner, int count, Kept& l) const {\n");
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      if (!k_.stores[i].row) put("    ", type(k_.stores[i].type), " y", i, "[kVector];\n");
    }
    put("#pragma unroll\n    for (int v = 0; v < kVector; ++v) {\n");
    write_elements(s_.count);
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      if (k_.stores[i].row) continue;
      put("      y", i, "[v] = ", converted(k_.stores[i].src, k_.stores[i].type), ";\n");
    }
    put("    }\n    const At a = at(major, inner);\n");
    for (std::size_t i = 0; i < k_.stores.size(); ++i) {
      const std::size_t operand = nleaves() + i;
      if (k_.stores[i].row) continue;
      put("    store_elements", access(operand), "(", address(operand, operand), ", ", inner_stride(operand),
          ", count, y", i, ");\n");
    }
    put("  }\n");
  }

  bool stores_elements() const {
    for (const Store& store : k_.stores) {
      if (!store.row) return true;
    }
    return false;
  }

  // -- The whole.

  void write_body() {
    const auto flag = [](bool b) { return b ? "true" : "false"; };
    put("struct Body {\n  using Params = ::Params;\n  using Index = I;\n");
    put("  static constexpr int kVector = 4, kItems = ", p_.items, ", kStages = ", s_.count, ";\n");
    std::size_t words = 0;
    for (std::size_t s = 0; s < s_.count; ++s) words = std::max(words, words_after(s));
    put("  static constexpr int kMemoryItems = ", p_.memory_items, ", kWords = ", words, ";\n");
    put("  static constexpr int kPartBytes = ", p_.part_bytes, ", kStateBytes = ", p_.state_bytes, ";\n");
    put("  static constexpr bool kWhole = ", flag(p_.whole), ", kSingleRow = ", flag(p_.single_row),
        ", kFull = ", flag(p_.full), ", kStores = ", flag(stores_elements()), ";\n");
    put("  static constexpr int kFirst[] = {");
    for (const std::size_t first : s_.first) put(first, ", ");
    put("};\n  const Params& p;\n");
    for (std::size_t l = 0; l < p_.layouts.size(); ++l) put("  I o", l, " = 0;\n");
    write_row_values();
    write_start();
    write_kept();
    write_reducers();
    write_outer();
    write_at(true);
    write_load();
    if (p_.memory_items != 0) write_saved();
    write_values();
    write_take();
    if (stores_elements()) write_store();
    write_results();
    write_position(true);
    write_ddof();
    put("};\n");
  }

  RowStages s_;
  std::size_t stage_ = 0;
};

}  // namespace

std::string make_row_source(const Kernel& kernel, const Plan& plan) {
  return RowSource(kernel, plan).write();
}

}  // namespace cuprum::cuda
