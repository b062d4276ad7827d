// How a transform of some length is computed: which way, with which factors, and the roots of unity for it.
//
// The length alone decides, so a row gives the same bits wherever it stands, however many threads there are:
//   - `line`: short lengths, and those without two fair factors;
//   - `split`: n = n1 * n2, so that registers hold neighbouring columns, then rows, of a matrix;
//   - `chirp`: a large prime factor makes it a convolution (Bluestein), of a length that splits well.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>

#include "backend/cpu/fft/roots.h"
#include "backend/cpu/simd/fft.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu::fft {

/// Points of a task, at least, where one row is transformed by several threads.
inline constexpr std::int64_t kTaskPoints = 4096;

/// Runs f(begin, end) over parts of [0, count): all of it at once, or in tasks of at least `grain` by several threads.
template <class F>
void in_parts(bool parallel, std::int64_t count, std::int64_t grain, F&& f) {
  const std::int64_t parts = parallel ? std::min(count / grain, std::int64_t{4} * num_threads()) : 1;
  if (parts <= 1) return f(std::int64_t{0}, count);
  parallel_for(parts, [&](std::int64_t i) { f(count * i / parts, count * (i + 1) / parts); });
}

class Plan {
 public:
  /// `half`: for run_half.
  Plan(std::int64_t n, bool wide, bool half = false);

  std::int64_t length() const { return n_; }
  bool wide() const { return wide_; }
  std::size_t bytes() const { return bytes_; }

  /// Working memory for run, in bytes.
  std::size_t work_bytes() const;
  /// Transforms rows; `parallel`: one row after the other, each by all threads.
  void run(const FftJob& job, std::byte* work, bool parallel) const { run(job, work, parallel, false); }

  /// Can a job have reals?
  bool takes_reals() const { return !convolution_; }
  /// Reals to as many of their points as `first_half` needs. Rows are not transformed in place.
  void run_half(const FftJob& job, std::byte* work, bool parallel) const { run(job, work, parallel, true); }
  /// The first n / 2 + 1 points of a row that run_half has left.
  void first_half(const std::byte* row, std::byte* out) const;

 private:
  void make_line(FftLine& line, std::int64_t n);
  void make_split(std::int64_t n1, std::int64_t n2);
  void make_chirp(std::int64_t m);
  Table& table(std::int64_t count);

  void run(const FftJob& job, std::byte* work, bool parallel, bool half) const;
  void run_split(const FftJob& job, std::byte* work, bool parallel, bool half) const;
  void run_chirp(const FftJob& job, std::byte* work, bool parallel) const;
  std::int64_t between_bytes() const;
  std::int64_t line_bytes() const;
  std::int64_t pair_bytes() const { return wide_ ? 16 : 8; }

  std::int64_t n_;
  bool wide_;
  int lanes_;
  std::size_t bytes_;
  std::deque<Table> tables_;  // what the others point into; none ever moves

  std::unique_ptr<FftLine> line_;
  std::unique_ptr<FftSplit> split_;
  std::unique_ptr<Plan> convolution_;  // chirp
  const void* chirp_ = nullptr;        // exp(-pi i j^2 / n)
  const void* filter_ = nullptr;       // the transform of its conjugates, over the length of the convolution
};

}  // namespace cuprum::cpu::fft
