#include "runtime/stages.h"

#include <algorithm>

namespace cuprum {

namespace {

constexpr std::uint32_t kTranscendentalCost = 8;
constexpr std::uint32_t kHighest = 1u << 20;

/// What is known of each register; without memory of its own for a small kernel, where allocating would take most of the time.
template <class T>
using Registers = SmallVector<T, 24>;

bool stays_in_row(const Kernel& kernel, const Dims& strides) {
  for (std::size_t d = 0; d < kernel.shape.size(); ++d) {
    if (kernel.reduced >> d & 1 && strides[d] != 0) return false;
  }
  return true;
}

bool is_row_leaf(const Kernel& kernel, std::size_t leaf) {
  const Gathered* g = gathered(kernel, leaf);
  return stays_in_row(kernel, kernel.leaves[leaf].strides) && (!g || stays_in_row(kernel, g->strides));
}

void find_row_values(const Kernel& kernel, Registers<bool>& row) {
  const std::size_t leaves = kernel.leaves.size(), first_code = leaves + kernel.scalars.size();
  row.resize(first_code + kernel.code.size() + kernel.reductions.size(), true);
  for (std::size_t i = 0; i < leaves; ++i) row[i] = is_row_leaf(kernel, i);
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const Instr& instr = kernel.code[i];
    for (int s = 0; s < instr.nsrc; ++s) row[first_code + i] = row[first_code + i] && row[instr.src[s]];
  }
}

/// Row-major strides of an array of items over the space, or over its kept dimensions alone.
Dims crossing_strides(const Kernel& kernel, std::size_t item, bool row) {
  Dims strides;
  strides.resize(kernel.shape.size(), 0);
  auto next = static_cast<std::int64_t>(item);
  for (std::size_t d = kernel.shape.size(); d-- > 0;) {
    if (row && kernel.reduced >> d & 1) continue;
    strides[d] = next;
    next *= kernel.shape[d];
  }
  return strides;
}

Dims kept(const Kernel& kernel, const Dims& dims) {
  Dims taken;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (!(kernel.reduced >> d & 1)) taken.push_back(dims[d]);
  }
  return taken;
}

/// A register's memory once it has been written.
struct Home {
  enum class Kind : std::uint8_t { none, store, reduction, crossing };
  Kind kind = Kind::none;
  std::uint16_t index = 0;
};

/// One kernel of a split: the row values, or the elements, of a stage. It runs behind those of earlier stages, and the row
/// values of a stage are computed before its elements.
struct Part {
  std::size_t stage;
  bool row;
};

class Splitter {
 public:
  Splitter(const Kernel& kernel, std::uint32_t recompute, Split& split)
      : k_(kernel), recompute_(recompute), split_(split) {
    find_row_values(kernel, row_);
    first_code_ = k_.leaves.size() + k_.scalars.size();
    first_reduction_ = first_code_ + k_.code.size();
    survey();
  }

  void run() {
    for (std::size_t s = k_.stages.size(); s-- > 0;) {
      find_crossings({s, false});
      find_crossings({s, true});
    }
    for (std::size_t s = 0; s < k_.stages.size(); ++s) {
      build({s, true});
      build({s, false});
    }
  }

 private:
  // -- What is known of registers

  bool is_code(std::size_t reg) const { return reg >= first_code_ && reg < first_reduction_; }
  const Instr& code(std::size_t reg) const { return k_.code[reg - first_code_]; }
  /// Computed by a kernel over rows: the value needs a reduction's result, and nothing of an element.
  bool by_rows(std::size_t reg) const { return row_[reg] && reduced_[reg]; }

  void survey() {
    const std::size_t registers = first_reduction_ + k_.reductions.size();
    stage_.resize(registers, 0);
    reduced_.resize(registers, false);
    cost_.resize(registers, 0);
    crosses_.resize(registers, false);
    home_.resize(registers);
    std::size_t at = 0;
    for (std::size_t s = 0; s < k_.stages.size(); ++s) {
      for (; at < k_.stages[s].code; ++at) note(first_code_ + at, s);
    }
    at = 0;
    for (std::size_t s = 0; s < k_.stages.size(); ++s) {
      for (; at < k_.stages[s].reductions; ++at) stage_[first_reduction_ + at] = s;
    }
    for (std::size_t i = 0; i < k_.reductions.size(); ++i) reduced_[first_reduction_ + i] = true;
    // Reductions come after the code: what the code reads of them is known only now.
    for (std::size_t reg = first_code_; reg < first_reduction_; ++reg) survey_code(reg);
  }

  void note(std::size_t reg, std::size_t stage) { stage_[reg] = stage; }

  void survey_code(std::size_t reg) {
    const Instr& instr = code(reg);
    std::uint32_t cost = info(instr.op).flags & kTranscendental ? kTranscendentalCost : 1;
    for (int s = 0; s < instr.nsrc; ++s) {
      reduced_[reg] = reduced_[reg] || reduced_[instr.src[s]];
      if (!by_rows(instr.src[s])) cost = std::min(cost + cost_[instr.src[s]], kHighest);
    }
    cost_[reg] = cost;
  }

  std::size_t store_begin(std::size_t s) const { return s == 0 ? 0 : k_.stages[s - 1].stores; }
  std::size_t reduction_begin(std::size_t s) const { return s == 0 ? 0 : k_.stages[s - 1].reductions; }

  /// Does `part` read the register from memory, instead of computing it?
  bool from_memory(std::size_t reg, const Part& part) const {
    if (reg >= first_reduction_) return true;
    if (by_rows(reg)) return !part.row || stage_[reg] != part.stage;
    return !part.row && stage_[reg] != part.stage && cost_[reg] > recompute_;
  }

  // -- First pass, from the end: which values cross

  template <class F>
  void each_output(const Part& part, F&& f) const {
    const Stage& stage = k_.stages[part.stage];
    for (std::size_t i = store_begin(part.stage); i < stage.stores; ++i) {
      if (k_.stores[i].row == part.row) f(k_.stores[i].src);
    }
    for (std::size_t i = reduction_begin(part.stage); !part.row && i < stage.reductions; ++i)
      f(k_.reductions[i].src);
    for (std::size_t reg = first_code_; reg < first_reduction_; ++reg) {
      if (crosses_[reg] && stage_[reg] == part.stage && by_rows(reg) == part.row)
        f(static_cast<std::uint16_t>(reg));
    }
  }

  void find_crossings(const Part& part) {
    seen_.clear();
    seen_.resize(row_.size(), false);
    each_output(part, [&](std::uint16_t reg) { demand(reg, part); });
  }

  void demand(std::uint16_t root, const Part& part) {
    Registers<std::uint16_t> stack;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::uint16_t reg = stack.back();
      stack.pop_back();
      if (reg < first_code_ || seen_[reg]) continue;
      seen_[reg] = true;
      if (from_memory(reg, part)) {
        crosses_[reg] = true;
        continue;
      }
      for (int s = 0; s < code(reg).nsrc; ++s) stack.push_back(code(reg).src[s]);
    }
  }

  // -- Second pass: the kernels

  void build(const Part& part);
  std::uint16_t value(std::uint16_t root);
  std::uint16_t leaf(std::uint16_t reg);
  void keep_made(std::uint16_t leaf);
  void emit(std::uint16_t reg);
  void add_stores(const Part& part);
  void add_reductions(const Part& part);
  void cross(std::uint16_t reg, const Part& part);
  std::uint16_t new_crossing(std::uint16_t reg);
  Dims strides(const Dims& dims) const { return part_.row ? kept(k_, dims) : dims; }
  void use(std::uint16_t crossing, CrossingUse::Kind kind, std::size_t index) {
    split_.uses.push_back({crossing, static_cast<std::uint16_t>(split_.kernels.size()), kind,
                           static_cast<std::uint16_t>(index)});
  }
  void renumber();

  static constexpr std::uint16_t kScalarBase = 0x4000, kInstrBase = 0x8000, kNone = 0xffff;

  const Kernel& k_;
  const std::uint32_t recompute_;
  Split& split_;
  std::size_t first_code_ = 0, first_reduction_ = 0;
  Registers<bool> row_;
  Registers<std::size_t> stage_;
  Registers<bool> reduced_;  // needs a result of a reduction
  Registers<std::uint32_t> cost_;
  Registers<bool> crosses_;
  Registers<bool> seen_;
  Registers<Home> home_;
  Part part_{};
  Kernel made_;
  Registers<std::uint16_t> map_;  // registers of the kernel being made, provisional until `renumber`
};

void Splitter::build(const Part& part) {
  part_ = part;
  made_ = Kernel();
  made_.shape = part.row ? kept(k_, k_.shape) : k_.shape;
  map_.clear();
  map_.resize(row_.size(), kNone);
  add_stores(part);
  add_reductions(part);
  for (std::size_t reg = first_code_; reg < first_reduction_; ++reg) {
    if (crosses_[reg] && stage_[reg] == part.stage && by_rows(reg) == part.row)
      cross(static_cast<std::uint16_t>(reg), part);
  }
  if (made_.stores.empty() && made_.reductions.empty()) return;
  if (!made_.reductions.empty()) {
    made_.reduced = k_.reduced;
    made_.merged = k_.merged;
  }
  renumber();
  split_.kernels.push_back(std::move(made_));
}

void Splitter::add_stores(const Part& part) {
  for (std::size_t i = store_begin(part.stage); i < k_.stages[part.stage].stores; ++i) {
    const Store& store = k_.stores[i];
    if (store.row != part.row) continue;
    const std::uint16_t src = value(store.src);
    made_.stores.push_back({store.data, store.type, strides(store.strides), src});
    const bool whole = part.row || !by_rows(store.src);
    if (home_[store.src].kind == Home::Kind::none && is_code(store.src) && whole)
      home_[store.src] = {Home::Kind::store, static_cast<std::uint16_t>(i)};
  }
}

void Splitter::add_reductions(const Part& part) {
  if (part.row) return;
  for (std::size_t i = reduction_begin(part.stage); i < k_.stages[part.stage].reductions; ++i) {
    const auto reg = static_cast<std::uint16_t>(first_reduction_ + i);
    Reduction reduction = k_.reductions[i];
    if (!reduction.data && !crosses_[reg]) continue;
    reduction.src = value(reduction.src);
    if (reduction.data) {
      home_[reg] = {Home::Kind::reduction, static_cast<std::uint16_t>(i)};
    } else {
      reduction.strides = crossing_strides(k_, itemsize(reduction.out), true);
      use(new_crossing(reg), CrossingUse::Kind::reduction, made_.reductions.size());
    }
    made_.reductions.push_back(std::move(reduction));
  }
}

/// A value that later kernels read is written, unless a store has done it.
void Splitter::cross(std::uint16_t reg, const Part& part) {
  if (home_[reg].kind != Home::Kind::none) return;
  const std::uint16_t src = value(reg);
  const dtype type = register_type(k_, reg);
  use(new_crossing(reg), CrossingUse::Kind::store, made_.stores.size());
  made_.stores.push_back({{}, type, strides(crossing_strides(k_, itemsize(type), part.row)), src});
}

std::uint16_t Splitter::new_crossing(std::uint16_t reg) {
  const dtype type = register_type(k_, reg);
  const bool row = row_[reg] && reduced_[reg];
  home_[reg] = {Home::Kind::crossing, static_cast<std::uint16_t>(split_.crossings.size())};
  split_.crossings.push_back({type, row, bytes_of(row ? kept(k_, k_.shape) : k_.shape, type)});
  return home_[reg].index;
}

std::uint16_t Splitter::value(std::uint16_t root) {
  Registers<std::uint16_t> stack;
  stack.push_back(root);
  while (!stack.empty()) {
    const std::uint16_t reg = stack.back();
    if (map_[reg] == kNone && is_code(reg) && !from_memory(reg, part_)) {
      bool ready = true;
      for (int s = 0; s < code(reg).nsrc; ++s) {
        if (map_[code(reg).src[s]] != kNone) continue;
        stack.push_back(code(reg).src[s]);
        ready = false;
      }
      if (!ready) continue;
    }
    if (map_[reg] == kNone) emit(reg);
    stack.pop_back();
  }
  return map_[root];
}

void Splitter::emit(std::uint16_t reg) {
  if (reg >= k_.leaves.size() && reg < first_code_) {
    map_[reg] = static_cast<std::uint16_t>(kScalarBase + made_.scalars.size());
    made_.scalars.push_back(k_.scalars[reg - k_.leaves.size()]);
  } else if (reg < first_code_ || from_memory(reg, part_)) {
    map_[reg] = leaf(reg);
  } else {
    Instr instr = code(reg);
    for (int s = 0; s < instr.nsrc; ++s) instr.src[s] = map_[instr.src[s]];
    map_[reg] = static_cast<std::uint16_t>(kInstrBase + made_.code.size());
    made_.code.push_back(instr);
  }
}

/// A leaf of the kernel, or a value that an earlier kernel has written.
std::uint16_t Splitter::leaf(std::uint16_t reg) {
  Leaf leaf;
  const Home& home = home_[reg];
  if (reg < k_.leaves.size()) {
    leaf = k_.leaves[reg];
    keep_made(reg);
  } else {
    leaf.type = register_type(k_, reg);
    if (home.kind == Home::Kind::crossing) {
      leaf.strides = crossing_strides(k_, itemsize(leaf.type), split_.crossings[home.index].row);
      use(home.index, CrossingUse::Kind::leaf, made_.leaves.size());
    } else if (home.kind == Home::Kind::store) {
      leaf.data = k_.stores[home.index].data;
      leaf.strides = k_.stores[home.index].strides;
    } else {
      leaf.data = k_.reductions[home.index].data;
      leaf.strides = k_.reductions[home.index].strides;
      for (std::size_t d = 0; d < leaf.strides.size(); ++d) {
        if (k_.reduced >> d & 1) leaf.strides[d] = 0;
      }
    }
  }
  leaf.strides = strides(leaf.strides);
  made_.leaves.push_back(std::move(leaf));
  return static_cast<std::uint16_t>(made_.leaves.size() - 1);
}

/// How the kernel's next leaf is made, if it is.
void Splitter::keep_made(std::uint16_t leaf) {
  const auto next = static_cast<std::uint16_t>(made_.leaves.size());
  if (const Gathered* g = gathered(k_, leaf)) {
    made_.gathers.push_back(*g);
    made_.gathers.back().leaf = next;
    made_.gathers.back().strides = strides(g->strides);
  }
  if (const Drawn* d = drawn(k_, leaf)) made_.draws.push_back({next, d->draw});
}

void Splitter::renumber() {
  const auto leaves = static_cast<std::uint16_t>(made_.leaves.size());
  const auto scalars = static_cast<std::uint16_t>(made_.scalars.size());
  const auto dense = [&](std::uint16_t& r) {
    if (r >= kInstrBase) {
      r = static_cast<std::uint16_t>(r - kInstrBase + leaves + scalars);
    } else if (r >= kScalarBase) {
      r = static_cast<std::uint16_t>(r - kScalarBase + leaves);
    }
  };
  for (Instr& instr : made_.code) {
    for (int s = 0; s < instr.nsrc; ++s) dense(instr.src[s]);
  }
  for (Store& store : made_.stores) dense(store.src);
  for (Reduction& reduction : made_.reductions) dense(reduction.src);
}

}  // namespace

std::vector<bool> row_values(const Kernel& kernel) {
  Registers<bool> row;
  find_row_values(kernel, row);
  return std::vector<bool>(row.begin(), row.end());  // in braces two addresses would be two bools
}

dtype register_type(const Kernel& kernel, std::uint16_t reg) {
  std::size_t r = reg;
  if (r < kernel.leaves.size()) return kernel.leaves[r].type;
  r -= kernel.leaves.size();
  if (r < kernel.scalars.size()) return kernel.scalars[r].type;
  r -= kernel.scalars.size();
  return r < kernel.code.size() ? kernel.code[r].out : kernel.reductions[r - kernel.code.size()].out;
}

void Split::place(std::size_t crossing, Place data) {
  for (const CrossingUse& use : uses) {
    if (use.crossing != crossing) continue;
    Kernel& kernel = kernels[use.kernel];
    switch (use.kind) {
      case CrossingUse::Kind::leaf: kernel.leaves[use.index].data = data; break;
      case CrossingUse::Kind::store: kernel.stores[use.index].data = data; break;
      case CrossingUse::Kind::reduction: kernel.reductions[use.index].data = data; break;
    }
  }
}

Split split(const Kernel& kernel, std::uint32_t recompute) {
  Split made;
  if (kernel.stages.empty()) {
    made.kernels.push_back(kernel);
  } else {
    Splitter(kernel, recompute, made).run();
  }
  return made;
}

}  // namespace cuprum
