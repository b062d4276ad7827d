#include "codegen/arguments.h"

#include <cstring>

#include "codegen/divisor.h"

namespace cuprum::cuda {

namespace {

template <class Index>
void add_space(const Plan& plan, const Workspace& workspace, ArgumentBuffer& buffer) {
  const auto index = [](std::int64_t value) { return static_cast<Index>(value); };
  if (plan.form == Form::elementwise) {
    device::ElementwiseSpace<Index> space{};
    space.inner = index(plan.row);
    space.items = index(plan.row_items * plan.rows);
    space.per_row = make_divisor<Index>(plan.row_items);
    return buffer.add(space);
  }
  if (plan.form == Form::tiles) {
    device::TileSpace<Index> space{};
    space.inner = index(plan.row);
    space.major = index(plan.rows);
    space.tiles = index(plan.tiles);
    space.per_row = make_divisor<Index>((plan.row + device::kTile - 1) / device::kTile);
    space.per_column = make_divisor<Index>(plan.strips);
    space.shift = plan.strip_shift;
    return buffer.add(space);
  }
  const ReduceShape& s = plan.shape;
  if (is_row_program(plan.form)) {
    device::RowSpace<Index> space{};
    space.inner = index(s.inner);
    space.items = index(s.items);
    space.rows = index(s.results);
    space.part = index(s.part);
    space.per_row = make_divisor<Index>(s.row_items);
    space.count = s.count;
    space.shift = s.shift;
    space.splits = s.splits;
    space.chunks = plan.chunks;
    space.cluster = plan.cluster;
    space.saved = static_cast<int>(plan.saved);
    return buffer.add(space);
  }
  device::ReduceSpace<Index> space{};
  space.inner = index(s.inner);
  space.items = index(s.items);
  space.major = index(s.major);
  space.results = index(s.results);
  space.part = index(s.part);
  space.per_row = make_divisor<Index>(s.row_items);
  space.count = s.count;
  space.shift = s.shift;
  space.splits = s.splits;
  space.partials = workspace.partials;
  space.tickets = workspace.tickets;
  buffer.add(space);
}

device::Gather gather_of(const Gathered& g, device::FaultRecord* told) {
  return {g.extent,
          g.step,
          told,
          told ? told->claimed : nullptr,
          g.site.function,
          static_cast<int>(g.site.axis_of(0)),
          0};
}

template <class Index>
void pack(const Kernel& kernel, const Plan& plan, const Workspace& workspace, ArgumentBuffer& buffer) {
  add_space<Index>(plan, workspace, buffer);
  each_divisor(plan, [&](Digits, std::uint8_t d) { buffer.add(make_divisor<Index>(kernel.shape[d])); });
  each_stride(kernel, plan, [&](StrideOf, std::size_t, std::uint8_t, std::int64_t value) {
    buffer.add(static_cast<Index>(value));
  });
  for (const Leaf& leaf : kernel.leaves) buffer.add(leaf.data.address());
  if (plan.stores) {
    for (const Store& store : kernel.stores) buffer.add(store.data.address());
  }
  for (std::uint8_t r : plan.reductions) buffer.add(kernel.reductions[r].data.address());
  for (const Gathered& g : kernel.gathers) buffer.add(g.index.data.address());
  for (std::size_t g = 0; g < kernel.gathers.size(); ++g) {
    buffer.add(gather_of(kernel.gathers[g], g < workspace.told.size() ? workspace.told[g] : nullptr));
  }
  for (const Drawn& d : kernel.draws) {
    add_draw(d.draw, kernel.leaves[d.leaf].type, step_of_thread(kernel, plan, d.leaf), workspace.log1p,
             buffer);
  }
  for (std::uint8_t r : plan.reductions) {
    if (kernel.reductions[r].op == ReduceOp::var) buffer.add(kernel.reductions[r].ddof);
  }
  for (const Scalar& scalar : kernel.scalars) {
    buffer.add(scalar.bytes, itemsize(scalar.type), alignment_of(scalar.type));
  }
}

}  // namespace

void ArgumentBuffer::add(const void* value, std::size_t size, std::size_t alignment) {
  const std::size_t at = (size_ + alignment - 1) / alignment * alignment;
  if (at + size > kCapacity) {
    throw Error(
        "cuprum: a fused kernel has more operands than a kernel can take (32764 bytes of addresses and "
        "strides); "
        "call cp.evaluate(...) on an intermediate array, or set CUPRUM_MAX_NODES=64");
  }
  std::memcpy(bytes_ + at, value, size);
  size_ = at + size;
}

void pack_arguments(const Kernel& kernel, const Plan& plan, const Workspace& workspace,
                    ArgumentBuffer& buffer) {
  buffer.clear();
  if (plan.wide) {
    pack<device::int64>(kernel, plan, workspace, buffer);
  } else {
    pack<int>(kernel, plan, workspace, buffer);
  }
}

}  // namespace cuprum::cuda
