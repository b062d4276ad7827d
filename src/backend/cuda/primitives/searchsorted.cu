// Places of values in a sorted row: one thread searches for each value. Warps that search for random values read the
// middle of the row from the caches; the last steps of a large row are reads of memory.
#include "backend/cuda/primitives/element.cuh"
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/views.h"
#include "backend/cuda/primitives/words.cuh"
#include "kernels/order.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

struct Search {
  const char* row;
  std::int64_t n;
  const char* values;
  char* out;
  Layout<2> layout;  // of values and out
};

template <class T, bool kRight>
__global__ void __launch_bounds__(kThreads) search(const __grid_constant__ Search s) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= s.layout.size) return;
  std::int64_t at[2];
  s.layout.offsets(i, at);
  const T value = read_element<T>(s.values + at[0]);
  const auto goes_on = [&](std::int64_t k) {
    const T element = read_element<T>(s.row + k * static_cast<std::int64_t>(sizeof(T)));
    return kRight ? !kernels::sorts_before(value, element) : kernels::sorts_before(element, value);
  };
  std::int64_t first = 0;
  for (std::int64_t left = s.n; left > 0;) {
    const std::int64_t half = left / 2;
    if (goes_on(first + half)) {
      first += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  store(s.out + at[1], first);
}

template <class T>
void launch_of(Context& context, const Search& s, bool right) {
  const unsigned blocks = block_count(s.layout.size, kThreads);
  if (right) {
    search<T, true><<<blocks, kThreads, 0, context.stream>>>(s);
  } else {
    search<T, false><<<blocks, kThreads, 0, context.stream>>>(s);
  }
  launched(context, "searchsorted");
}

void launch(Context& context, dtype type, const Search& s, bool right) {
  kernels::with_element(type, [&](auto zero) { launch_of<decltype(zero)>(context, s, right); });
}

}  // namespace

}  // namespace primitives

void searchsorted(Context& context, const View& row, const View& values, bool right, const View& out) {
  using namespace primitives;
  if (size_of(out) == 0) return;
  const Dense sorted(context, row);
  Search s{bytes(sorted.view().data), row.shape[0], bytes(values.data), bytes(out.data), {}};
  if (is_aligned(values) && is_aligned(out) &&
      make_layout<2>({&values, &out}, 0, out.shape.size(), s.layout)) {
    return launch(context, row.type, s, right);
  }
  const Dense wanted(context, values);
  DenseOutput places(context, out);
  s.values = bytes(wanted.view().data);
  s.out = bytes(places.view().data);
  make_layout<2>({&wanted.view(), &places.view()}, 0, out.shape.size(), s.layout);
  launch(context, row.type, s, right);
  places.finish(context);
}

}  // namespace cuprum::cuda
