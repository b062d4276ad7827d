// Arrays put together from nested lists of blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/array.h"

namespace cuprum::ops {

/// A block, or a list of blocks and lists.
struct Blocks {
  std::optional<Array> block;
  std::vector<Blocks> list;
};

/// The way to a list or a block through the lists around it, as Python writes it: "arrays[0][1]".
std::string block_name(const std::vector<std::size_t>& way);

/// The innermost lists are joined along the last axis, those around them along the one before, and so on. Every block is copied
/// once, to its place.
Array block(const Blocks& blocks);

}  // namespace cuprum::ops
