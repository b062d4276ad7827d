// The primitive Fft: the steps of its program, with memory from the pool for the length of the call.
#include <deque>

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/fft/plans.h"
#include "backend/cuda/primitives/fft/program.h"
#include "runtime/geometry.h"

namespace cuprum::cuda {

namespace fft {

namespace {

/// Complex numbers as pairs of reals.
View pairs(View view) {
  view.type = real_type(view.type);
  view.shape.push_back(2);
  view.strides.push_back(static_cast<std::int64_t>(itemsize(view.type)));
  return view;
}

/// The parts of complex numbers are real numbers of their own: no infinity meets a zero imaginary part of the factor.
void scale(Context& context, const View& from, const View& to, double factor, bool conjugate) {
  if (is_complex(from.type) && !conjugate && from.shape.size() < kMaxDims)
    return scale(context, pairs(from), pairs(to), factor, false);
  const dtype part = real_type(from.type);
  const std::uint16_t parts = is_complex(from.type) ? 2 : 1;
  Kernel kernel;
  kernel.shape = from.shape;
  for (std::uint16_t i = 0; i < parts; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * itemsize(part));
    const double by = conjugate && i == 1 ? -factor : factor;
    kernel.leaves.push_back({from.data, part, from.strides});
    kernel.leaves.back().data += at;
    kernel.scalars.push_back(part == dtype::float64 ? Scalar::of(part, by)
                                                    : Scalar::of(part, static_cast<float>(by)));
    kernel.code.push_back({Op::multiply, part, part, 2, {i, static_cast<std::uint16_t>(parts + i)}});
    kernel.stores.push_back({to.data, part, to.strides, static_cast<std::uint16_t>(2 * parts + i)});
    kernel.stores.back().data += at;
  }
  simplify_geometry(kernel, to.strides);
  cuda::run(context, kernel);
}

void clear(Context& context, const View& at) {
  const std::size_t nbytes = static_cast<std::size_t>(primitives::size_of(at)) * itemsize(at.type);
  if (nbytes == 0) return;
  if (primitives::is_dense(at))
    return check(cudaMemsetAsync(at.data, 0, nbytes, context.stream), "cuprum.fft: padding with zeros");
  Kernel kernel;
  kernel.shape = at.shape;
  kernel.scalars.push_back(Scalar{at.type});
  kernel.stores.push_back({at.data, at.type, at.strides, 0});
  simplify_geometry(kernel, at.strides);
  cuda::run(context, kernel);
}

class Run {
 public:
  Run(Context& context, const Program& program, const CudaFftPlan& plan, const View& in, const View& out)
      : context_(context), plan_(plan), work_(context, plan.work_bytes()) {
    for (const View* view : {&in, &out}) {
      const auto address = reinterpret_cast<std::uintptr_t>(view->data.address());
      memories_.push_back(view->data.address() - address % kAlignment);
    }
    for (std::size_t nbytes : program.scratch)
      memories_.push_back(scratch_.emplace_back(context, nbytes).get());
  }

  void operator()(const Zero& zero) { clear(context_, view(zero.at)); }

  void operator()(const Move& move) {
    if (move.scale == 1 && !move.conjugate) {
      primitives::copy(context_, view(move.from), view(move.to));
    } else {
      scale(context_, view(move.from), view(move.to), move.scale, move.conjugate);
    }
  }

  void operator()(const Transform& transform) {
    const CufftPlan& plan = plan_[done_++];
    const Arrangement& how = transform.how;
    std::byte *const from = view(transform.from).data, *const to = view(transform.to).data;
    const std::int64_t calls = element_count(how.loops);
    for (std::int64_t i = 0; i < calls; ++i) {
      std::int64_t rest = i, in = 0, out = 0;
      for (std::size_t d = how.loops.size(); d-- > 0; rest /= how.loops[d]) {
        in += rest % how.loops[d] * how.in_steps[d];
        out += rest % how.loops[d] * how.out_steps[d];
      }
      plan.run(context_, from + in, to + out, transform.backward, work_.get());
    }
  }

 private:
  View view(const Region& region) const {
    return {memories_[static_cast<std::size_t>(region.memory)] + region.offset,
            region.type,
            region.shape,
            region.strides,
            {}};
  }

  Context& context_;
  const CudaFftPlan& plan_;
  const Scratch work_;
  std::deque<Scratch> scratch_;
  std::vector<std::byte*> memories_;
  std::size_t done_ = 0;  // transforms
};

}  // namespace

}  // namespace fft

void call(Context& context, const Fft& p, Operands in, const View& out) {
  if (primitives::size_of(out) == 0) return;
  const FftPlanCache::Plan plan = context.owner->device.fft_plans().get(p, in[0], out, p.plan);
  const fft::Program program = fft::program_of(p, in[0], out);
  fft::Run run(context, program, static_cast<const fft::CudaFftPlan&>(*plan), in[0], out);
  for (const fft::Step& step : program.steps) std::visit(run, step);
}

}  // namespace cuprum::cuda
