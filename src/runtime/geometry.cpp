#include "runtime/geometry.h"

#include "core/layout.h"

namespace cuprum {

namespace {

template <class F>
void for_each_strides(Kernel& kernel, F f) {
  for (Leaf& leaf : kernel.leaves) f(leaf.strides);
  for (Gathered& g : kernel.gathers) f(g.strides);
  for (Store& store : kernel.stores) f(store.strides);
  for (Reduction& reduction : kernel.reductions) {
    f(reduction.strides);
    f(reduction.arg_weights);
  }
}

// Keeps the dimensions listed in `keep`, in that order.
void take_dimensions(Dims& dims, const SmallVector<std::uint8_t, 8>& keep) {
  Dims taken;
  for (std::uint8_t d : keep) taken.push_back(dims[d]);
  dims = std::move(taken);
}

bool walks_through(const Dims& strides, const Dims& shape, std::size_t d) {
  return strides[d] == strides[d + 1] * shape[d + 1];
}

// Does the layout of the reduced operand alone make d and d + 1 one dimension?
bool logically_one(const Kernel& kernel, const Dims& order, std::size_t d) {
  if (kernel.reductions.empty()) return true;
  const bool reduced = kernel.reduced >> d & 1;
  if (reduced != (kernel.reduced >> (d + 1) & 1)) return false;
  if (reduced && is_arg(kernel.reductions[0].op) &&
      !walks_through(kernel.reductions[0].arg_weights, kernel.shape, d)) {
    return false;
  }
  return walks_through(order, kernel.shape, d);
}

bool physically_one(const Kernel& kernel, std::size_t d) {
  for (const Leaf& leaf : kernel.leaves) {
    if (!walks_through(leaf.strides, kernel.shape, d)) return false;
  }
  for (const Gathered& g : kernel.gathers) {
    if (!walks_through(g.strides, kernel.shape, d)) return false;
  }
  for (const Store& store : kernel.stores) {
    if (!walks_through(store.strides, kernel.shape, d)) return false;
  }
  for (const Reduction& r : kernel.reductions) {
    if (!(kernel.reduced >> d & 1) && !walks_through(r.strides, kernel.shape, d)) return false;
  }
  return true;
}

void remove_bit(std::uint64_t& mask, std::size_t d) {
  const std::uint64_t low = mask & ((std::uint64_t{1} << d) - 1);
  mask = low | ((mask >> (d + 1)) << d);
}

// Dimension d disappears into d + 1, which keeps its stride.
void merge_into_next(Kernel& kernel, Dims& order, std::size_t d) {
  kernel.shape[d + 1] *= kernel.shape[d];
  kernel.shape.erase(d);
  order.erase(d);
  for_each_strides(kernel, [&](Dims& strides) { strides.erase(d); });
  remove_bit(kernel.reduced, d);
}

}  // namespace

void simplify_geometry(Kernel& kernel, const Dims& order_strides) {
  const std::size_t ndim = kernel.shape.size();
  if (ndim <= 1 && (ndim == 0 || kernel.shape[0] != 1)) return;
  Dims order = order_strides;
  const Dims* votes[] = {&order};
  SmallVector<std::uint8_t, 8> keep;
  bool in_place = true;  // nothing to drop, nothing to reorder
  for (std::uint8_t d : axis_order(kernel.shape, votes)) {
    if (kernel.shape[d] == 1) continue;
    in_place &= d == keep.size();
    keep.push_back(d);
  }
  if (!in_place || keep.size() != ndim) {
    std::uint64_t reduced = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) reduced |= (kernel.reduced >> keep[i] & 1) << i;
    kernel.reduced = reduced;
    take_dimensions(kernel.shape, keep);
    take_dimensions(order, keep);
    for_each_strides(kernel, [&](Dims& strides) { take_dimensions(strides, keep); });
  }
  kernel.merged = 0;
  for (std::size_t d = kernel.shape.size(); d-- > 1;) {
    if (!logically_one(kernel, order, d - 1)) continue;
    if (physically_one(kernel, d - 1)) {
      const std::uint64_t above = kernel.merged >> d << d;
      merge_into_next(kernel, order, d - 1);
      kernel.merged = above >> 1;
    } else if (!kernel.reductions.empty()) {
      kernel.merged |= std::uint64_t{1} << (d - 1);
    }
  }
}

}  // namespace cuprum
