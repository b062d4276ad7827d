// Sorts of pairs, for keys that leave no room for an index, and of rows of float32.
#include "backend/cuda/primitives/sort/radix.cuh"

namespace cuprum::cuda::primitives {

void sort_float_rows(Context& context, Areas<std::uint64_t>& words, std::int64_t n, int row_bits) {
  sort_keys<FloatRow>(context, words, n, 0, 32 + row_bits);
}

void sort_pairs(Context& context, Areas<std::uint64_t>& keys, Areas<std::int64_t>& values, std::int64_t n,
                int begin, int end) {
  using Key = unsigned long long;
  cub::DoubleBuffer<Key> key(reinterpret_cast<Key*>(keys.current), reinterpret_cast<Key*>(keys.other));
  cub::DoubleBuffer<std::int64_t> value(values.current, values.other);
  with_temporary(context, "sort_pairs", [&](void* temporary, std::size_t& nbytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, nbytes, key, value, n, begin, end, context.stream);
  });
  if (key.selector != 0) std::swap(keys.current, keys.other);
  if (value.selector != 0) std::swap(values.current, values.other);
}

}  // namespace cuprum::cuda::primitives
