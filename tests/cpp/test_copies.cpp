// Tiles against plain loops, at every level of this build and processor: all sizes around the squares of a transpose, any alignment.
#include "backend/cpu/copies.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backend/cpu/dispatch.h"

namespace cuprum {
namespace {

/// Both ways to transpose, with gaps behind rows; nothing but the tile is written.
void check_transposes(const CopyLoops& loops, int itemsize, std::int64_t rows, std::int64_t cols, int shift) {
  const std::int64_t gap = shift * itemsize;
  const std::int64_t long_step = cols * itemsize + gap, tall_step = rows * itemsize + gap;
  std::vector<unsigned char> from(static_cast<std::size_t>(rows * long_step + cols * tall_step + gap) + 16);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<unsigned char>(i * 7 + i / 251);
  const auto compare = [&](const TileCopy& wanted) {
    std::vector<unsigned char> to(from.size(), 0xee), expected = to;
    TileCopy copy = wanted;
    copy.from = from.data() + gap;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t c = 0; c < cols; ++c)
        std::memcpy(expected.data() + gap + r * copy.to_row + c * copy.to_col,
                    from.data() + gap + r * copy.from_row + c * copy.from_col,
                    static_cast<std::size_t>(itemsize));
    }
    copy.to = to.data() + gap;
    loops.tile(itemsize, copy);
    EXPECT_EQ(to, expected) << rows << " x " << cols << ", itemsize " << itemsize << ", shift " << shift;
  };
  compare({rows, cols, nullptr, long_step, itemsize, nullptr, itemsize, tall_step});
  compare({rows, cols, nullptr, itemsize, tall_step, nullptr, long_step, itemsize});
}

void check_all(const CopyLoops& loops) {
  for (const int itemsize : {1, 2, 4, 8, 16}) {
    for (std::int64_t rows = 1; rows <= 35; rows += rows < 20 ? 1 : 5) {
      for (std::int64_t cols = 1; cols <= 35; cols += cols < 20 ? 1 : 5)
        check_transposes(loops, itemsize, rows, cols, static_cast<int>((rows + cols) % 3));
    }
  }
}

TEST(Copies, TransposesOfEverySize) {
  check_all(copies());
#if defined(CUPRUM_SIMD_HAS_V2) && defined(CUPRUM_SIMD_HAS_V3) && defined(CUPRUM_SIMD_HAS_V4)
  check_all(v2::copy_loops());
  if (simd_level() >= SimdLevel::v3) check_all(v3::copy_loops());
#endif
}

}  // namespace
}  // namespace cuprum
