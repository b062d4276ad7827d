// Index arrays as kernels read them: a position of the index arrays names an element of the indexed array.
//
// Two views meet: the *array*, whose first dimensions are indexed, and the *line*, which has the shape of the index arrays
// followed by that of the rest (a row). Rows are moved in words as wide as the alignment of everything allows.
#pragma once

#include <vector>

#include "backend/cuda/primitives/common/faults.h"
#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/views.h"

namespace cuprum::cuda::primitives {

inline constexpr int kIndexArrays = 4;  // more are combined into one first

/// One index array and the dimension that it indexes.
struct IndexArray {
  const char* data = nullptr;
  std::int64_t extent = 0;
  std::int64_t stride = 0;  // bytes of the array from index to index
  std::int32_t axis = 0;
};

/// What a position names: its place in the array, or nothing.
struct Place {
  std::int64_t offset;  // bytes
  std::int64_t number;  // in C order of the indexed dimensions; -1: an index is out of bounds
};

struct Indices {
  int count = 0;
  IndexArray index[kIndexArrays];
  const char* function = nullptr;
  FaultRecord* fault = nullptr;
  unsigned* claimed = nullptr;

#if defined(__CUDACC__)
  /// An index array holds what is no index.
  __device__ void report(int k, std::int64_t given) const {
    if (atomicExch(claimed, 1u) == 0u) fault->write(function, index[k].axis, index[k].extent, given);
  }
  /// `at`: byte offsets into the index arrays.
  __device__ Place locate(const std::int64_t* at) const {
    Place place{0, 0};
    bool inside = true;
#pragma unroll
    for (int k = 0; k < kIndexArrays; ++k) {
      if (k >= count) break;
      const std::int64_t given = __ldg(reinterpret_cast<const long long*>(index[k].data + at[k]));
      const std::int64_t i = given < 0 ? given + index[k].extent : given;
      if (static_cast<std::uint64_t>(i) >= static_cast<std::uint64_t>(index[k].extent)) {
        report(k, given);
        inside = false;
      }
      place.offset += i * index[k].stride;
      place.number = place.number * index[k].extent + i;
    }
    return inside ? place : Place{0, -1};
  }
#endif
};

/// All that a kernel over (position, word of a row) is given.
struct Move {
  Indices indices;
  Layout<kIndexArrays + 1> positions;  // offsets of the index arrays, then of the line
  Layout<2> row;                       // offsets of the array, and of the line
  Divider by_row;
  bool narrow = true;
  std::int64_t size = 0;    // positions * words of a row
  std::int64_t places = 1;  // that the index arrays can name
  char* array = nullptr;
  char* line = nullptr;
  std::size_t word = 1;  // bytes

#if defined(__CUDACC__)
  struct Item {
    std::int64_t position, column;
  };
  __device__ Item item(std::int64_t i) const {
    const std::int64_t position = by_row.quotient(i, narrow);
    return {position, i - position * row.size};
  }
#endif
};

enum class Direction { gather, scatter };

/// The plan of a gather (from the array into the line) or of a scatter. Owns the copies that it needs of operands that
/// are not plain enough.
class IndexedMove {
 public:
  /// `widen`: a row may be cut into words of any size; otherwise words are elements. A null line is neither read nor
  /// written.
  IndexedMove(Context& context, Direction direction, const View& array, Operands index, const View* line,
              const IndexSite& site, bool widen);
  const Move& move() const { return move_; }
  /// Does every position of the line hold the same row?
  bool is_uniform() const;
  /// After the kernels: copies what was written to where it belongs.
  void finish(Context& context);

 private:
  bool plan(const View& array, Operands index, const View* line, bool widen);
  std::vector<View> combined(Context& context, std::vector<View> index, Dims extents, const IndexSite& site);

  Move move_;
  std::vector<Dense> dense_;        // copies of inputs
  std::vector<Scratch> numbers_;    // index arrays made of several
  std::optional<DenseOutput> out_;  // a copy of what is written
};

/// The first index out of bounds in C order; waits for the answer.
Fault first_fault(Context& context, const Dims& shape, Operands index);

}  // namespace cuprum::cuda::primitives
