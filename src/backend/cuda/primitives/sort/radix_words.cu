// Sorts of unsigned words, and of whole arrays of small values.
#include "backend/cuda/primitives/sort/radix.cuh"

namespace cuprum::cuda::primitives {

void sort_words(Context& context, Areas<std::uint64_t>& words, std::int64_t n, int begin, int end) {
  sort_keys<unsigned long long>(context, words, n, begin, end);
}

void sort_small_values(Context& context, dtype type, const void* in, void* out, std::int64_t n) {
  switch (type) {
    case dtype::int8: return sort_keys<signed char>(context, in, out, n);
    case dtype::int16: return sort_keys<short>(context, in, out, n);
    case dtype::uint16: return sort_keys<unsigned short>(context, in, out, n);
    case dtype::float16: return sort_keys<FloatBits<kernels::Float16Key>>(context, in, out, n);
    case dtype::bfloat16: return sort_keys<FloatBits<kernels::BFloat16Key>>(context, in, out, n);
    default: return sort_keys<unsigned char>(context, in, out, n);
  }
}

}  // namespace cuprum::cuda::primitives
