// Gather and scatter. Three steps:
//   1. check: the smallest and largest index of every array, in parallel; only a bad array is searched for
//      its first fault;
//   2. turn the indices of a block of positions into byte offsets, one array after the other (vectorised, in
//      L1);
//   3. move: single elements (the processor keeps dozens of independent reads in flight; prefetching gains
//      nothing), or whole rows.
// Scatters keep the C order of writes, and folds that of operations. Scatters split what lies behind the indexed
// dimensions or, of single elements, the memory that is written: a task goes through all positions and writes
// those of its share; what belongs to others goes to memory that nobody reads, so that no branch is
// mispredicted.
#include "backend/cpu/gather.h"

#include <atomic>
#include <cstring>
#include <limits>
#include <type_traits>

#include "backend/cpu/backend.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/simd/fold_at.h"
#include "backend/cpu/simd/indices.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"
#include "backend/cpu/words.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kBlock = 1024;         // offsets kept at once: 8 KB
constexpr std::int64_t kChunk = 32 * kBlock;  // positions per task

std::int64_t index_at(const std::byte* p) {
  std::int64_t value;
  std::memcpy(&value, p, sizeof(value));
  return value;
}

/// One dimension, one block: not worth a walk over a space, nor other threads.
bool is_short_line(const View& view) { return view.shape.size() == 1 && view.shape[0] <= kBlock; }

/// Whether all indices of [begin, end) lie in [-extent, extent).
bool in_bounds(const Space<1>& space, std::int64_t begin, std::int64_t end, std::int64_t extent) {
  bool good = true;
  space.each_run(begin, end, [&](auto p, std::int64_t n) {
    good &= CUPRUM_CALL_LEVEL(indices_in_bounds(n, p[0], space.step(0), extent));
  });
  return good;
}

}  // namespace

Fault first_fault(Operands index, const Dims& shape) {
  for (std::size_t k = 0; k < index.size(); ++k) {
    if (is_short_line(index[k]) &&
        CUPRUM_CALL_LEVEL(indices_in_bounds(index[k].shape[0], index[k].data, index[k].strides[0], shape[k])))
      continue;
    const Space<1> space({&index[k]}, index[k].shape.size());
    const std::int64_t chunks = (space.size() + kChunk - 1) / kChunk;
    std::vector<unsigned char> good(chunks);
    parallel_for(chunks, [&](std::int64_t c) {
      good[c] = in_bounds(space, c * kChunk, std::min(space.size(), (c + 1) * kChunk), shape[k]);
    });
    for (std::int64_t c = 0; c < chunks; ++c) {
      if (good[c]) continue;
      Fault fault;
      space.each(c * kChunk, std::min(space.size(), (c + 1) * kChunk), [&](auto p) {
        const std::int64_t i = index_at(p[0]);
        if (fault.axis < 0 && (i < -shape[k] || i >= shape[k])) fault = {static_cast<int>(k), i};
      });
      return fault;
    }
  }
  return {};
}

namespace {

/// Byte offsets into an array of the positions that the index arrays name.
class Offsets {
 public:
  Offsets(const View& array, Operands index) : array_(array) {
    for (const View& i : index) spaces_.emplace_back(std::array{&i}, i.shape.size());
  }

  /// offsets[i - begin] for the positions [begin, end) of the index arrays, at most kBlock of them.
  void compute(std::int64_t begin, std::int64_t end, std::int64_t* offsets) const {
    std::fill(offsets, offsets + (end - begin), 0);
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      const std::int64_t extent = array_.shape[k], stride = array_.strides[k], step = spaces_[k].step(0);
      std::int64_t* to = offsets;
      spaces_[k].each_run(begin, end, [&](auto p, std::int64_t n) {
        CUPRUM_CALL_LEVEL(add_offsets(n, p[0], step, extent, stride, to));
        to += n;
      });
    }
  }

 private:
  const View& array_;
  std::vector<Space<1>> spaces_;
};

/// Bytes of an array, as offsets, that one task of a scatter writes.
class Share {
 public:
  Share(std::int64_t low, std::int64_t high) : low_(low), high_(high) {}

  /// Sends what is not of this share elsewhere.
  void redirect(std::int64_t* offsets, std::int64_t n, const std::byte* array) {
    CUPRUM_CALL_LEVEL(redirect_offsets(n, offsets, low_, high_, elsewhere_ - array));
  }

 private:
  std::int64_t low_, high_;
  alignas(64) std::byte elsewhere_[16 * 16] = {};
};

constexpr std::int64_t kShared = 1 << 15;  // positions of a scatter that several tasks share
constexpr std::int64_t kCached = 1 << 20;  // bytes of an array that random writes find in the cache

/// Calls f(share) for the shares of the memory that indices of the first `indexed` dimensions name.
template <class F>
void each_share(const View& array, std::size_t indexed, F&& f) {
  std::int64_t low = 0, high = 1;
  for (std::size_t d = 0; d < indexed; ++d) {
    const std::int64_t reach = (array.shape[d] - 1) * array.strides[d];
    (reach < 0 ? low : high) += reach;
  }
  const std::int64_t parts = std::min(num_threads(), 4);
  parallel_for(parts, [&](std::int64_t p) {
    Share share(low + (high - low) / parts * p, p + 1 == parts ? high : low + (high - low) / parts * (p + 1));
    f(share);
  });
}

/// The two sides of a move: `array` is indexed, `line` has the index shape followed by the row shape.
struct Move {
  const View& array;
  const View& line;
  std::size_t index_ndim;  // dimensions of the index arrays
  std::size_t indexed;     // dimensions of `array` that they replace
  bool gathers;            // line = array[index], else array[index] = line
  std::int64_t apart = 0;  // of a fold: see Places

  /// The row dimensions as a pair of views: of `array` at offset zero, of `line` at its beginning.
  std::pair<View, View> rows() const {
    View a{array.data, array.type, {}, {}}, b{line.data, line.type, {}, {}};
    for (std::size_t d = indexed; d < array.shape.size(); ++d) {
      a.shape.push_back(array.shape[d]);
      a.strides.push_back(array.strides[d]);
      b.shape.push_back(array.shape[d]);
      b.strides.push_back(line.strides[index_ndim + d - indexed]);
    }
    return {a, b};
  }
};

/// Single elements of positions whose byte offsets are given; `p` walks the line.
template <class T>
void move_elements(bool gathers, std::byte* array, const std::int64_t* offsets, std::byte* p,
                   std::int64_t step, std::int64_t n) {
  if (gathers) {
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(p + i * step, array + offsets[i], sizeof(T));
  } else {
    constexpr std::int64_t ahead =
        192;  // places that are fetched before they are written, as in simd/fold_at.cpp
    for (std::int64_t i = 0; i < n; ++i) {
      __builtin_prefetch(array + offsets[std::min(i + ahead, n - 1)], 1);
      std::memcpy(array + offsets[i], p + i * step, sizeof(T));
    }
  }
}

template <class T>
void move_run(bool gathers, std::byte* array, std::int64_t array_step, std::byte* line,
              std::int64_t line_step, std::int64_t n) {
  std::byte* to = gathers ? line : array;
  const std::byte* from = gathers ? array : line;
  const std::int64_t to_step = gathers ? line_step : array_step, from_step = gathers ? array_step : line_step;
  constexpr std::int64_t size = sizeof(T);
  if (to_step == size && from_step == size) {
    std::memcpy(to, from, n * size);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * to_step, from + i * from_step, size);
}

/// All positions of [begin, end), with the elements [row_begin, row_end) of each row.
template <class T>
void move_range(const Move& move, const Offsets& offsets, std::int64_t begin, std::int64_t end,
                const Space<2>& row, std::int64_t row_begin, std::int64_t row_end, Share* share = nullptr) {
  std::int64_t block[kBlock];
  const Space<1> positions({&move.line}, move.index_ndim);
  const bool single = row.size() == 1;
  // x[:, i]: where positions lie closer together in the line than the elements of a row, rows are the outer
  // loop (2000 x 900 float32: 7.3 ms -> 1.5).
  const bool across = std::abs(positions.step(0)) < std::abs(row.step(1));
  for (; begin < end; begin += kBlock) {
    const std::int64_t stop = std::min(end, begin + kBlock);
    offsets.compute(begin, stop, block);
    if (share) share->redirect(block, stop - begin, move.array.data);
    std::int64_t done = 0;
    positions.each_run(begin, stop, [&](auto p, std::int64_t n) {
      const std::int64_t step = positions.step(0);
      if (single) {
        move_elements<T>(move.gathers, move.array.data, block + done, p[0], step, n);
      } else if (across) {
        row.each(row_begin, row_end, [&](auto q) {
          move_elements<T>(move.gathers, q[0], block + done, q[1] + (p[0] - move.line.data), step, n);
        });
      } else {
        for (std::int64_t i = 0; i < n; ++i) {
          const std::int64_t to_array = block[done + i], to_line = p[0] + i * step - move.line.data;
          row.each_run(row_begin, row_end, [&](auto q, std::int64_t m) {
            move_run<T>(move.gathers, q[0] + to_array, row.step(0), q[1] + to_line, row.step(1), m);
          });
        }
      }
      done += n;
    });
  }
}

/// Moves everything, in parallel over positions (gathers only: the order of writes counts in a scatter) or
/// rows.
void move_all(const Move& move, Operands index) {
  const auto [array_row, line_row] = move.rows();
  const Space<2> row({&array_row, &line_row}, array_row.shape.size());
  const Space<1> positions({&move.line}, move.index_ndim);
  const std::int64_t count = positions.size(), length = row.size();
  if (count == 0 || length == 0) return;
  const Offsets offsets(move.array, index);
  with_word(itemsize(move.array.type), [&](auto word) {
    using T = decltype(word);
    const std::int64_t grain = std::max<std::int64_t>(1, kChunk / length);
    if (move.gathers && count >= 4 * grain) {
      parallel_for((count + grain - 1) / grain, [&](std::int64_t c) {
        move_range<T>(move, offsets, c * grain, std::min(count, (c + 1) * grain), row, 0, length);
      });
    } else if (!move.gathers && length == 1 && count >= kShared && num_threads() > 1) {
      each_share(move.array, move.indexed,
                 [&](Share& share) { move_range<T>(move, offsets, 0, count, row, 0, length, &share); });
    } else {
      parallel_for((length + kChunk - 1) / kChunk, [&](std::int64_t c) {
        move_range<T>(move, offsets, 0, count, row, c * kChunk, std::min(length, (c + 1) * kChunk));
      });
    }
  });
}

/// A line of few single elements, in one go (16 of them: 1500 instructions -> 300).
bool gather_directly(const View& from, Operands index, const View& out) {
  if (from.shape.size() != index.size() || !is_short_line(index[0])) return false;
  std::int64_t offsets[kBlock];
  const std::int64_t n = index[0].shape[0];
  std::fill(offsets, offsets + n, 0);
  for (std::size_t k = 0; k < index.size(); ++k) {
    CUPRUM_CALL_LEVEL(
        add_offsets(n, index[k].data, index[k].strides[0], from.shape[k], from.strides[k], offsets));
  }
  with_word(itemsize(from.type), [&](auto word) {
    move_elements<decltype(word)>(true, from.data, offsets, out.data, out.strides[0], n);
  });
  return true;
}

/// One operation applied to elements or runs of them.
struct Fold {
  Fold(Op op, dtype key, const View& to, const View& from)
      : loop(loops().loop[static_cast<int>(op)][static_cast<int>(key)]),
        single(to.type == from.type ? CUPRUM_CALL_LEVEL(fold_at_loop(op, key)) : nullptr),
        to_size(static_cast<std::int64_t>(itemsize(to.type))),
        from_size(static_cast<std::int64_t>(itemsize(from.type))) {}

  void run(std::byte* to, std::int64_t to_step, std::byte* from, std::int64_t from_step,
           std::int64_t n) const {
    if (to_step == to_size && from_step == from_size) return loop(n, to, to, from, nullptr);
    for (std::int64_t i = 0; i < n; ++i) {
      std::byte* element = to + i * to_step;
      loop(1, element, element, from + i * from_step, nullptr);
    }
  }

  LoopFn loop;
  FoldAtFn single;  // for single elements; null where there is none
  std::int64_t to_size, from_size;
};

/// Single elements at the places that one contiguous index array names.
bool fold_directly(const Move& move, Operands index, const Fold& fold, std::int64_t begin, std::int64_t end) {
  if (index.size() != 1) return false;
  const Space<2> positions({&index[0], &move.line}, move.index_ndim);
  const bool whole = positions.run_length() == positions.size() && positions.step(0) == 8 &&
                     reinterpret_cast<std::uintptr_t>(index[0].data.address()) % 8 == 0;
  if (!whole) return false;
  positions.each_run(begin, end, [&](auto p, std::int64_t n) {
    const std::int64_t extent = move.array.shape[0], stride = move.array.strides[0];
    const Places places{reinterpret_cast<const std::int64_t*>(p[0]), extent, stride,
                        extent * std::abs(stride) > kCached, move.apart};
    fold.single(n, move.array.data, places, p[1], positions.step(1));
  });
  return true;
}

/// Positions [begin, end) one after the other; the elements of a row are different ones, so a row is one step.
void fold_rows(const Move& move, Operands index, const Space<2>& row, const Fold& fold, std::int64_t begin,
               std::int64_t end) {
  if (row.size() == 1 && fold.single && fold_directly(move, index, fold, begin, end)) return;
  const Space<1> positions({&move.line}, move.index_ndim);
  const Offsets offsets(move.array, index);
  std::int64_t block[kBlock];
  for (; begin < end; begin += kBlock) {
    const std::int64_t stop = std::min(end, begin + kBlock);
    offsets.compute(begin, stop, block);
    const std::int64_t* offset = block;
    positions.each_run(begin, stop, [&](auto p, std::int64_t n) {
      if (row.size() == 1 && fold.single != nullptr) {
        fold.single(n, move.array.data, {offset, 0, 1, false, move.apart}, p[0], positions.step(0));
        offset += n;
        return;
      }
      for (std::int64_t i = 0; i < n; ++i) {
        const std::int64_t to_array = *offset++, to_line = p[0] + i * positions.step(0) - move.line.data;
        row.each_run(0, row.size(), [&](auto q, std::int64_t m) {
          fold.run(q[0] + to_array, row.step(0), q[1] + to_line, row.step(1), m);
        });
      }
    });
  }
}

constexpr std::int64_t kFewBytes = 1 << 18;     // of an array that is copied for a fold
constexpr std::int64_t kCopiedBytes = 1 << 13;  // of one of which a thread has kCopies, in its L1 cache

/// A fold of single elements into a small array. It is done on a copy, so that the indices can be checked on the way: one
/// pass over them less. Sums of integers are the same in any order: every thread then has a copy, or several, of zeros, and a
/// part of the positions. False: an index is out of bounds, and nothing was written.
class CopiedFold {
 public:
  CopiedFold(const Move& move, Operands index, const Space<2>& row, const Fold& fold, bool sums, bool checked)
      : move_(move),
        index_(index),
        row_(row),
        fold_(fold),
        sums_(sums),
        checked_(checked),
        count_(element_count(index[0].shape)),
        bytes_(element_count(move.array.shape) * fold.to_size),
        parts_(sums ? std::min(num_threads(), 8) : 1),
        copies_(sums && bytes_ <= kCopiedBytes ? kCopies : 1),
        memory_(parts_ * copies_ * bytes_) {
    for (const View& i : index) spaces_.emplace_back(std::array{&i}, i.shape.size());
  }

  bool run() {
    if (sums_) {
      std::memset(memory_.data(), 0, static_cast<std::size_t>(parts_ * copies_ * bytes_));
    } else {
      each_run(0, [&](std::byte* array, std::int64_t step, std::byte* copy, std::int64_t n) {
        const int size = static_cast<int>(fold_.to_size);
        copies().tile(size, {1, n, copy, 0, size, array, 0, step});
      });
    }
    if (!(sums_ ? fold_in_parts() : fold_in_order())) return false;
    for (std::int64_t number = 0; number < parts_ * copies_; ++number) {
      each_run(number, [&](std::byte* array, std::int64_t step, std::byte* copy, std::int64_t n) {
        const int size = static_cast<int>(fold_.to_size);
        if (sums_) return fold_.run(array, step, copy, size, n);
        copies().tile(size, {1, n, array, 0, step, copy, 0, size});
      });
    }
    return true;
  }

 private:
  View copy(std::int64_t number) const {
    View view{memory_.data() + number * bytes_, move_.array.type, move_.array.shape, {}};
    view.strides = Dims(view.shape.size());
    std::int64_t stride = fold_.to_size;
    for (std::size_t d = view.shape.size(); d-- > 0; stride *= view.shape[d]) view.strides[d] = stride;
    return view;
  }

  /// Calls f(array, its step, copy, n) for runs of both.
  template <class F>
  void each_run(std::int64_t number, F&& f) const {
    const View view = copy(number);
    const Space<2> all({&move_.array, &view}, view.shape.size());
    all.each_run(0, all.size(), [&](auto p, std::int64_t n) { f(p[0], all.step(0), p[1], n); });
  }

  bool is_good(std::int64_t begin, std::int64_t end) const {
    if (checked_) return true;
    for (std::size_t k = 0; k < spaces_.size(); ++k) {
      if (!in_bounds(spaces_[k], begin, end, move_.array.shape[k])) return false;
    }
    return true;
  }

  bool fold_in_parts() const {
    std::atomic<bool> good = true;
    parallel_for(parts_, [&](std::int64_t part) {
      if (!fold_part(part)) good = false;
    });
    return good;
  }

  bool fold_part(std::int64_t part) const {
    const View view = copy(part * copies_);
    const Move mine{view, move_.line, move_.index_ndim, move_.indexed, false, copies_ > 1 ? bytes_ : 0};
    const std::int64_t end = count_ * (part + 1) / parts_;
    for (std::int64_t begin = count_ * part / parts_; begin < end; begin += kChunk) {
      const std::int64_t stop = std::min(end, begin + kChunk);
      if (!is_good(begin, stop)) return false;
      fold_rows(mine, index_, row_, fold_, begin, stop);
    }
    return true;
  }

  /// What one thread folds in order, while a second one, where there is one, checks indices ahead of it: they are then
  /// in the cache too. Neither waits for the other.
  bool fold_in_order() const {
    const View view = copy(0);
    const Move mine{view, move_.line, move_.index_ndim, move_.indexed, false};
    const std::int64_t chunks = (count_ + kChunk - 1) / kChunk;
    std::vector<std::atomic<bool>> checked(chunks);
    std::atomic<std::int64_t> folded = 0;
    std::atomic<bool> good = true;
    parallel_for(2, [&](std::int64_t task) {
      for (std::int64_t c = task; c < chunks && good; ++c) {
        const std::int64_t begin = c * kChunk, stop = std::min(count_, begin + kChunk);
        if (task == 1 && folded > c) continue;
        if (!checked[c]) {
          if (!is_good(begin, stop)) good = false;
          checked[c] = true;
        }
        if (task == 1 || !good) continue;
        fold_rows(mine, index_, row_, fold_, begin, stop);
        folded = c + 1;
      }
    });
    return good;
  }

  const Move& move_;
  const Operands index_;
  const Space<2>& row_;
  const Fold& fold_;
  bool sums_, checked_;
  std::int64_t count_, bytes_, parts_, copies_;
  Scratch<std::byte> memory_;
  std::vector<Space<1>> spaces_;
};

}  // namespace

Fault gather(const View& from, Operands index, const View& out, bool checked) {
  const Fault fault = checked ? Fault() : first_fault(index, from.shape);
  if (fault.axis < 0 && !gather_directly(from, index, out))
    move_all({from, out, index[0].shape.size(), index.size(), true}, index);
  return fault;
}

Fault scatter(const View& to, Operands index, const View& from) {
  const Fault fault = first_fault(index, to.shape);
  if (fault.axis < 0) move_all({to, from, index[0].shape.size(), index.size(), false}, index);
  return fault;
}

Fault scatter_fold(Op op, dtype key, const View& to, Operands index, const View& from, bool checked) {
  View line = from;
  if (info(op).nin == 1) {  // no second operand: nothing is read
    line = {to.data, to.type, index[0].shape, {}};
    for (std::size_t d = index.size(); d < to.shape.size(); ++d) line.shape.push_back(to.shape[d]);
    line.strides = Dims(line.shape.size(), 0);
  }
  const Move move{to, line, index[0].shape.size(), index.size(), false};
  const auto [to_row, from_row] = move.rows();
  const Space<2> row({&to_row, &from_row}, to_row.shape.size());
  const Fold fold(op, key, to, line);
  const std::int64_t count = element_count(index[0].shape);
  const bool sums = op == Op::add && is_integer(key);
  if (row.size() == 1 && fold.single && count >= kShared && (sums || !checked) &&
      element_count(to.shape) * fold.to_size <= kFewBytes) {
    if (CopiedFold(move, index, row, fold, sums, checked).run()) return {};
  }
  const Fault fault = checked ? Fault() : first_fault(index, to.shape);
  if (fault.axis < 0 && row.size() > 0) fold_rows(move, index, row, fold, 0, count);
  return fault;
}

Fault call(const Gather& p, Operands in, const View& out) {
  return gather(in[0], in.subspan(1), out, p.checked);
}
Fault call(const CheckIndices& p, Operands in, const View&) { return first_fault(in, p.shape); }
Fault call(const Scatter&, Operands in, const View& out) { return scatter(out, in.subspan(1), in[0]); }
Fault call(const ScatterFold& p, Operands in, const View& out) {
  return scatter_fold(p.op, p.key, out, in.subspan(1), in[0], p.checked);
}

}  // namespace cuprum::cpu
