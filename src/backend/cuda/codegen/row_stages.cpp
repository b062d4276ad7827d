#include "codegen/row_stages.h"

#include <algorithm>

#include "core/user_op.h"

namespace cuprum::cuda {

namespace {

/// Is it worth four registers of a thread not to compute it twice?
bool is_dear(const Instr& i) {
  if (is_user_op(i.op) || (info(i.op).flags & kTranscendental)) return true;
  return i.op == Op::divide || i.op == Op::floor_divide || i.op == Op::remainder || i.op == Op::fmod ||
         i.op == Op::power || i.op == Op::float_power || i.op == Op::sqrt;
}

class Analysis {
 public:
  Analysis(const Kernel& kernel, RowStages& stages) : k_(kernel), s_(stages) {}

  void run() {
    s_.row = row_values(k_);
    s_.kept_in.assign(k_.code.size(), RowStages::kNever);
    count_stages();
    place_row_code();
    for (std::size_t stage = 0; stage <= s_.count; ++stage) place_code(stage);
    place_loads();
    for (std::size_t stage = 0; stage < s_.count; ++stage) {
      s_.live.push_back(live_after(stage));
      s_.kept_bytes = std::max(s_.kept_bytes, bytes_of(s_.live.back()));
    }
  }

 private:
  std::size_t first_instr() const { return k_.leaves.size() + k_.scalars.size(); }
  std::size_t first_result() const { return first_instr() + k_.code.size(); }
  bool is_element_instr(std::size_t reg) const {
    return reg >= first_instr() && reg < first_result() && !s_.row[reg];
  }

  void count_stages() {
    std::size_t done = 0;
    for (const Stage& stage : k_.stages) {
      if (stage.reductions == done) continue;
      s_.first.push_back(done);
      done = stage.reductions;
    }
    s_.count = s_.first.size();
    s_.first.push_back(done);
  }

  /// A row value is there once the last of the results is that it depends on.
  void place_row_code() {
    s_.row_code.resize(s_.count + 1);
    std::vector<std::size_t> after(k_.code.size(), 0);
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      if (!s_.row[first_instr() + i]) continue;
      for (int n = 0; n < k_.code[i].nsrc; ++n) {
        const std::size_t source = k_.code[i].src[n];
        if (source >= first_result()) after[i] = std::max(after[i], stage_of(source - first_result()) + 1);
        if (source >= first_instr() && source < first_result())
          after[i] = std::max(after[i], after[source - first_instr()]);
      }
      s_.row_code[after[i]].push_back(i);
    }
  }
  std::size_t stage_of(std::size_t reduction) const {
    std::size_t stage = 0;
    while (s_.first[stage + 1] <= reduction) ++stage;
    return stage;
  }

  /// The registers that a stage needs in the end.
  template <class F>
  void each_target(std::size_t stage, F f) const {
    if (stage < s_.count) {
      for (std::size_t r = s_.first[stage]; r < s_.first[stage + 1]; ++r) f(k_.reductions[r].src);
      return;
    }
    for (const Store& store : k_.stores) {
      if (!store.row) f(store.src);
    }
  }

  /// Which registers a stage reads or computes, where it has those that `had` says.
  template <class Had>
  std::vector<bool> needed(std::size_t stage, const Had& had) const {
    std::vector<bool> result(first_result() + k_.reductions.size());
    each_target(stage, [&](std::size_t reg) { result[reg] = true; });
    for (std::size_t i = k_.code.size(); i-- > 0;) {
      const std::size_t reg = first_instr() + i;
      if (!result[reg] || s_.row[reg] || had(i)) continue;
      for (int n = 0; n < k_.code[i].nsrc; ++n) result[k_.code[i].src[n]] = true;
    }
    return result;
  }

  bool is_kept_before(std::size_t instr, std::size_t stage) const { return s_.kept_in[instr] < stage; }

  void place_code(std::size_t stage) {
    const auto mine = needed(stage, [&](std::size_t i) { return is_kept_before(i, stage); });
    RowStages::List& code = s_.code.emplace_back();
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      const std::size_t reg = first_instr() + i;
      if (mine[reg] && !s_.row[reg] && !is_kept_before(i, stage)) code.push_back(i);
    }
    for (std::size_t later = stage + 1; later <= s_.count; ++later) {
      const auto wanted = needed(later, [&](std::size_t i) {
        return is_kept_before(i, stage) || (mine[first_instr() + i] && is_dear(k_.code[i]));
      });
      for (const std::size_t i : code) {
        if (wanted[first_instr() + i] && is_dear(k_.code[i])) s_.kept_in[i] = stage;
      }
    }
  }

  std::vector<bool> read_by(std::size_t stage) const {
    return needed(stage, [&](std::size_t i) { return is_kept_before(i, stage); });
  }

  /// The same for all rows: it stays in a cache, and is read again.
  bool is_shared(std::size_t leaf) const {
    if (drawn(k_, leaf)) return false;
    const Gathered* g = gathered(k_, leaf);
    return is_alike_in_rows(k_.leaves[leaf].strides) && (!g || is_alike_in_rows(g->strides));
  }
  bool is_alike_in_rows(const Dims& strides) const {
    for (std::size_t d = 0; d < k_.shape.size(); ++d) {
      if (!(k_.reduced >> d & 1) && strides[d] != 0) return false;
    }
    return true;
  }

  void place_loads() {
    std::vector<bool> have(k_.leaves.size());
    for (std::size_t stage = 0; stage <= s_.count; ++stage) {
      const auto read = read_by(stage);
      RowStages::List& loads = s_.loads.emplace_back();
      for (std::size_t i = 0; i < k_.leaves.size(); ++i) {
        if (!read[i] || s_.row[i] || have[i]) continue;
        loads.push_back(i);
        have[i] = !is_shared(i);
      }
    }
  }

  /// Leaves that were read by the end of a stage and results that it or an earlier one keeps, if a later stage needs them.
  RowStages::List live_after(std::size_t stage) const {
    std::vector<bool> later(first_result()), read(k_.leaves.size());
    for (std::size_t s = stage + 1; s <= s_.count; ++s) {
      const auto needs = read_by(s);
      for (std::size_t reg = 0; reg < later.size(); ++reg) later[reg] = later[reg] || needs[reg];
    }
    for (std::size_t s = 0; s <= stage; ++s) {
      for (const std::size_t i : s_.loads[s]) read[i] = true;
    }
    RowStages::List live;
    for (std::size_t i = 0; i < k_.leaves.size(); ++i) {
      if (later[i] && read[i] && !is_shared(i)) live.push_back(i);
    }
    for (std::size_t i = 0; i < k_.code.size(); ++i) {
      if (later[first_instr() + i] && s_.kept_in[i] <= stage) live.push_back(first_instr() + i);
    }
    return live;
  }

  std::size_t bytes_of(const RowStages::List& live) const {
    std::size_t bytes = 0;
    for (const std::size_t reg : live)
      bytes += std::max<std::size_t>(4, itemsize(register_type(k_, static_cast<std::uint16_t>(reg))));
    return bytes;
  }

  const Kernel& k_;
  RowStages& s_;
};

}  // namespace

RowStages::RowStages(const Kernel& kernel) { Analysis(kernel, *this).run(); }

}  // namespace cuprum::cuda
