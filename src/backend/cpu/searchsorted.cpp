// Values and a sorted row: blocks of values that threads share out. Places are written down, compared or counted while a
// block is in the cache.
#include "backend/cpu/searchsorted.h"

#include <optional>

#include "backend/cpu/backend.h"
#include "backend/cpu/cells_of_row.h"
#include "backend/cpu/copies.h"
#include "backend/cpu/simd/search.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

bool is_array(const std::byte* data, std::int64_t step, std::int64_t size) {
  return step == size && reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(size) == 0;
}

/// The elements of a 1-d view, contiguous, in which `searches` values will be looked for.
class DenseRow {
 public:
  DenseRow(const View& row, std::int64_t searches) : sorted_{row.type, row.data, row.shape[0]} {
    const int size = static_cast<int>(itemsize(row.type));
    if (sorted_.n == 0) return;
    if (!is_array(row.data, row.strides[0], size)) {
      copy_.emplace(sorted_.n * size);
      copies().tile(size, {1, sorted_.n, copy_->data(), 0, size, row.data, 0, row.strides[0]});
      sorted_.data = copy_->data();
    }
    cells_.emplace(sorted_, searches);
  }
  const SortedRow& row() const { return sorted_; }

 private:
  SortedRow sorted_;
  std::optional<Scratch<std::byte>> copy_;
  std::optional<CellsOfRow> cells_;
};

/// A run of values, contiguous.
class DenseValues {
 public:
  DenseValues(const std::byte* from, std::int64_t step, int size, std::int64_t m) : data_(from) {
    if (is_array(from, step, size)) return;
    copies().tile(size, {1, m, copy_, 0, size, from, 0, step});
    data_ = copy_;
  }
  const std::byte* data() const { return data_; }

 private:
  const std::byte* data_;
  alignas(64) std::byte copy_[kSearchBlock * 16];
};

std::int64_t block_count(std::int64_t size) { return (size + kSearchBlock - 1) / kSearchBlock; }

/// Results of a type for blocks of values: search(values, count, results).
template <class Result, class F>
void each_block(const View& values, const View& out, F&& search) {
  constexpr std::int64_t kResult = sizeof(Result);
  const int size = static_cast<int>(itemsize(values.type));
  const Space<2> space({&values, &out}, out.shape.size());
  const std::int64_t in_step = space.step(0), out_step = space.step(1);
  parallel_for(block_count(space.size()), [&](std::int64_t block) {
    alignas(64) Result results[kSearchBlock];
    const std::int64_t begin = block * kSearchBlock;
    space.each_run(begin, std::min(space.size(), begin + kSearchBlock), [&](auto p, std::int64_t m) {
      const DenseValues wanted(p[0], in_step, size, m);
      auto* to = is_array(p[1], out_step, kResult) ? reinterpret_cast<Result*>(p[1]) : results;
      search(wanted.data(), static_cast<int>(m), to);
      if (to == results)
        copies().tile(static_cast<int>(kResult),
                      {1, m, p[1], 0, out_step, reinterpret_cast<std::byte*>(results), 0, kResult});
    });
  });
}

}  // namespace

void searchsorted(const View& row, const View& values, bool right, const View& out) {
  const DenseRow sorted(row, element_count(values.shape));
  each_block<std::int64_t>(values, out, [&](const std::byte* from, int count, std::int64_t* to) {
    CUPRUM_CALL_LEVEL(search_values(sorted.row(), from, count, right, to));
  });
}

void is_among(const View& row, const View& values, const View& out) {
  const DenseRow sorted(row, element_count(values.shape));
  each_block<std::uint8_t>(values, out, [&](const std::byte* from, int count, std::uint8_t* to) {
    CUPRUM_CALL_LEVEL(find_values(sorted.row(), from, count, to));
  });
}

namespace {

/// Values and the edges they are counted between.
struct Counting {
  Counting(const View& edges, const View& values)
      : sorted(edges, element_count(values.shape)),
        space({&values}, values.shape.size()),
        size(static_cast<int>(itemsize(values.type))) {}

  /// found(places, m) for the values of [begin, end), in blocks: interval + 1 of each, so that 0 is before the edges, and
  /// their number behind them. The places are written to `to`, or, without it, to memory of the block.
  template <class F>
  void each_block(std::int64_t begin, std::int64_t end, std::int64_t* to, F&& found) const {
    std::int64_t block[kSearchBlock];
    for (; begin < end; begin += kSearchBlock) {
      space.each_run(begin, std::min(end, begin + kSearchBlock), [&](auto p, std::int64_t m) {
        const DenseValues counted(p[0], space.step(0), size, m);
        std::int64_t* const places = to ? to : block;
        CUPRUM_CALL_LEVEL(find_intervals(sorted.row(), counted.data(), static_cast<int>(m), places));
        found(places, m);
        if (to) to += m;
      });
    }
  }

  DenseRow sorted;
  Space<1> space;
  int size;
};

void count(const std::int64_t* places, std::int64_t m, std::int64_t* counters) {
  for (std::int64_t q = 0; q < m; ++q) ++counters[places[q]];
}

constexpr std::int64_t kManyCounters = 1 << 14;

/// Every thread counts for itself while it searches. Many counters would push the edges out of the caches: the places are
/// then kept, and counted when all are found.
void count_all(const Counting& counting, std::int64_t chunks, std::int64_t counters, std::int64_t* counts) {
  const std::int64_t size = counting.space.size();
  if (counters > kManyCounters) {
    Scratch<std::int64_t> kept(size);
    parallel_for(block_count(size), [&](std::int64_t block) {
      const std::int64_t begin = block * kSearchBlock;
      counting.each_block(begin, std::min(size, begin + kSearchBlock), kept.data() + begin,
                          [](const std::int64_t*, std::int64_t) {});
    });
    return count(kept.data(), size, counts);
  }
  parallel_for(chunks, [&](std::int64_t chunk) {
    counting.each_block(
        size * chunk / chunks, size * (chunk + 1) / chunks, nullptr,
        [&](const std::int64_t* places, std::int64_t m) { count(places, m, counts + chunk * counters); });
  });
}

}  // namespace

void count_between(const View& edges, const View& values, const View& out) {
  const std::int64_t intervals = out.shape[0], counters = intervals + 2;
  if (intervals == 0) return;
  const Counting counting(edges, values);
  const std::int64_t most = counters > kManyCounters ? 1 : num_threads(),
                     chunks = std::clamp<std::int64_t>(counting.space.size() / counters, 1, most);
  Scratch<std::int64_t> counts(chunks * counters);
  std::fill_n(counts.data(), chunks * counters, 0);
  count_all(counting, chunks, counters, counts.data());
  for (std::int64_t i = 0; i < intervals; ++i) {
    std::int64_t sum = 0;
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) sum += counts.data()[chunk * counters + i + 1];
    *reinterpret_cast<std::int64_t*>(out.data + i * out.strides[0]) = sum;
  }
}

void call(const Searchsorted& p, Operands in, const View& out) { searchsorted(in[0], in[1], p.right, out); }
void call(const IsAmong&, Operands in, const View& out) { is_among(in[0], in[1], out); }
void call(const CountBetween&, Operands in, const View& out) { count_between(in[0], in[1], out); }

}  // namespace cuprum::cpu
