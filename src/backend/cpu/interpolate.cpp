// Piecewise linear interpolation: blocks of values are searched for together, then computed one by one.
#include "backend/cpu/interpolate.h"

#include <algorithm>

#include "backend/cpu/backend.h"
#include "backend/cpu/cells_of_row.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"
#include "kernels/interpolate.h"

namespace cuprum::cpu {

void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                 const View& out) {
  const auto* beyond = reinterpret_cast<const double*>(ends.data.address());
  const kernels::Points points{reinterpret_cast<const double*>(xp.data.address()),
                               reinterpret_cast<const double*>(fp.data.address()),
                               xp.shape[0],
                               beyond[0],
                               beyond[1],
                               reciprocal};
  const Space<2> space({&x, &out}, out.shape.size());
  SortedRow row{dtype::float64, points.xp, points.n};
  const CellsOfRow cells(row, space.size());
  parallel_for((space.size() + kSearchBlock - 1) / kSearchBlock, [&](std::int64_t block) {
    alignas(64) double values[kSearchBlock];
    alignas(64) std::int64_t after[kSearchBlock];
    const std::int64_t begin = block * kSearchBlock;
    space.each_run(begin, std::min(space.size(), begin + kSearchBlock), [&](auto p, std::int64_t m) {
      copies().tile(8, {1, m, values, 0, 8, p[0], 0, space.step(0)});
      CUPRUM_CALL_LEVEL(search_values(row, values, static_cast<int>(m), true, after));
      for (std::int64_t i = 0; i < m; ++i) values[i] = points.at(values[i], after[i]);
      copies().tile(8, {1, m, p[1], 0, space.step(1), values, 0, 8});
    });
  });
}

void call(const Interpolate& p, Operands in, const View& out) {
  interpolate(in[0], in[1], in[2], in[3], p.reciprocal, out);
}

}  // namespace cuprum::cpu
