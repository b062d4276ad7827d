// What a thread of a row program does when, and what it keeps: the leaves of its elements, from the stage that first needs
// them, and results that are dear to compute. Everything else is computed again where it is needed: a difference
// costs less than the register that would hold it.
#pragma once

#include <vector>

#include "runtime/stages.h"

namespace cuprum::cuda {

struct RowStages {
  using List = std::vector<std::size_t>;

  explicit RowStages(const Kernel& kernel);

  std::size_t count = 0;             // stages that reduce; behind the last, elements are stored
  List first;                        // per stage: its first reduction; then their number
  std::vector<bool> row;             // per register: a row value
  std::vector<List> code;            // per stage: instructions on elements
  std::vector<List> row_code;        // before the first stage, then after each: instructions on row values
  std::vector<List> loads;           // per stage: leaves that it reads
  std::vector<std::size_t> kept_in;  // per instruction: the stage that keeps it, or kNever
  std::vector<List> live;            // per stage: registers of elements that it leaves to later ones
  std::size_t kept_bytes = 0;  // of an element, where most is kept; a small dtype takes a register as well

  static constexpr std::size_t kNever = ~std::size_t{0};
};

}  // namespace cuprum::cuda
