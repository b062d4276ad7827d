// Stacks of small matrices in interleaved groups (simd/small_matrix.h): packing, unpacking, and the walk over them.
#pragma once

#include "backend/cpu/lapack/stack.h"
#include "backend/cpu/simd/small_matrix.h"

namespace cuprum::cpu {

inline constexpr int kMostLanes = kGroupBytes / 4;
inline constexpr std::int64_t kFewMatrices = 8;  // below which a group would be mostly empty

inline std::int64_t stack_size(const View& view, std::size_t ndim) {
  std::int64_t count = 1;
  for (std::size_t d = 0; d < ndim; ++d) count *= view.shape[d];
  return count;
}

/// Are they so small and so many that a group of them takes less time than as many calls of LAPACK?
inline bool in_groups(std::int64_t count, std::int64_t side) {
  return side <= kSmallSide && count >= kFewMatrices;
}

/// A matrix of `rows` x `columns` for each lane of a group.
template <class T>
class Group {
 public:
  using R = lapack::Real<T>;
  static constexpr int kLanes = kGroupBytes / static_cast<int>(sizeof(R));

  Group(std::int64_t rows, std::int64_t columns)
      : rows_(rows),
        columns_(columns),
        stride_(group_stride(static_cast<int>(columns))),
        memory_(rows * stride_ * kLanes) {}

  T* data() const { return memory_.data(); }
  std::int64_t columns() const { return columns_; }
  T get(std::int64_t i, std::int64_t j, int lane) const {
    const R* const p = block(i, j);
    if constexpr (lapack::kIsComplex<T>) {
      return {p[lane], p[lane + kLanes]};
    } else {
      return p[lane];
    }
  }

  /// Column `first` and those behind it, in lane l = the matrix that lies l * step behind `from`. Lanes from `count` on repeat the
  /// first one.
  void pack(const Matrix& from, std::int64_t step, int count, std::int64_t first = 0) {
    each_run(from, [&](std::int64_t i, std::int64_t part, std::int64_t n, std::byte* p, std::int64_t stride,
                       std::int64_t gap) {
      R* const to = block(i, first) + part;
      const auto copy = [&](R* at, std::int64_t lanes, std::int64_t from_row) {
        copies().tile(sizeof(R), {lanes, n, at, sizeof(R), gap, p, from_row, stride});
      };
      copy(to, count, step);
      if (count < kLanes) copy(to + count, kLanes - count, 0);
    });
  }
  /// The other way.
  void unpack(const Matrix& to, std::int64_t step, int count, std::int64_t first = 0) const {
    each_run(to, [&](std::int64_t i, std::int64_t part, std::int64_t n, std::byte* p, std::int64_t stride,
                     std::int64_t gap) {
      const R* const from = block(i, first) + part;
      copies().tile(sizeof(R), {count, n, p, step, stride, from, sizeof(R), gap});
    });
  }

  /// The identity in columns [first, columns).
  void set_identity(std::int64_t first) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      std::fill(block(i, first), block(i, columns_), R());
      std::fill(block(i, first + i), block(i, first + i) + kLanes, R(1));
    }
  }
  /// One lane of columns [first, columns).
  void fill(int lane, std::int64_t first, T value) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = first; j < columns_; ++j) {
        R* const p = block(i, j) + lane;
        p[0] = std::real(value);
        if constexpr (lapack::kIsComplex<T>) p[kLanes] = std::imag(value);
      }
    }
  }

 private:
  static constexpr int kStep =
      kLanes * static_cast<int>(sizeof(T) / sizeof(R));  // reals from element to element

  R* block(std::int64_t i, std::int64_t j) const {
    return reinterpret_cast<R*>(memory_.data()) + (i * stride_ + j) * kStep;
  }

  /// Calls f(row, offset in reals, count, address, stride, gap) for runs of reals: one for a row, where complex numbers lie side
  /// by side too, else one for real and one for imaginary parts. `gap`: bytes from one to the next in the group.
  template <class F>
  static void each_run(const Matrix& m, F&& f) {
    constexpr std::int64_t parts = sizeof(T) / sizeof(R), block = kGroupBytes;
    const bool dense = m.col_stride == static_cast<std::int64_t>(sizeof(T)) || m.cols == 1;
    for (std::int64_t i = 0; i < m.rows; ++i) {
      std::byte* const row = m.data + i * m.row_stride;
      if (parts == 1 || dense) {
        f(i, 0, m.cols * parts, row, dense ? static_cast<std::int64_t>(sizeof(R)) : m.col_stride, block);
      } else {
        f(i, 0, m.cols, row, m.col_stride, 2 * block);
        f(i, kLanes, m.cols, row + sizeof(R), m.col_stride, 2 * block);
      }
    }
  }

  std::int64_t rows_, columns_, stride_;
  Scratch<T> memory_;
};

/// A lane of a line of reals, in rising or falling order.
template <class R>
class LaneOrder {
 public:
  LaneOrder(const Group<R>& line, int lane, bool falling) : n_(line.columns()) {
    for (int i = 0; i < n_; ++i) {  // few enough for an insertion
      const R value = line.get(0, i, lane);
      int at = i;
      for (; at > 0 && (falling ? values_[at - 1] < value : values_[at - 1] > value); --at) {
        values_[at] = values_[at - 1];
        from_[at] = from_[at - 1];
      }
      values_[at] = value;
      from_[at] = i;
    }
  }
  int operator[](std::int64_t i) const { return from_[i]; }
  const R* values() const { return values_; }

  /// Row i, or column i where `columns`, of `to` = the row that stands i-th.
  template <class T>
  void put(const Group<T>& rows, int lane, const Matrix& to, bool columns, bool conjugated) const {
    const Matrix by_rows = columns ? to.t() : to;
    for (std::int64_t i = 0; i < n_; ++i) {
      std::byte* const row = by_rows.data + i * by_rows.row_stride;
      for (std::int64_t j = 0; j < rows.columns(); ++j) {
        T value = rows.get(from_[i], j, lane);
        if constexpr (lapack::kIsComplex<T>) {
          if (conjugated) value = std::conj(value);
        }
        *reinterpret_cast<T*>(row + j * by_rows.col_stride) = value;
      }
    }
  }

 private:
  std::int64_t n_;
  R values_[kSmallSide];
  int from_[kSmallSide];
};

/// The address of each view's matrix in a lane.
template <int N>
typename Space<N>::Pointers lane_pointers(const Space<N>& stack, typename Space<N>::Pointers p, int lane) {
  for (int k = 0; k < N; ++k) p[k] += lane * stack.step(k);
  return p;
}

/// Calls make_worker() for each task, and its result `worker(pointers, count, failed)` for each group of at most `lanes` matrices,
/// the k-th of which lies k * stack.step(view) behind the pointers.
template <int N, class F>
Fault each_group(const Space<N>& stack, int lanes, double work, F&& make_worker) {
  const BlasThreads one(1);  // for what is left to LAPACK
  FirstFault first;
  const std::int64_t count = stack.size();
  const auto enough = static_cast<std::int64_t>(kTaskWork / std::max(work, 1.0)) + 1;
  const std::int64_t grain = ceil_div(enough, lanes) * lanes;
  parallel_for(ceil_div(count, grain), [&](std::int64_t task) {
    auto worker = make_worker();
    std::int64_t number = task * grain;
    stack.each_run(number, std::min(count, number + grain), [&](auto p, std::int64_t n) {
      for (std::int64_t done = 0; done < n; done += lanes) {
        const int here = static_cast<int>(std::min<std::int64_t>(lanes, n - done));
        unsigned char failed[kMostLanes] = {};
        worker(p, here, failed);
        for (int l = here; l-- > 0;) {
          if (failed[l]) first.note(number + l);
        }
        number += here;
        for (int k = 0; k < N; ++k) p[k] += here * stack.step(k);
      }
    });
  });
  return first.fault();
}

}  // namespace cuprum::cpu
