// The guide of a sorted row (search_kernels.cuh).
#include "backend/cuda/primitives/search/search_launch.cuh"

namespace cuprum::cuda::primitives {

void make_guide(Context& context, dtype type, const char* row, std::int64_t n, unsigned* guide,
                unsigned buckets) {
  with_line(type, [&](auto zero) {
    using T = decltype(zero);
    build_guide<T>
        <<<buckets / kGuideThreads, kGuideThreads, 0, context.stream>>>(SortedRow<T>{row, n}, guide, buckets);
  });
  launched(context, "the guide of a search");
}

}  // namespace cuprum::cuda::primitives
