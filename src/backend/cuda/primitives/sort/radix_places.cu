// Sorts of places with what goes there, or with its position.
#include "backend/cuda/primitives/sort/radix.cuh"

namespace cuprum::cuda::primitives {

namespace {

template <class Value>
void sort_by_place(Context& context, Areas<std::uint32_t>& places, Areas<Value>& values, std::int64_t n,
                   int begin, int end) {
  cub::DoubleBuffer<std::uint32_t> place(places.current, places.other);
  cub::DoubleBuffer<Value> value(values.current, values.other);
  with_temporary(context, "sort_places", [&](void* temporary, std::size_t& nbytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, nbytes, place, value, n, begin, end, context.stream);
  });
  if (place.selector != 0) std::swap(places.current, places.other);
  if (value.selector != 0) std::swap(values.current, values.other);
}

}  // namespace

void sort_places(Context& context, Areas<std::uint32_t>& places, Areas<std::uint32_t>& values, std::int64_t n,
                 int begin, int end) {
  sort_by_place(context, places, values, n, begin, end);
}
void sort_places(Context& context, Areas<std::uint32_t>& places, Areas<std::uint64_t>& values, std::int64_t n,
                 int begin, int end) {
  sort_by_place(context, places, values, n, begin, end);
}

}  // namespace cuprum::cuda::primitives
