// Kernels of several stages (runtime/program.h), and the same work as kernels of one stage each.
//
// A row is what one result of the reductions is computed from: the elements that agree in the kept dimensions. Stages depend
// on each other within a row alone, so a backend may take some rows through all stages before it turns to the next, and keep
// what crosses a stage near itself. Or it runs the kernels of `split` in order over the whole space, which is always right and
// gives the same bits: an element's value depends on nothing but its operands, and a reduction folds in the order that it
// has alone.
#pragma once

#include <vector>

#include "runtime/program.h"

namespace cuprum {

/// Which registers are row values: results of reductions, scalars, leaves that are broadcast along all reduced dimensions, and
/// what is computed from row values alone. Indexed by register.
std::vector<bool> row_values(const Kernel& kernel);

/// The dtype of a register.
dtype register_type(const Kernel& kernel, std::uint16_t reg);

/// Values that cross from one kernel of a split to a later one through memory that nobody else sees: one for every element of
/// the space, or one for every row, in row-major order.
struct Crossing {
  dtype type;
  bool row;
  std::size_t bytes;
};

/// One kernel's use of a crossing: one of its leaves, stores or reductions.
struct CrossingUse {
  enum class Kind : std::uint8_t { leaf, store, reduction };
  std::uint16_t crossing;
  std::uint16_t kernel;
  Kind kind;
  std::uint16_t index;
};

/// A kernel as kernels of one stage, to be run in order once every crossing has memory.
struct Split {
  std::vector<Kernel> kernels;
  std::vector<Crossing> crossings;
  std::vector<CrossingUse> uses;

  /// Gives a crossing its memory.
  void place(std::size_t crossing, Place data);
};

/// Kernels over the whole space, with the reduced dimensions of `kernel`, fold and compute elements; those over the kept dimensions
/// alone compute row values. An element value of an earlier stage is computed again where that costs at most `recompute` (a
/// transcendental function counts 8, everything else 1), else it crosses.
Split split(const Kernel& kernel, std::uint32_t recompute = 16);

}  // namespace cuprum
