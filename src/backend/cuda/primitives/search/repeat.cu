// Elements repeated by counts: every element of the result finds its source by binary search among the ends. Neighbours
// search alike, so that a warp reads few different places.
#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/common/words.cuh"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

struct Repeat {
  const char* in;
  const std::int64_t* ends;
  char* out;
  std::int64_t n, in_step, out_step;
  Layout<2> rows;
  std::int64_t length;  // of a row of the result
  std::int64_t size;
};

template <class Word>
__global__ void __launch_bounds__(kThreads) repeat_words(const __grid_constant__ Repeat r) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= r.size) return;
  const std::int64_t row = i / r.length, k = i % r.length;
  std::int64_t at[2];
  r.rows.offsets(row, at);
  std::int64_t source = 0;
  for (std::int64_t left = r.n; left > 0;) {  // the first whose end lies behind k
    const std::int64_t half = left / 2;
    if (r.ends[source + half] <= k) {
      source += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  store(r.out + at[1] + k * r.out_step, load<Word>(r.in + at[0] + source * r.in_step));
}

void launch(Context& context, const View& in, const View& out, Repeat r) {
  r.in = bytes(in.data);
  r.out = bytes(out.data);
  r.in_step = in.strides.back();
  r.out_step = out.strides.back();
  with_word(itemsize(in.type), [&](auto word) {
    repeat_words<decltype(word)><<<block_count(r.size, kThreads), kThreads, 0, context.stream>>>(r);
  });
  launched(context, "repeat");
}

}  // namespace

}  // namespace primitives

static void repeat(Context& context, const View& in, const View& ends, const View& out) {
  using namespace primitives;
  Repeat r{};
  r.ends = reinterpret_cast<const std::int64_t*>(ends.data.address());
  r.n = in.shape.back();
  r.length = out.shape.back();
  r.size = size_of(out);
  if (r.size == 0) return;
  const std::size_t outer = out.shape.size() - 1;
  if (is_aligned(in) && is_aligned(out) && make_layout<2>({&in, &out}, 0, outer, r.rows))
    return launch(context, in, out, r);
  const Dense from(context, in);
  DenseOutput to(context, out);
  make_layout<2>({&from.view(), &to.view()}, 0, outer, r.rows);
  launch(context, from.view(), to.view(), r);
  to.finish(context);
}

void call(Context& context, const Repeat&, Operands in, const View& out) {
  repeat(context, in[0], in[1], out);
}

}  // namespace cuprum::cuda
