// Whether values are among those of a sorted row: compared where they would stand, so that no place is written down.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

static void is_among(Context& context, const View& row, const View& values, const View& out) {
  primitives::search_into(context, row, values, primitives::WriteFound{}, out, "isin");
}

void call(Context& context, const IsAmong&, Operands in, const View& out) {
  is_among(context, in[0], in[1], out);
}

}  // namespace cuprum::cuda
