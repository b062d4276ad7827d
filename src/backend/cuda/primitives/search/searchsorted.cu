// Places of values in a sorted row.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

static void searchsorted(Context& context, const View& row, const View& values, bool right, const View& out) {
  using namespace primitives;
  if (right) {
    search_into(context, row, values, WritePlace<true>{}, out, "searchsorted");
  } else {
    search_into(context, row, values, WritePlace<false>{}, out, "searchsorted");
  }
}

void call(Context& context, const Searchsorted& p, Operands in, const View& out) {
  searchsorted(context, in[0], in[1], p.right, out);
}

}  // namespace cuprum::cuda
