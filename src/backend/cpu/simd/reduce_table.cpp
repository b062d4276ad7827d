// Gathers the loops of all reductions into the table of this instruction-set level.
#include "backend/cpu/simd/reduce_lanes.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

ReduceTable make_table() {
  ReduceTable table = {};
  add_fold_reductions(table);
  add_arg_reductions(table);
  add_variance_reductions(table);
  return table;
}

}  // namespace

const ReduceTable& reduce_table() {
  static const ReduceTable table = make_table();
  return table;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
