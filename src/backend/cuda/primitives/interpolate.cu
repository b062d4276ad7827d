// Piecewise linear interpolation: a thread searches the points for its value and computes the line.
#include "backend/cuda/primitives/layout.h"
#include "backend/cuda/primitives/views.h"
#include "backend/cuda/primitives/words.cuh"
#include "kernels/interpolate.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

struct Interpolation {
  const char* x;
  char* out;
  const double *xp, *fp, *ends;
  std::int64_t n;
  bool reciprocal;
  Layout<2> layout;  // of x and out
};

__global__ void __launch_bounds__(kThreads) interpolate_points(const __grid_constant__ Interpolation p) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= p.layout.size) return;
  std::int64_t at[2];
  p.layout.offsets(i, at);
  const double x = load<double>(p.x + at[0]);
  std::int64_t after = 0;  // points that do not lie behind x
  for (std::int64_t left = p.n; left > 0;) {
    const std::int64_t half = left / 2;
    if (__ldg(p.xp + after + half) <= x) {
      after += half + 1;
      left -= half + 1;
    } else {
      left = half;
    }
  }
  const kernels::Points points{p.xp, p.fp, p.n, p.ends[0], p.ends[1], p.reciprocal};
  store(p.out + at[1], points.at(x, after));
}

void launch(Context& context, const Interpolation& p) {
  interpolate_points<<<block_count(p.layout.size, kThreads), kThreads, 0, context.stream>>>(p);
  launched(context, "interp");
}

}  // namespace

}  // namespace primitives

void interpolate(Context& context, const View& x, const View& xp, const View& fp, const View& ends,
                 bool reciprocal, const View& out) {
  using namespace primitives;
  if (size_of(out) == 0) return;
  const auto doubles = [](const View& view) { return reinterpret_cast<const double*>(view.data); };
  Interpolation p{bytes(x.data), bytes(out.data), doubles(xp), doubles(fp),
                  doubles(ends), xp.shape[0],     reciprocal,  {}};
  if (is_aligned(x) && is_aligned(out) && make_layout<2>({&x, &out}, 0, out.shape.size(), p.layout))
    return launch(context, p);
  const Dense from(context, x);
  DenseOutput to(context, out);
  p.x = bytes(from.view().data);
  p.out = bytes(to.view().data);
  make_layout<2>({&from.view(), &to.view()}, 0, out.shape.size(), p.layout);
  launch(context, p);
  to.finish(context);
}

}  // namespace cuprum::cuda
