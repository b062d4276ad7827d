// Gathers that are leaves: `table[idx] * w` is one kernel, which reads the table through the indices itself.
//
// A recorded gather becomes a leaf where nothing is lost by it: no array names its result, its device fuses it (Backend::fuses),
// and one kernel of one stage reads it, every element once. Otherwise it stays a call, whose result lies in memory: what several
// kernels or stages read, or some elements only, or some of them often; and what a call is
// faster at: rows that are long or lie across the table.
#pragma once

#include "expr/schedule.h"

namespace cuprum {

/// Marks the gathers that may be leaves, before anything is planned. False: there are none.
bool find_leaves(Schedule& plan);

/// Looks at what was planned. True: all leaves may stay; else those that may not are calls again, and a new plan is to be made.
bool keep_leaves(Schedule& plan);

/// How a leaf lies over the space of its reader.
struct LeafStrides {
  Dims table, index;
};

/// Of a gather that is read by `operand`, whose owner has this shape.
LeafStrides leaf_strides(const Node& gather, const Operand& operand, const Dims& owner);

}  // namespace cuprum
