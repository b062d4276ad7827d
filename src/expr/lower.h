// From a group of nodes to the flat program that a backend runs (runtime/program.h): registers are numbered,
// equal subexpressions, leaves and scalars are merged, dimensions are ordered, dropped and merged.
#pragma once

#include <vector>

#include "expr/schedule.h"
#include "runtime/program.h"

namespace cuprum {

/// A leaf that is read round (expr/roll.h): at coordinates k its element is the one at (k[d] - shifts[d]) mod shape[d];
/// 0 <= shift < extent.
struct Rolled {
  std::uint16_t leaf;
  Dims shifts;
};

/// Where an output goes: the memory of a stored node, or the view that an assignment writes.
struct Destination {
  Place data;
  Dims strides;
  bool may_overlap = false;  // with what the kernel reads (Store::may_overlap)
};

/// Empties a kernel, whose memory is used again.
void clear(Kernel& kernel);

/// Lowers all stages of `group` into `kernel`, which is cleared first. `outputs` say where the outputs go, in the order of
/// Group::each_output; those of reductions that stay inside the kernel have no memory. Nodes of groups with smaller numbers
/// are read from `Planned::home`. `rolls`: the leaves that are read round. Where there are any, the kernel's dimensions are those of
/// the program, for it to be cut.
void lower(Schedule& plan, const Group& group, std::span<const Destination> outputs, Kernel& kernel,
           std::vector<Rolled>& rolls);

/// A group of one elementwise node whose operands are all in memory: the quick way for small eager steps. `kernel` is new, or what
/// this function has made of it before.
void lower_single(const Node& node, const Destination& store, Kernel& kernel);

}  // namespace cuprum
