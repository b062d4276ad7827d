// Places of values in a sorted row.
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda {

void searchsorted(Context& context, const View& row, const View& values, bool right, const View& out) {
  using namespace primitives;
  if (right) {
    search_into(context, row, values, WritePlace<true>{}, out, "searchsorted");
  } else {
    search_into(context, row, values, WritePlace<false>{}, out, "searchsorted");
  }
}

}  // namespace cuprum::cuda
