// The primitive Fft: axis by axis, the first from the operand to the result, the others in the result.
#include <optional>

#include "backend/cpu/backend.h"
#include "backend/cpu/fft/axis_plans.h"
#include "backend/cpu/fft/lines.h"
#include "backend/cpu/scratch.h"

namespace cuprum::cpu {

namespace {

/// What of an array has been computed: lines that padding will make zero are not.
View part(const View& view, const Dims& shape) { return {view.data, view.type, shape, view.strides, {}}; }

/// One axis after the other.
class Steps {
 public:
  Steps(const Fft& p, const View& in, const View& out)
      : p_(p), held_(cpu_backend().fft_plans().get(p, in, out, p.plan)), from_(in), shape_(in.shape) {
    for (std::size_t i = 0; i < p.axes.size(); ++i) {
      const bool halved = p.kind == Fft::Kind::to_real && i + 1 == p.axes.size();
      const std::int64_t wanted = halved ? p.lengths[i] / 2 + 1 : p.lengths[i];
      std::int64_t& extent = shape_[static_cast<std::size_t>(p.axes[i])];
      extent = std::min(extent, wanted);
    }
  }

  /// Transforms along axes[i] into `to`, from where the step before has left it.
  void run(std::size_t i, const View& to, double scale) {
    const auto axis = static_cast<std::size_t>(p_.axes[i]);
    const fft::RowPlan& plan = static_cast<const fft::AxisPlans&>(*held_)[i];
    const View from = part(from_, shape_);
    shape_[axis] = plan.out_points();
    fft::transform(plan, {from, part(to, shape_), axis}, p_.backward, scale);
    from_ = to;
  }

  const Dims& shape() const { return shape_; }

 private:
  const Fft& p_;
  const FftPlanCache::Plan held_;
  View from_;
  Dims shape_;  // of what there is by now
};

/// The points before the last step to reals, which does not fit the result.
struct Between {
  Between(const Fft& p, const View& in, const Dims& shape) : full(shape) {
    for (std::size_t i = 0; i + 1 < p.axes.size(); ++i)
      full[static_cast<std::size_t>(p.axes[i])] = p.lengths[i];
    const auto item = static_cast<std::int64_t>(itemsize(in.type));
    memory.emplace(element_count(full) * item);
    view = {memory->data(), in.type, full, contiguous_strides(full, item), {}};
  }
  Dims full;
  std::optional<Scratch<std::byte>> memory;
  View view;
};

}  // namespace

void call(const Fft& p, Operands in, const View& out) {
  Steps steps(p, in[0], out);
  const std::size_t last = p.axes.size() - 1;
  if (p.kind == Fft::Kind::to_real) {
    std::optional<Between> between;
    if (last > 0) between.emplace(p, in[0], steps.shape());
    for (std::size_t i = 0; i < last; ++i) steps.run(i, between->view, 1);
    return steps.run(last, out, p.scale);
  }
  for (std::size_t i = last + 1; i-- > 0;) steps.run(i, out, i == 0 ? p.scale : 1);
}

}  // namespace cuprum::cpu
