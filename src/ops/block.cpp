#include "ops/block.h"

#include <algorithm>
#include <string>

#include "core/promotion.h"
#include "ops/assign.h"
#include "ops/creation.h"

namespace cuprum::ops {

namespace {

/// How deep the blocks lie, which must be the same for all; `way` leads to this list.
std::size_t depth_of(const Blocks& blocks, std::vector<std::size_t>& way) {
  if (blocks.block) return way.size();
  if (blocks.list.empty()) throw ValueError("cuprum.block: List at " + block_name(way) + " cannot be empty");
  std::size_t first = 0;
  for (std::size_t i = 0; i < blocks.list.size(); ++i) {
    way.push_back(i);
    const std::size_t depth = depth_of(blocks.list[i], way);
    if (i == 0) first = depth;
    if (depth != first) {
      throw ValueError("cuprum.block: List depths are mismatched. First element was at depth " +
                       std::to_string(first) + ", but there is an element at depth " + std::to_string(depth) +
                       " (" + block_name(way) + ")");
    }
    way.pop_back();
  }
  return first;
}

void collect(const Blocks& blocks, std::vector<const Array*>& leaves) {
  if (blocks.block) leaves.push_back(&*blocks.block);
  for (const Blocks& part : blocks.list) collect(part, leaves);
}

/// The shape of some blocks together, and where each of them begins.
struct Layout {
  Dims shape;
  std::vector<Dims> places;
};

/// "(2, *, 3)": what blocks that are joined along an axis have in common.
std::string others_text(const Dims& shape, std::size_t axis) {
  std::string text = "(";
  for (std::size_t d = 0; d < shape.size(); ++d)
    text += (d == 0 ? "" : ", ") + (d == axis ? std::string("'*'") : std::to_string(shape[d]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool agree_but_for(std::size_t axis, Dims a, const Dims& b) {
  a[axis] = b[axis];
  return a == b;
}

Layout layout_of(const Blocks& blocks, std::size_t axis, std::size_t ndim) {
  if (blocks.block) {
    Dims shape(ndim - blocks.block->shape().size(), 1);
    for (std::int64_t n : blocks.block->shape()) shape.push_back(n);
    return {shape, {Dims(ndim, 0)}};
  }
  Layout together;
  for (const Blocks& part : blocks.list) {
    Layout next = layout_of(part, axis + 1, ndim);
    const bool is_first = together.places.empty();
    if (!is_first && !agree_but_for(axis, next.shape, together.shape)) {
      throw ValueError("cuprum.block: Mismatched array shapes in block along axis " + std::to_string(axis) +
                       ": a block has the shape " + to_string(next.shape) + ", those before it are " +
                       others_text(together.shape, axis));
    }
    const std::int64_t length = is_first ? 0 : together.shape[axis];
    for (Dims& place : next.places) place[axis] += length;
    together.places.insert(together.places.end(), next.places.begin(), next.places.end());
    next.shape[axis] += length;
    together.shape = next.shape;
  }
  return together;
}

bool lies_in_fortran_order(const Array* a) { return a->f_contiguous() && !a->c_contiguous(); }

}  // namespace

std::string block_name(const std::vector<std::size_t>& way) {
  std::string name = "arrays";
  for (std::size_t i : way) name += "[" + std::to_string(i) + "]";
  return name;
}

Array block(const Blocks& blocks) {
  std::vector<std::size_t> way;
  const std::size_t depth = depth_of(blocks, way);
  std::vector<const Array*> leaves;
  collect(blocks, leaves);
  std::size_t ndim = depth;
  std::vector<OperandType> types;
  for (const Array* a : leaves) {
    ndim = std::max(ndim, a->shape().size());
    types.push_back({a->type()});
  }
  const Layout layout = layout_of(blocks, ndim - depth, ndim);
  const char order = std::all_of(leaves.begin(), leaves.end(), lies_in_fortran_order) ? 'F' : 'C';
  const Array result = empty(layout.shape, result_type(types), order, leaves[0]->backend());
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i]->size() == 0) continue;
    Dims shape(ndim - leaves[i]->shape().size(), 1);
    for (std::int64_t n : leaves[i]->shape()) shape.push_back(n);
    std::int64_t offset = result.offset();
    for (std::size_t d = 0; d < ndim; ++d) offset += layout.places[i][d] * result.strides()[d];
    assign_value("block", result.view(shape, result.strides(), offset), *leaves[i]);
  }
  return result;
}

}  // namespace cuprum::ops
