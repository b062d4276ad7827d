#include "ops/fft.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/layout.h"
#include "core/promotion.h"
#include "expr/overlap.h"
#include "ops/creation.h"
#include "ops/elementwise.h"
#include "ops/join.h"
#include "ops/manipulate.h"
#include "ops/support.h"
#include "runtime/fft_plans.h"

namespace cuprum::ops {

namespace {

std::string prefix(const FftFunction& f) { return std::string("cuprum.") + f.name + ": "; }

/// What a call computes with, and what comes out: float16 and bfloat16 are computed in float32, integers in float64.
struct Types {
  dtype in, out, result;
};

/// To reals along one axis, float16 gives float16 as in NumPy; along several, what is between is complex64.
Types types_of(const FftFunction& f, dtype type, std::size_t axes) {
  const dtype real = real_type(type);
  const bool small = real == dtype::float16 || real == dtype::bfloat16;
  const bool wide = !small && real != dtype::float32;
  const dtype part = wide ? dtype::float64 : dtype::float32,
              whole = wide ? dtype::complex128 : dtype::complex64;
  if (f.kind == Fft::Kind::from_real) {
    if (is_complex(type)) {
      throw TypeError(prefix(f) + "the transform is of real numbers, given " + name(type) +
                      "; write a.real, or transform complex numbers by fft");
    }
    return {part, whole, whole};
  }
  if (f.kind == Fft::Kind::to_real) return {whole, part, small && axes == 1 ? real : part};
  return {is_complex(type) ? whole : part, whole, whole};
}

dtype complex_of(dtype type) {
  return is_complex(type) ? type : type == dtype::float64 ? dtype::complex128 : dtype::complex64;
}

double points(const Dims& lengths) {
  double n = 1;
  for (std::int64_t length : lengths) n *= static_cast<double>(length);
  return n;
}

double factor(const FftFunction& f, FftNorm norm, const Dims& lengths) {
  const double n = points(lengths);
  if (norm == FftNorm::ortho) return 1 / std::sqrt(n);
  return (norm == FftNorm::backward) == f.backward ? 1 / n : 1;
}

std::int64_t default_length(const FftFunction& f, std::int64_t extent, bool last) {
  return f.kind == Fft::Kind::to_real && last ? 2 * (extent - 1) : extent;
}

/// The axes that one call of the primitive takes: distinct ones, from `end` backwards.
std::size_t distinct_from(const Dims& axes, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 &&
         std::find(axes.begin() + begin, axes.begin() + end, axes[begin - 1]) == axes.begin() + end)
    --begin;
  return begin;
}

Dims part_of(const Dims& dims, std::size_t begin, std::size_t end) {
  return Dims(dims.begin() + begin, dims.begin() + end);
}

struct Step {
  Fft fft;
  dtype type;  // of the result
  Dims shape;  // of the result
};

Step step_of(const Array& a, Fft&& p, dtype type) {
  Step step{std::move(p), type, a.shape()};
  for (std::size_t i = 0; i < step.fft.axes.size(); ++i) {
    const bool halved = step.fft.kind == Fft::Kind::from_real && i + 1 == step.fft.axes.size();
    step.shape[static_cast<std::size_t>(step.fft.axes[i])] =
        halved ? step.fft.lengths[i] / 2 + 1 : step.fft.lengths[i];
  }
  check_shape("fft", step.shape, step.type);
  return step;
}

thread_local std::shared_ptr<const FftExpectation> expected;

/// Longer transforms get their plan when they run, if ever: to make it takes long.
constexpr double kPlannedByTheCall = 1 << 24;

/// The plan of a step to an array of these strides: the one in use, if it fits.
std::shared_ptr<const FftPlan> plan_of(const Array& a, const Step& step, const Dims& strides) {
  const View in{{nullptr, a.offset()}, a.type(), a.shape(), a.strides(), {}},
      out{{}, step.type, step.shape, strides, {}};
  return a.backend().fft_plans().get(step.fft, in, out, expected ? expected->plan : nullptr);
}

/// numpy.empty_like of another shape.
Dims layout(const Array& a, const Step& step) {
  return copy_strides(step.shape, a.strides(), static_cast<std::int64_t>(itemsize(step.type)));
}

Array record_step(const Array& a, Step&& step) {
  const OnePlace there({&a}, bytes_of(step.shape, step.type));  // the plan is that of a device
  const Dims strides = layout(a, step);
  if (element_count(step.shape) == 0) return make_array(a.backend(), step.type, step.shape, strides);
  if (points(step.fft.lengths) <= kPlannedByTheCall) step.fft.plan = plan_of(a, step, strides);
  const Array* in[] = {&a};
  return record_call(a.backend(), std::move(step.fft), in, step.type, step.shape, strides);
}

/// Writes at once where dtype and memory allow it.
void write_step(const Array& a, Step&& step, const Array& out) {
  if (out.type() == step.type && element_count(step.shape) != 0 && !share_memory(a, out)) {
    BackendCall call({&a, &out});
    step.fft.plan = plan_of(a, step, out.strides());
    const View in = readable(a), to = writable(out);
    call(std::move(step.fft), {in}, to);
  } else {
    assign(out, Input(record_step(a, std::move(step))));
  }
}

void check_out(const FftFunction& f, const Dims& shape, dtype type, const Array& out) {
  if (!(out.shape() == shape)) {
    throw ValueError(prefix(f) + "output array has wrong shape: the result is " + to_string(shape) +
                     ", out is " + to_string(out.shape()));
  }
  if (!can_cast(type, out.type(), Casting::same_kind)) {
    throw TypeError(prefix(f) + "Cannot cast output from dtype('" + name(type) + "') to dtype('" +
                    name(out.type()) + "') with casting rule 'same_kind'");
  }
  if (!out.writeable()) throw ValueError("output array is read-only");
}

void check_expected(const FftFunction& f, const Array& a, const Dims& lengths, const Dims& axes, dtype type) {
  const FftPlan::Key& plan = expected->plan->key();
  const auto refuse = [&](const std::string& what) {
    throw ValueError(prefix(f) + what + " Given: shape " + to_string(a.shape()) + ", lengths " +
                     to_string(lengths) + "; the plan in use has " + to_string(plan.lengths));
  };
  if (f.kind != plan.kind || (itemsize(real_type(type)) == 8) != plan.wide)
    refuse("the transform or its dtype does not match the plan.");
  if (!(lengths == plan.lengths)) {  // CuPy's words
    refuse(lengths.size() == 1 ? "Target array size does not match the plan."
                               : "The cuFFT plan and a.shape do not match:");
  }
  std::int64_t lines = 1;
  for (int d = 0; d < a.ndim(); ++d) lines *= axes.size() == 1 && d != axes[0] ? a.shape()[d] : 1;
  if (expected->batch >= 0 && axes.size() == 1 && lines != expected->batch)
    refuse("Batch size does not match the plan.");
}

/// One call of the primitive: the axes [begin, end).
struct Part {
  std::size_t begin, end;
  Fft::Kind kind;
};

/// An axis that is named twice is transformed twice, by two calls. Of reals the last axis comes first, to reals last.
std::vector<Part> parts_of(Fft::Kind kind, const Dims& axes) {
  std::vector<Part> parts;
  for (std::size_t end = axes.size(); end > 0; end = parts.back().begin)
    parts.push_back({distinct_from(axes, end), end, end == axes.size() ? kind : Fft::Kind::points});
  if (kind == Fft::Kind::to_real) std::reverse(parts.begin(), parts.end());
  return parts;
}

/// The call of one part, not scaled.
Step step_for(const FftFunction& f, const Array& from, const Types& types, const Part& part,
              const Dims& lengths, const Dims& axes) {
  Fft fft{part.kind, f.backward, part_of(axes, part.begin, part.end), part_of(lengths, part.begin, part.end),
          1};
  return step_of(from, std::move(fft), part.kind == Fft::Kind::to_real ? types.out : complex_of(types.out));
}

/// `axes` are normalised, `lengths` positive.
Array transform(const FftFunction& f, const Array& a, const Dims& lengths, const Dims& axes, FftNorm norm,
                const Array* out) {
  const Types types = types_of(f, a.type(), axes.size());
  if (expected) check_expected(f, a, lengths, axes, types.out);
  Array from = record_cast(a, types.in);
  const std::vector<Part> parts = parts_of(f.kind, axes);
  for (const Part& part : parts) {
    Step step = step_for(f, from, types, part, lengths, axes);
    step.fft.scale = factor(f, norm, step.fft.lengths);
    const bool last = &part == &parts.back();
    if (last && out) {
      check_out(f, step.shape, types.result, *out);
      write_step(from, std::move(step), *out);
      return *out;
    }
    from = record_step(from, std::move(step));
  }
  return record_cast(from, types.result);
}

void check_lengths(const FftFunction& f, const Dims& lengths) {
  for (std::int64_t n : lengths) {
    if (n < 1)
      throw ValueError(prefix(f) + "Invalid number of FFT data points (" + std::to_string(n) +
                       ") specified.");
  }
}

}  // namespace

FftNorm parse_fft_norm(const char* function, const std::string& text) {
  if (text == "backward") return FftNorm::backward;
  if (text == "ortho") return FftNorm::ortho;
  if (text == "forward") return FftNorm::forward;
  throw ValueError(std::string("cuprum.") + function + ": Invalid norm value " + text +
                   "; should be \"backward\", \"ortho\" or \"forward\".");
}

std::shared_ptr<const FftPlan> fft_plan(const FftFunction& f, const Array& a, const Dims& lengths,
                                        const Dims& axes) {
  check_lengths(f, lengths);
  const Types types = types_of(f, a.type(), axes.size());
  const Array from = record_cast(a, types.in);
  const Step step = step_for(f, from, types, parts_of(f.kind, axes).front(), lengths, axes);
  return plan_of(from, step, layout(from, step));
}

std::shared_ptr<const FftExpectation> expect_fft(std::shared_ptr<const FftExpectation> now) {
  return std::exchange(expected, std::move(now));
}

Array fft(const FftFunction& f, const Array& a, std::int64_t n, std::int64_t axis, FftNorm norm,
          const Array* out) {
  const int d = normalize_axis(f.name, axis, a.ndim());
  const Dims lengths{n == kDefaultLength ? default_length(f, a.shape()[d], true) : n};
  check_lengths(f, lengths);
  return transform(f, a, lengths, Dims{d}, norm, out);
}

Array fftn(const FftFunction& f, const Array& a, const std::optional<Dims>& lengths,
           const std::optional<Dims>& axes, FftNorm norm, const Array* out) {
  Dims along;
  if (axes) {
    for (std::int64_t axis : *axes) along.push_back(normalize_axis(f.name, axis, a.ndim()));
  } else {
    const auto count =
        static_cast<std::int64_t>(lengths ? lengths->size() : static_cast<std::size_t>(a.ndim()));
    for (std::int64_t i = -count; i < 0; ++i) along.push_back(normalize_axis(f.name, i, a.ndim()));
  }
  if (lengths && lengths->size() != along.size()) {
    throw ValueError(prefix(f) + "Shape and axes have different lengths: s has " +
                     std::to_string(lengths->size()) + ", axes " + std::to_string(along.size()));
  }
  if (along.empty()) {
    if (f.kind == Fft::Kind::points) return a;
    throw IndexError(prefix(f) + "at least one axis is needed");
  }
  Dims n;
  for (std::size_t i = 0; i < along.size(); ++i) {
    const std::int64_t extent = a.shape()[static_cast<std::size_t>(along[i])];
    const std::int64_t asked = lengths ? (*lengths)[i] : kDefaultLength;
    n.push_back(asked == kDefaultLength ? default_length(f, extent, i + 1 == along.size())
                : asked == -1           ? extent
                                        : asked);
  }
  check_lengths(f, n);
  return transform(f, a, n, along, norm, out);
}

// -- Frequencies ----------------------------------------------------------------------------------------

namespace {

Array scaled(const Array& counts, double step) {
  return apply(Op::multiply, dtype::float64, counts, Scalar::of(dtype::float64, step));
}

}  // namespace

Array fftfreq(std::int64_t n, double step, Backend& backend) {
  check_shape("fft.fftfreq", Dims{n}, dtype::int64);
  const std::int64_t half = n / 2, positive = (n - 1) / 2 + 1, one = 1;
  const Array parts[] = {arange(std::int64_t{0}, n == 0 ? 0 : positive, one, backend),
                         arange(-half, std::int64_t{0}, one, backend)};
  return scaled(concatenate(parts), step);
}

Array rfftfreq(std::int64_t n, double step, Backend& backend) {
  return scaled(arange(std::int64_t{0}, n / 2 + 1, std::int64_t{1}, backend), step);
}

Array fftshift(const char* function, const Array& a, const std::optional<Dims>& axes, bool inverse) {
  Dims along, shifts;
  const auto add = [&](std::int64_t axis) {
    along.push_back(normalize_axis(function, axis, a.ndim()));
    const std::int64_t half = a.shape()[static_cast<std::size_t>(along.back())] / 2;
    shifts.push_back(inverse ? -half : half);
  };
  if (axes) {
    for (std::int64_t axis : *axes) add(axis);
  } else {
    for (int d = 0; d < a.ndim(); ++d) add(d);
  }
  return roll(a, shifts, along);
}

}  // namespace cuprum::ops
