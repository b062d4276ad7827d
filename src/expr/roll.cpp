#include "expr/roll.h"

#include <algorithm>

#include "runtime/geometry.h"
#include "runtime/lock.h"
#include "runtime/recording_lock.h"

namespace cuprum {

namespace {

void move(Place& place, const Dims& strides, const Dims& coords) {
  for (std::size_t d = 0; d < coords.size(); ++d) place += coords[d] * strides[d];
}

/// A kernel that stores a roll of `from`, both of the kernel's shape.
void make_copy(const Leaf& from, const Dims& shape, const Place& to, const Dims& strides, Kernel& kernel) {
  clear(kernel);
  kernel.shape = shape;
  kernel.leaves.push_back(from);
  kernel.stores.push_back({to, from.type, strides, 0});
}

}  // namespace

void Blocks::cut(const Dims& shifts) {
  for (std::size_t d = 0; d < shifts.size(); ++d) {
    Dims& begins = begins_[d];
    const std::int64_t* const at = std::lower_bound(begins.begin(), begins.end(), shifts[d]);
    if (at == begins.end() || *at != shifts[d])
      begins.insert(static_cast<std::size_t>(at - begins.begin()), shifts[d]);
  }
}

std::size_t Blocks::count() const {
  std::size_t n = 1;
  for (const Dims& begins : begins_) n *= begins.size();
  return n;
}

void Blocks::take(std::size_t number, const Kernel& whole, std::span<const Rolled> rolls, const Dims& order,
                  Kernel& block) const {
  block = whole;
  Dims begin(shape_.size());
  for (std::size_t d = shape_.size(); d-- > 0;) {
    const Dims& begins = begins_[d];
    const std::size_t i = number % begins.size();
    number /= begins.size();
    begin[d] = begins[i];
    block.shape[d] = (i + 1 < begins.size() ? begins[i + 1] : shape_[d]) - begin[d];
  }
  for (Store& store : block.stores) move(store.data, store.strides, begin);
  for (Leaf& leaf : block.leaves) move(leaf.data, leaf.strides, begin);
  for (const Rolled& roll : rolls) {
    Dims back(shape_.size());
    for (std::size_t d = 0; d < shape_.size(); ++d)
      back[d] = (begin[d] < roll.shifts[d] ? shape_[d] : 0) - roll.shifts[d];
    move(block.leaves[roll.leaf].data, block.leaves[roll.leaf].strides, back);
  }
  simplify_geometry(block, order);
}

std::size_t own_blocks(const Node& roll) {
  Blocks blocks(roll.shape);
  blocks.cut(roll.call->shifts);
  return blocks.count();
}

Blocks blocks_of(const Kernel& kernel, std::span<const Rolled> rolls) {
  Blocks blocks(kernel.shape);
  for (const Rolled& roll : rolls) blocks.cut(roll.shifts);
  return blocks;
}

std::optional<Array> roll_now(const Array& a, const Dims& shifts, const Dims& strides) {
  if (!is_few(a.nbytes())) return std::nullopt;
  const EngineLock lock;
  const std::optional<View> from = view_now(a);
  if (!from) return std::nullopt;
  count_recorded();
  Array result = make_array(a.backend(), a.type(), a.shape(), strides);
  Stream& stream = current_stream(a.backend());
  const Lease<BlockKernel> whole, block;
  make_copy({from->data, a.type(), a.strides()}, a.shape(), {result.storage()->buffer.get(), 0}, strides,
            *whole);
  const Rolled roll{0, shifts};
  const Blocks blocks = blocks_of(*whole, {&roll, 1});
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    blocks.take(i, *whole, {&roll, 1}, strides, *block);
    stream.device.run(stream, *block);
  }
  return result;
}

void run_roll(Node& node, Flight& flight, bool last) {
  const Operand& from = node.in[0];
  Ref<Buffer> buffer = node.backend().allocate(*node.stream, node.nbytes());
  const Lease<BlockKernel> lease;
  make_copy({{from.buffer, from.offset}, from.type, from.strides}, node.shape, {buffer.get(), 0},
            node.strides, *lease);
  const Rolled roll{0, node.call->shifts};
  run_blocks(*node.stream, *lease, {&roll, 1}, node.strides, flight, [&] {
    settle(node, buffer);
    if (last) flight.land();
  });
}

}  // namespace cuprum
