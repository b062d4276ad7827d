// Calls that are leaves: `table[idx] * w` is one kernel, which reads the table through the indices itself, and so is
// `rng.random(n) < p`, which draws the numbers; `roll(a, 1) + a` is two, which read both where they lie (expr/roll.h).
//
// A recorded gather, or draw of numbers that know their places, becomes a leaf where nothing is lost by it: no array names its result,
// its device fuses it (Backend::fuses), and one stage of one kernel reads it, no element twice; of a gather, every element. Otherwise
// it stays a call, whose result lies in memory: what several kernels or stages read, or some of it often; and what a call is faster
// at: rows that are long or lie across the table, numbers that are read across the order in which they are drawn. A roll is a leaf
// of kernels without reductions whose blocks are not too many.
#pragma once

#include "expr/schedule.h"

namespace cuprum {

/// Marks the calls that may be leaves, before anything is planned. False: there are none.
bool find_leaves(Schedule& plan);

/// Looks at what was planned. True: all leaves may stay; else those that may not are calls again, and a new plan is to be made.
bool keep_leaves(Schedule& plan);

/// How a gather lies over the space of its reader.
struct GatherStrides {
  Dims table, index;
};

/// What a gather reads its indices from: its operand, or what that was converted from.
const Operand& index_of(const Schedule& plan, const Node& gather);

/// Of a gather by `index` that is read by `operand`, whose owner has this shape.
GatherStrides gather_strides(const Node& gather, const Operand& index, const Operand& operand,
                             const Dims& owner);

}  // namespace cuprum
