#include "codegen/structure.h"

#include "codegen/draws.h"
#include "codegen/row_plan.h"

namespace cuprum::cuda {

namespace {

bool same_alignment(const std::byte* a, const std::byte* b) {
  return ((reinterpret_cast<std::uintptr_t>(a) ^ reinterpret_cast<std::uintptr_t>(b)) & 15) == 0;
}

bool same(const Leaf& a, const Leaf& b) {
  return a.type == b.type && same_alignment(a.data, b.data) && a.strides == b.strides;
}

/// Of the table's stride only the alignment counts.
bool same(const Gathered& a, const Gathered& b) {
  return a.leaf == b.leaf && a.index.type == b.index.type && same_alignment(a.index.data, b.index.data) &&
         a.strides == b.strides && ((a.step ^ b.step) & 15) == 0;
}

bool same_draws(const Kernel& a, const Kernel& b) {
  if (a.draws.size() != b.draws.size()) return false;
  for (std::size_t i = 0; i < a.draws.size(); ++i) {
    const Drawn &x = a.draws[i], &y = b.draws[i];
    if (x.leaf != y.leaf ||
        draw_structure(x.draw, a.leaves[x.leaf].type) != draw_structure(y.draw, b.leaves[y.leaf].type))
      return false;
  }
  return true;
}

bool same(const Scalar& a, const Scalar& b) { return a.type == b.type; }

bool same(const Instr& a, const Instr& b) {
  if (a.op != b.op || a.key != b.key || a.out != b.out || a.nsrc != b.nsrc) return false;
  for (int k = 0; k < a.nsrc; ++k) {
    if (a.src[k] != b.src[k]) return false;
  }
  return true;
}

bool same(const Store& a, const Store& b) {
  return a.type == b.type && a.src == b.src && a.row == b.row && same_alignment(a.data, b.data) &&
         a.strides == b.strides;
}

bool same(const Reduction& a, const Reduction& b) {
  return a.op == b.op && a.fold == b.fold && a.type == b.type && a.out == b.out && a.src == b.src &&
         !a.data == !b.data && a.strides == b.strides && a.arg_weights == b.arg_weights;
}

bool same(const Stage& a, const Stage& b) {
  return a.code == b.code && a.stores == b.stores && a.reductions == b.reductions;
}

template <class T>
bool same_all(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

bool same_structure(const Kernel& a, const Kernel& b) {
  return a.shape == b.shape && a.reduced == b.reduced && a.merged == b.merged && same_all(a.code, b.code) &&
         same_all(a.leaves, b.leaves) && same_all(a.gathers, b.gathers) && same_draws(a, b) &&
         same_all(a.scalars, b.scalars) && same_all(a.stores, b.stores) &&
         same_all(a.reductions, b.reductions) && same_all(a.stages, b.stages) &&
         is_interleaved(a) == is_interleaved(b) && overwrites_row_leaf(a) == overwrites_row_leaf(b);
}

std::uint64_t structure_hash(const Kernel& kernel) {
  std::uint64_t h = kernel.leaves.size() * 31 + kernel.stores.size() + (kernel.reduced << 8);
  const auto mix = [&](std::uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  for (const std::int64_t extent : kernel.shape) mix(static_cast<std::uint64_t>(extent));
  for (const Instr& i : kernel.code) {
    mix(static_cast<std::uint64_t>(i.op) | static_cast<std::uint64_t>(i.key) << 16 |
        static_cast<std::uint64_t>(i.out) << 24);
  }
  for (const Leaf& leaf : kernel.leaves) {
    mix(static_cast<std::uint64_t>(leaf.type) |
        static_cast<std::uint64_t>(leaf.strides.empty() ? 0 : leaf.strides.back()) << 8);
  }
  for (const Reduction& r : kernel.reductions) {
    mix(static_cast<std::uint64_t>(r.op) | static_cast<std::uint64_t>(r.type) << 8);
  }
  return h;
}

}  // namespace cuprum::cuda
