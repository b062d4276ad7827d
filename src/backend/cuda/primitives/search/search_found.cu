// Whether values are among those of a sorted row: compared where they would stand, so that no place is written down.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

void is_among(Context& context, const View& row, const View& values, const View& out) {
  primitives::search_into(context, row, values, primitives::WriteFound{}, out, "isin");
}

}  // namespace cuprum::cuda
