// Leaves of a kernel that are drawn (Drawn in runtime/program.h): a run of neighbours in the call's numbers becomes a run of a register.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuprum::cpu {

class PlacedLaw;

/// The numbers of a call from the one on that is meant, with the leaf's strides over the kernel, in bytes of the array that the numbers
/// would make.
struct DrawSource {
  const PlacedLaw* law;
  std::int64_t first;  // in bytes too
  const std::int64_t* strides;
  int itemsize;

  /// The same at other coordinates, as far as the first `dims` dimensions go.
  DrawSource at(const std::int64_t* coords, std::size_t dims) const;
  /// Elements [0, rows) along dimension `row` times [0, cols) along dimension `col`, to contiguous memory. A dimension -1 has one.
  void tile(int row, std::int64_t rows, int col, std::int64_t cols, std::byte* to) const;
};

}  // namespace cuprum::cpu
