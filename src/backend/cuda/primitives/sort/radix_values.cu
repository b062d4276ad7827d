// Sorts of whole arrays whose values are their own keys.
#include "backend/cuda/primitives/sort/radix.cuh"

namespace cuprum::cuda::primitives {

void sort_values(Context& context, dtype type, const void* in, void* out, std::int64_t n) {
  switch (type) {
    case dtype::uint32: return sort_keys<std::uint32_t>(context, in, out, n);
    case dtype::int32: return sort_keys<std::int32_t>(context, in, out, n);
    case dtype::float32: return sort_keys<FloatBits<kernels::Float32Key>>(context, in, out, n);
    case dtype::uint64: return sort_keys<unsigned long long>(context, in, out, n);
    case dtype::int64: return sort_keys<long long>(context, in, out, n);
    case dtype::float64: return sort_keys<FloatBits<kernels::Float64Key>>(context, in, out, n);
    default: return sort_small_values(context, type, in, out, n);
  }
}

}  // namespace cuprum::cuda::primitives
