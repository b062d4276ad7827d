#include "expr/row_program.h"

#include <algorithm>

#include "core/layout.h"

namespace cuprum {

namespace {

constexpr std::size_t kMostStages = 12;
constexpr std::size_t kMostOutputs = 32;

// A CPU has no launch to save, and so few elements are near anyway: stages would cost more than they save (us, apart and as
// stages: a / a.sum() of 16 elements 1.9 and 3.3, m - m.mean(1) of 128 2.6 and 3.9, softmax of 2048 11 and 12).
constexpr std::int64_t kFewElements = 512;

/// The order in which a reduction goes through its space, and which neighbours are one dimension: what its bits may depend on.
struct WalkOrder {
  SmallVector<std::uint8_t, 8> axes;  // without those of size 1
  std::uint64_t joined = 0;           // bit i: axes[i] and axes[i + 1]

  WalkOrder(const Dims& shape, const Dims& strides) {
    const Dims* votes[] = {&strides};
    for (const std::uint8_t d : axis_order(shape, votes)) {
      if (shape[d] != 1) axes.push_back(d);
    }
  }
  explicit WalkOrder(const Node& reduction)
      : WalkOrder(reduction.reduce->iteration, reduction.in[0].strides) {
    const Dims &shape = reduction.reduce->iteration, &strides = reduction.in[0].strides;
    for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
      const std::uint8_t a = axes[i], b = axes[i + 1];
      const bool reduced = reduction.reduce->axes >> a & 1;
      if (reduced != (reduction.reduce->axes >> b & 1) || strides[a] != strides[b] * shape[b]) continue;
      // Positions count in C order: the two are one only if nothing reduced lies between them there.
      if (reduced && is_arg(reduction.reduce->spec.op) && !neighbours(reduction, a, b)) continue;
      joined |= std::uint64_t{1} << i;
    }
  }
  bool same_axes(const WalkOrder& other) const {
    return axes.size() == other.axes.size() && std::equal(axes.begin(), axes.end(), other.axes.begin());
  }
  bool operator==(const WalkOrder& other) const { return same_axes(other) && joined == other.joined; }

 private:
  static bool neighbours(const Node& reduction, std::uint8_t a, std::uint8_t b) {
    if (b < a) return false;
    for (std::size_t d = a + 1u; d < b; ++d) {
      if (reduction.reduce->axes >> d & 1 && reduction.reduce->iteration[d] != 1) return false;
    }
    return true;
  }
};

class Former {
 public:
  explicit Former(Schedule& plan) : plan_(plan) { home_.resize(plan.groups.size()); }

  void run() {
    std::vector<Group>& groups = plan_.groups;
    bool any = false;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      home_[g] = static_cast<std::int32_t>(g);
      const std::int32_t home = program_for(g);
      if (home < 0) continue;
      join(groups[static_cast<std::size_t>(home)], std::move(groups[g]));
      home_[g] = home;
      any = true;
    }
    if (!any) return;
    renumber();
    keep_inside();
    std::erase_if(groups, [](const Group& group) { return group.number < 0; });
  }

 private:
  std::int32_t home_of(const Node& node) const {
    const std::int32_t group = plan_[node].group;
    return group < 0 ? -1 : home_[static_cast<std::size_t>(group)];
  }

  /// Everything that `group` computes element by element, in `cone_`.
  void find_cone(const Group& group) {
    const std::uint32_t mark = plan_.new_mark();
    cone_.clear();
    const auto add = [&](Node* node) {
      if (plan_[*node].mark == mark) return;
      plan_[*node].mark = mark;
      cone_.push_back(node);
    };
    for (Node* node : group.stores) add(node);
    for (Node* node : group.reductions) add(node);
    for (std::size_t i = 0; i < cone_.size(); ++i) {
      for (int k = 0; k < cone_[i]->nin; ++k) {
        if (Node* source = cone_[i]->in[k].node.get(); source && plan_.is_fused(cone_[i]->in[k])) add(source);
      }
    }
  }

  /// The kernel that group `g` becomes a stage of, or -1. It must not run before all that the group needs as a whole is there.
  std::int32_t program_for(std::size_t g) {
    const Group& group = plan_.groups[g];
    if (group.call || (group.level == 0 && group.reductions.empty())) return -1;
    find_cone(group);
    const std::int32_t latest = latest_need();
    if (latest >= 0 && can_join(plan_.groups[static_cast<std::size_t>(latest)], group)) return latest;
    if (group.reductions.empty()) return -1;
    // Reductions that could not share a stage, such as max and argmax, share the reading of the row.
    constexpr std::int32_t kLatest = 8;
    const auto end = static_cast<std::int32_t>(g);
    for (std::int32_t home = std::max({0, latest + 1, end - kLatest}); home < end; ++home) {
      if (home_[static_cast<std::size_t>(home)] == home &&
          can_join(plan_.groups[static_cast<std::size_t>(home)], group))
        return home;
    }
    return -1;
  }

  /// The latest kernel that makes something that `cone_` needs as a whole; -1: none.
  std::int32_t latest_need() const {
    std::int32_t latest = -1;
    for (const Node* node : cone_) {
      for (int k = 0; k < node->nin; ++k) {
        const Node* source = node->in[k].node.get();
        if (source && !plan_.is_fused(node->in[k])) latest = std::max(latest, home_of(*source));
      }
    }
    return latest;
  }

  /// `cone_` is that of `group`.
  bool can_join(const Group& home, const Group& group) const {
    if (home.call || home.reductions.empty() || home.nodes + group.nodes > kMaxKernelNodes) return false;
    if (&home.first().backend() != &group.first().backend()) return false;
    if (home.later.size() + 1 >= kMostStages || home.outputs() + group.outputs() > kMostOutputs) return false;
    if (home.first().backend().is_cpu && element_count(home.iteration_shape()) <= kFewElements) return false;
    const RowSpace space{home.iteration_shape(), home.reductions[0]->reduce->axes};
    const bool elements = group.iteration_shape() == space.shape;
    if (!elements && (!group.reductions.empty() || !space.is_row(group.iteration_shape()))) return false;
    return reads_rows_of(home, space) && (!elements || (walks_alike(home, group) && shares_reads(home)));
  }

  /// Is all that `cone_` needs of `home` as a whole a value of the row?
  bool reads_rows_of(const Group& home, const RowSpace& space) const {
    const std::int32_t number = home.number;
    for (const Node* node : cone_) {
      for (int k = 0; k < node->nin; ++k) {
        const Node* source = node->in[k].node.get();
        if (!source || plan_.is_fused(node->in[k]) || home_of(*source) != number) continue;
        if (plan_[*node].leaf) return false;  // by indices
        if (!space.reads_row(node->in[k], node->iteration_shape(), *source)) return false;
      }
    }
    return true;
  }

  /// Bits: a reduction goes through the space as it does alone. Speed: so do stores.
  static bool walks_alike(const Group& home, const Group& group) {
    const Node& first = *home.reductions[0];
    const WalkOrder order(first);
    for (const Node* node : group.reductions) {
      if (node->reduce->axes != first.reduce->axes || !(WalkOrder(*node) == order)) return false;
    }
    for (const Node* node : group.stores) {
      if (!WalkOrder(node->shape, node->strides).same_axes(order)) return false;
    }
    return true;
  }

  /// Does `cone_` read an array, or compute an element, that a stage of `home` does too? Otherwise nothing is saved.
  bool shares_reads(const Group& home) const {
    SmallVector<const Buffer*, 16> buffers;
    SmallVector<const Node*, 32> stack;
    const std::uint32_t mark = plan_.new_mark();
    for (const Node* node : cone_) {
      plan_[*node].mark = mark;
      for (int k = 0; k < node->nin; ++k) {
        if (const Buffer* buffer = node->in[k].buffer) buffers.push_back(buffer);
      }
    }
    std::sort(buffers.begin(), buffers.end());
    home.each_output([&](const Node* node) { stack.push_back(node); });
    const std::uint32_t seen = plan_.new_mark();
    while (!stack.empty()) {
      const Node& node = *stack.back();
      stack.pop_back();
      if (plan_[node].mark == mark) return true;
      if (plan_[node].mark == seen) continue;
      plan_[node].mark = seen;
      for (int k = 0; k < node.nin; ++k) {
        const Operand& operand = node.in[k];
        if (operand.buffer && std::binary_search(buffers.begin(), buffers.end(), operand.buffer)) return true;
        if (operand.node && plan_.is_fused(operand)) stack.push_back(operand.node.get());
      }
    }
    return false;
  }

  static void join(Group& home, Group&& group) {
    home.nodes += group.nodes;
    group.number = -1;
    home.later.push_back(group);
  }

  void renumber() {
    std::int32_t number = 0;
    for (Group& group : plan_.groups) {
      if (group.number < 0) continue;
      group.number = number++;
      for (Group& stage : group.later) stage.number = group.number;
      group.each_output([&](Node* node) { plan_[*node].group = group.number; });
    }
  }

  /// What only the kernel that computes it reads, and no array names, stays inside.
  void keep_inside() {
    find_users();
    for (Group& group : plan_.groups) {
      if (group.number < 0 || group.later.empty()) continue;
      drop_stores(group, group.number);
      for (Group& stage : group.later) drop_stores(stage, group.number);
      std::erase_if(group.later, [](const Group& stage) { return stage.outputs() == 0; });
    }
  }

  static constexpr std::int32_t kNobody = -1, kSeveral = -2;

  static void add_user(std::int32_t& user, std::int32_t other) {
    if (other == kNobody || user == other) return;
    user = user == kNobody ? other : kSeveral;
  }

  /// users_[node]: the one kernel that computes it, or kSeveral. One that is stored may be computed once more by an earlier kernel.
  void find_users() {
    users_.resize(plan_.nodes.size(), kNobody);
    for (std::size_t i = plan_.nodes.size(); i-- > 0;) {
      const Node& node = plan_.nodes[i];
      const Planned& here = plan_[node];
      std::int32_t& user = users_[i];
      if (here.stored) user = here.group;
      for (const Operand* r = node.readers; r; r = r->next) {
        if (!plan_.has(*r->owner)) {
          if (!here.stored) user = kSeveral;
          continue;
        }
        const std::int32_t reader = users_[r->owner->slot];
        if (!here.stored) {
          add_user(user, reader);
        } else if (r->identity && (reader == kSeveral || reader < here.group)) {
          user = kSeveral;
        }
      }
    }
  }

  bool is_inside(const Node& node, std::int32_t number) const {
    if (node.storage || plan_[node].root) return false;
    for (const Operand* r = node.readers; r; r = r->next) {
      if (!plan_.has(*r->owner) || users_[r->owner->slot] != number) return false;
    }
    return true;
  }

  void drop_stores(Group& group, std::int32_t number) {
    SmallVector<Node*, 4> left;
    for (Node* node : group.stores) {
      if (is_inside(*node, number)) {
        plan_[*node].stored = false;
      } else {
        left.push_back(node);
      }
    }
    group.stores = std::move(left);
    for (Node* node : group.reductions) plan_[*node].stored = !is_inside(*node, number);
  }

  Schedule& plan_;
  SmallVector<std::int32_t, 16> home_;  // of each group: the one that it has become a stage of, or itself
  SmallVector<Node*, 32> cone_;
  SmallVector<std::int32_t, 32> users_;
};

}  // namespace

bool RowSpace::is_row(const Dims& other) const {
  const bool keeps = other.size() == shape.size();
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool reduced = axes >> d & 1;
    if (reduced && !keeps) continue;
    if (at == other.size() || other[at++] != (reduced ? 1 : shape[d])) return false;
  }
  return at == other.size();
}

Dims RowSpace::lift(const Dims& strides, const Dims& from) const {
  if (from == shape) return strides;
  const bool keeps = from.size() == shape.size();
  Dims lifted;
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool reduced = axes >> d & 1;
    lifted.push_back(reduced ? 0 : strides[at]);
    at += !reduced || keeps;
  }
  return lifted;
}

bool RowSpace::reads_row(const Operand& operand, const Dims& owner, const Node& node) const {
  if (operand.offset != 0 || operand.type != node.type || !is_row(node.shape)) return false;
  if (!(owner == shape) && !is_row(owner)) return false;
  const Dims read = lift(operand.strides, owner), rows = lift(node.strides, node.shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1 && read[d] != (axes >> d & 1 ? 0 : rows[d])) return false;
  }
  return true;
}

void form_row_programs(Schedule& plan) { Former(plan).run(); }

}  // namespace cuprum
