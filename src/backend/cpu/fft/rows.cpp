#include "backend/cpu/fft/rows.h"

#include <cstring>

namespace cuprum::cpu::fft {

namespace {

// What an odd number of reals is made of and turned into; and the second half of what is symmetric.

/// out[k] = in[k] + 0i; `out` may be `in`.
template <class R>
void widen(std::int64_t n, const std::byte* in, std::byte* out) {
  const auto* x = reinterpret_cast<const R*>(in);
  auto* y = reinterpret_cast<R*>(out);
  for (std::int64_t k = n - 1; k >= 0; --k) {
    const R value = x[k];
    y[2 * k] = value;
    y[2 * k + 1] = 0;
  }
}

/// The second half of n points, the conjugates of the first: out[n - k] = conj(out[k]). `backward`: of all the conjugate.
template <class R>
void mirror(std::int64_t n, std::byte* out, bool backward = false) {
  auto* y = reinterpret_cast<R*>(out);
  for (std::int64_t k = 1; 2 * k < n; ++k) {
    const R im = y[2 * k + 1], negative = 0 - im;  // no -0
    y[2 * (n - k)] = y[2 * k];
    y[2 * (n - k) + 1] = backward ? im : negative;
    y[2 * k + 1] = backward ? negative : im;
  }
}

template <class R>
void real_parts(std::int64_t n, const std::byte* in, std::byte* out) {
  const auto* x = reinterpret_cast<const R*>(in);
  auto* y = reinterpret_cast<R*>(out);
  for (std::int64_t k = 0; k < n; ++k) y[k] = x[2 * k];
}

template <class F>
void each_row(const Rows& rows, std::int64_t size, F&& f) {
  for (std::int64_t i = 0; i < rows.count; ++i)
    f(rows.in + i * rows.in_step * size, rows.out + i * rows.out_step * size);
}

FftJob job_of(const Rows& rows, bool backward, double scale) {
  return {rows.in, rows.out, rows.in_step, rows.out_step, rows.count, scale, backward};
}

}  // namespace

RowPlan::RowPlan(const Key& key)
    : key_(key),
      pairs_(reals() && key.n % 2 == 0),
      plan_(pairs_ ? key.n / 2 : key.n, key.wide, !pairs_ && key.kind == Fft::Kind::from_real) {
  if (!pairs_) return;
  const Roots exact(key.n);
  roots_ = Table(key.wide, 2 * (key.n / 4 + 1));
  for (std::int64_t k = 0; k <= key.n / 4; ++k) roots_.set_pair(k, exact(k));
}

std::int64_t RowPlan::work_bytes(std::int64_t count) const {
  const auto plan = static_cast<std::int64_t>(plan_.work_bytes());
  return keeps_rows() ? plan + count * (2 * key_.n + 16) * (key_.wide ? 8 : 4) : plan;
}

void RowPlan::run(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const {
  if (!reals()) return plan_.run(job_of(rows, backward, scale), work, parallel);
  if (key_.kind == Fft::Kind::to_real)
    return pairs_ ? to_pairs(rows, backward, scale, work, parallel)
                  : to_odd(rows, backward, scale, work, parallel);
  pairs_ ? from_pairs(rows, backward, scale, work, parallel)
         : from_odd(rows, backward, scale, work, parallel);
}

/// An odd number of reals to points: all of them, or the first half, from rows of its own.
void RowPlan::from_odd(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const {
  const std::int64_t n = key_.n, size = key_.wide ? 8 : 4, pitch = 2 * n + 16;
  const bool all = key_.kind == Fft::Kind::points;
  std::byte* const own = work + plan_.work_bytes();
  const Rows to{rows.in, all ? rows.out : own, rows.in_step, all ? rows.out_step : pitch, rows.count};
  FftJob job = job_of(to, backward, scale);
  job.reals = plan_.takes_reals();
  if (!job.reals) {
    each_row(to, size, [&](const std::byte* in, std::byte* out) {
      key_.wide ? widen<double>(n, in, out) : widen<float>(n, in, out);
    });
    job.in = to.out;
    job.in_step = to.out_step;
  }
  if (all) return plan_.run(job, work, parallel);
  plan_.run_half(job, work, parallel);
  each_row({own, rows.out, pitch, rows.out_step, rows.count}, size, [&](const std::byte* in, std::byte* out) {
    plan_.first_half(in, out);
    std::memset(out + size, 0, static_cast<std::size_t>(size));  // the first point is real
  });
}

/// The first half of the points of an odd number of reals to these.
void RowPlan::to_odd(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const {
  const std::int64_t n = key_.n, size = key_.wide ? 8 : 4, pitch = 2 * n + 16;
  std::byte* const own = work + plan_.work_bytes();
  each_row({rows.in, own, rows.in_step, pitch, rows.count}, size, [&](const std::byte* in, std::byte* out) {
    std::memcpy(out, in, static_cast<std::size_t>((n / 2 + 1) * 2 * size));
    std::memset(out + size, 0, static_cast<std::size_t>(size));  // the first point is real
    key_.wide ? mirror<double>(n, out) : mirror<float>(n, out);
  });
  plan_.run(job_of({own, own, pitch, pitch, rows.count}, backward, scale), work, parallel);
  each_row({own, rows.out, pitch, rows.out_step, rows.count}, size, [&](const std::byte* in, std::byte* out) {
    key_.wide ? real_parts<double>(n, in, out) : real_parts<float>(n, in, out);
  });
}

void RowPlan::from_pairs(const Rows& rows, bool backward, double scale, std::byte* work,
                         bool parallel) const {
  plan_.run(job_of(rows, false, 1), work, parallel);
  const std::int64_t half = key_.n / 2, size = key_.wide ? 8 : 4;
  const bool all = key_.kind == Fft::Kind::points;
  each_row(rows, size, [&](const std::byte*, std::byte* out) {
    in_parts(parallel, half / 2 + 1, kTaskPoints, [&](std::int64_t begin, std::int64_t end) {
      CUPRUM_CALL_LEVEL(
          fft_unzip(key_.wide, half, out, out, roots_.data(), begin, end, scale, !all && backward));
    });
    if (all) key_.wide ? mirror<double>(key_.n, out, backward) : mirror<float>(key_.n, out, backward);
  });
}

void RowPlan::to_pairs(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const {
  const std::int64_t half = key_.n / 2, size = key_.wide ? 8 : 4;
  each_row(rows, size, [&](const std::byte* in, std::byte* out) {
    in_parts(parallel, half / 2 + 1, kTaskPoints, [&](std::int64_t begin, std::int64_t end) {
      CUPRUM_CALL_LEVEL(fft_zip(key_.wide, half, in, out, roots_.data(), begin, end, !backward));
    });
  });
  plan_.run(job_of({rows.out, rows.out, rows.out_step, rows.out_step, rows.count}, true, scale), work,
            parallel);
}

}  // namespace cuprum::cpu::fft
