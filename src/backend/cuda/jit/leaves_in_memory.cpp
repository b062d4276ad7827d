#include "jit/leaves_in_memory.h"

#include <algorithm>

#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda {

namespace {

/// Row-major over the dimensions in which elements differ.
Dims strides_of(const Kernel& kernel, const Gathered& g) {
  const Leaf& table = kernel.leaves[g.leaf];
  Dims strides(kernel.shape.size(), 0);
  auto next = static_cast<std::int64_t>(itemsize(table.type));
  for (std::size_t d = kernel.shape.size(); d-- > 0;) {
    if (table.strides[d] == 0 && g.strides[d] == 0) continue;
    strides[d] = next;
    next *= kernel.shape[d];
  }
  return strides;
}

/// The indices as a Gather takes them.
View as_int64(Context& context, const View& index, std::vector<Scratch>& memory) {
  if (index.type == dtype::int64) return index;
  const View wide = primitives::dense_view(
      memory.emplace_back(context, bytes_of(index.shape, dtype::int64)).get(), dtype::int64, index.shape);
  Kernel convert;
  convert.shape = index.shape;
  convert.leaves.push_back({index.data, index.type, index.strides});
  convert.code.push_back({Op::cast, index.type, dtype::int64, 1, {0}});
  convert.stores.push_back({wide.data, wide.type, wide.strides, 1});
  run(context, convert);
  return wide;
}

void append(View& view, std::int64_t extent, std::int64_t stride) {
  view.shape.push_back(extent);
  view.strides.push_back(stride);
}

}  // namespace

Kernel with_plain_leaves(const Kernel& kernel) {
  Kernel plain = kernel;
  for (const Gathered& g : kernel.gathers) plain.leaves[g.leaf].strides = strides_of(kernel, g);
  plain.gathers.clear();
  plain.draws.clear();
  return plain;
}

LeavesInMemory::LeavesInMemory(Context& context, const Kernel& kernel)
    : context_(context), plain_(with_plain_leaves(kernel)) {
  for (const Gathered& g : kernel.gathers) gather(g, kernel.leaves[g.leaf]);
  for (const Drawn& d : kernel.draws) draw(d);
}

/// A Gather's result has the dimensions of the indices, then those of a row.
void LeavesInMemory::gather(const Gathered& g, const Leaf& table) {
  Leaf& leaf = plain_.leaves[g.leaf];
  std::size_t nbytes = itemsize(leaf.type);
  View from{table.data, table.type, {g.extent}, {g.step}, {}};
  View index{g.index.data, g.index.type, {}, {}, {}}, to{{}, leaf.type, {}, {}, {}};
  for (std::size_t d = 0; d < plain_.shape.size(); ++d) {
    if (g.strides[d] == 0) continue;
    append(index, plain_.shape[d], g.strides[d]);
    append(to, plain_.shape[d], leaf.strides[d]);
  }
  if (index.shape.empty()) {
    append(index, 1, 0);
    append(to, 1, 0);
  }
  for (std::size_t d = 0; d < plain_.shape.size(); ++d) {
    if (leaf.strides[d] != 0) nbytes *= static_cast<std::size_t>(plain_.shape[d]);
    if (g.strides[d] != 0 || table.strides[d] == 0) continue;
    append(from, plain_.shape[d], table.strides[d]);
    append(to, plain_.shape[d], leaf.strides[d]);
  }
  leaf.data = to.data = take(nbytes);
  const View in[] = {from, as_int64(context_, index, memory_)};
  const Gather gather{g.site, g.checked};
  const Fault fault = call(context_, gather, in, to);
  if (fault.axis >= 0) throw_late_fault({Primitive(gather), in, {&to, 1}}, fault);
}

/// All numbers of the call up to the last that is read.
void LeavesInMemory::draw(const Drawn& d) {
  Leaf& leaf = plain_.leaves[d.leaf];
  const auto size = static_cast<std::int64_t>(itemsize(leaf.type));
  const std::int64_t first = leaf.data.address() - static_cast<std::byte*>(nullptr);
  std::int64_t last = first;
  for (std::size_t k = 0; k < plain_.shape.size(); ++k)
    last += std::max<std::int64_t>(0, (plain_.shape[k] - 1) * leaf.strides[k]);
  std::byte* const data = take(static_cast<std::size_t>(last + size));
  const View numbers = primitives::dense_view(data, leaf.type, {last / size + 1});
  call(context_, d.draw, {}, {&numbers, 1});
  leaf.data = data + first;
}

}  // namespace cuprum::cuda
