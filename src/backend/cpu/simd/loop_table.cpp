// Gathers the loops of all families into the table of this instruction-set level.
#include "backend/cpu/simd/loop_of.h"

namespace cuprum::CUPRUM_SIMD_LEVEL {

namespace {

LoopTable make_table() {
  LoopTable table = {};
  add_arithmetic_loops(table);
  add_comparison_loops(table);
  add_logical_loops(table);
  add_bitwise_loops(table);
  add_rounding_loops(table);
  add_exponential_loops(table);
  add_trigonometric_loops(table);
  add_floating_loops(table);
  add_complex_loops(table);
  add_internal_loops(table);
  add_cast_loops(table);
  use_vector_functions(table);
  use_vector_division(table);
  use_staged_loops(table);
  return table;
}

}  // namespace

const LoopTable& loop_table() {
  static const LoopTable table = make_table();
  return table;
}

}  // namespace cuprum::CUPRUM_SIMD_LEVEL
