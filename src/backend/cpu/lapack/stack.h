// Stacks of matrices on LAPACK: how they are walked, and how a matrix comes into LAPACK's order and out of it.
//
// Many matrices are shared out to our threads, BLAS on one thread each. Few large ones come one after the other, BLAS with the
// machine's processors. Which of the two is decided by shapes and the machine alone: no bit depends on the number of threads.
#pragma once

#include <array>
#include <atomic>
#include <complex>
#include <limits>

#include "backend/cpu/blas.h"
#include "backend/cpu/blas_matmul.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/lapack/lapack.h"
#include "backend/cpu/matrix.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

/// Calls f with a value of the C++ type of one of LAPACK's dtypes.
template <class F>
auto with_lapack_type(dtype type, F&& f) {
  switch (type) {
    case dtype::float32: return f(float());
    case dtype::float64: return f(double());
    case dtype::complex64: return f(std::complex<float>());
    default: return f(std::complex<double>());
  }
}

/// The number of the first matrix that failed.
class FirstFault {
 public:
  void note(std::int64_t number) {
    std::int64_t seen = first_.load();
    while (number < seen && !first_.compare_exchange_weak(seen, number)) {
    }
  }
  Fault fault() const { return first_ == kNone ? Fault{} : Fault{0, first_}; }

 private:
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
  std::atomic<std::int64_t> first_ = kNone;
};

/// Operations of a matrix that are worth BLAS's own threads (some 200 x 200).
inline constexpr double kThreadedWork = 1.6e7;
/// Operations of a task.
inline constexpr double kTaskWork = 2e5;

/// Calls make_worker() for each task, and its result `worker(pointers)` for each matrix of the leading `ndim` dimensions of `views`.
/// A worker answers whether its matrix could be treated; `work` is the number of operations of a matrix.
template <int N, class F>
Fault each_matrix(const std::array<const View*, N>& views, std::size_t ndim, double work, F&& make_worker) {
  const Space<N> stack(views, ndim);
  const std::int64_t count = stack.size();
  FirstFault first;
  const auto run = [&](std::int64_t begin, std::int64_t end) {
    auto worker = make_worker();
    std::int64_t number = begin;
    stack.each(begin, end, [&](auto p) {
      if (!worker(p)) first.note(number);
      ++number;
    });
  };
  if (count == 0) return {};
  if (work >= kThreadedWork && count < 2 * processor_count()) {
    const BlasThreads all(static_cast<int>(processor_count()));
    run(0, count);
  } else {
    const BlasThreads one(1);
    const auto enough = static_cast<std::int64_t>(kTaskWork / std::max(work, 1.0)) + 1;
    const std::int64_t grain = std::max(enough, ceil_div(count, kMaxBlasCallers));
    parallel_for(ceil_div(count, grain),
                 [&](std::int64_t task) { run(task * grain, std::min(count, (task + 1) * grain)); });
  }
  return first.fault();
}

/// to = from, column by column with `ld` elements from one to the next.
template <class T>
void pack(const Matrix& from, T* to, std::int64_t ld) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  copies().tile(size,
                {from.rows, from.cols, to, size, ld * size, from.data, from.row_stride, from.col_stride});
}
template <class T>
void unpack(const T* from, std::int64_t ld, const Matrix& to) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  copies().tile(size, {to.rows, to.cols, to.data, to.row_stride, to.col_stride, from, size, ld * size});
}

template <class T>
T& element(const Matrix& m, std::int64_t i, std::int64_t j) {
  return *reinterpret_cast<T*>(m.data + i * m.row_stride + j * m.col_stride);
}

template <class T>
void fill(const Matrix& m, T value, T diagonal) {
  for (std::int64_t i = 0; i < m.rows; ++i) {
    for (std::int64_t j = 0; j < m.cols; ++j) element<T>(m, i, j) = i == j ? diagonal : value;
  }
}

/// Copies `n` contiguous numbers to a row of the last dimension of `view`, at `to`.
template <class T>
void put_row(const T* from, std::int64_t n, const View& view, std::byte* to) {
  const std::int64_t step = n > 0 ? view.strides.back() : 0;
  for (std::int64_t i = 0; i < n; ++i) *reinterpret_cast<T*>(to + i * step) = from[i];
}

inline int as_int(std::int64_t n) { return static_cast<int>(n); }
/// A leading dimension: LAPACK wants at least 1.
inline int leading(std::int64_t n) { return as_int(std::max<std::int64_t>(1, n)); }

}  // namespace cuprum::cpu
