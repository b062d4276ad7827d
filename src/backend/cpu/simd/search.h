// Binary search of many values in one sorted row.
#pragma once

#include <stdint.h>

#include "backend/cpu/dispatch.h"
#include "cuprum/dtype.h"

namespace cuprum {

inline constexpr int kSearchBlock = 1024;  // values of one call

/// Cells of equal width from the first number of a sorted row to its last, and how many elements lie in the cells
/// before each: a value's place is known from its cell, but for the elements in that cell. A value is in cell
/// (value - first) * scale. However that is rounded, it never falls as the value rises, so an element of an earlier cell
/// is less than the value, and one of a later cell is greater.
struct Cells {
  int64_t count = 0;  // 0: there are none
  int64_t most = 0;   // elements in one cell
  double first = 0, scale = 0;
  const int32_t* before = nullptr;
};

/// In the order of sorting, contiguous.
struct SortedRow {
  dtype type;
  const void* data;
  int64_t n;
  Cells cells = {};
};

/// Makes `count` cells, in memory for as many numbers, if they save steps of a search: the elements are real and spread
/// well enough.
CUPRUM_DECLARE_FOR_LEVELS(Cells make_cells(const SortedRow& row, int64_t count, int32_t* before))

/// out[i] = number of elements of the row that come before values[i]; `right`: do not come behind it. The values are
/// contiguous; count <= kSearchBlock.
CUPRUM_DECLARE_FOR_LEVELS(void search_values(const SortedRow& row, const void* values, int count, bool right,
                                             int64_t* out))

/// out[i] = does the row hold an element that equals values[i]?
CUPRUM_DECLARE_FOR_LEVELS(void find_values(const SortedRow& row, const void* values, int count, uint8_t* out))

/// out[i] = the place of values[i] as in search_values from the right; of what equals the last of n > 0 elements, the one
/// before that.
CUPRUM_DECLARE_FOR_LEVELS(void find_intervals(const SortedRow& row, const void* values, int count,
                                              int64_t* out))

}  // namespace cuprum
