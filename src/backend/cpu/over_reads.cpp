#include "backend/cpu/over_reads.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

#include "backend/cpu/direct.h"
#include "backend/cpu/evaluator.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

// Of which a thread has two. (In slices of one row of 4 KB, 40 % of a step went to their beginning and end.)
constexpr std::int64_t kSliceBytes = 24 << 10;
constexpr std::int64_t kMostCopied = 8192;  // elements that are copied to their place by one call
constexpr std::int64_t kChunksPerThread = 4;
constexpr std::int64_t kRowsPerReach = 8;  // of a chunk: edges stay a small part of it
constexpr std::int64_t kApart = -1;        // nothing in common, or the identical view
constexpr std::int64_t kAnywhere = std::int64_t{1} << 40;

/// Bytes [low, high) from the first element that the dimensions from `first` on touch.
struct Extent {
  Extent(const Dims& shape, const Dims& strides, dtype type, std::size_t first)
      : high(static_cast<std::int64_t>(itemsize(type))) {
    for (std::size_t d = first; d < shape.size(); ++d) {
      const std::int64_t way = (shape[d] - 1) * strides[d];
      (way < 0 ? low : high) += way;
    }
  }
  std::int64_t low = 0, high;
};

/// How many rows away from the row that reads `leaf` the same memory may be written.
std::int64_t reach_of(const Dims& shape, const Leaf& leaf, const Store& store) {
  const Buffer *from = leaf.data.buffer(), *to = store.data.buffer();
  if (from && to && from != to && !share_memory(*from, *to)) return kApart;
  const std::int64_t away = leaf.data.address() - store.data.address();
  const bool alike = leaf.strides == store.strides;
  if (away == 0 && alike && itemsize(leaf.type) == itemsize(store.type)) return kApart;
  const Extent all_read(shape, leaf.strides, leaf.type, 0), all_written(shape, store.strides, store.type, 0);
  if (away + all_read.low >= all_written.high || away + all_read.high <= all_written.low) return kApart;
  if (!alike || shape.empty()) return kAnywhere;
  std::int64_t step = 0;  // all places are multiples of it apart: `a[::2] = a[1::2]` has nothing in common
  for (const std::int64_t stride : store.strides) step = std::gcd(step, stride);
  const std::int64_t rest = step == 0 ? 0 : ((away % step) + step) % step;
  if (rest >= static_cast<std::int64_t>(itemsize(store.type)) &&
      rest + static_cast<std::int64_t>(itemsize(leaf.type)) <= step) {
    return kApart;
  }
  if (shape.size() < 2 || store.strides[0] == 0) return kAnywhere;
  const Extent read(shape, leaf.strides, leaf.type, 1), written(shape, store.strides, store.type, 1);
  const std::int64_t least = away + read.low - written.high, most = away + read.high - written.low;
  return std::max(std::abs(least), std::abs(most)) / std::abs(store.strides[0]);
}

std::int64_t reach_of(const Kernel& kernel, const Store& store) {
  std::int64_t reach = kApart;
  for (const Leaf& leaf : kernel.leaves) reach = std::max(reach, reach_of(kernel.shape, leaf, store));
  return reach;
}

/// C order, with `pitch` bytes from row to row.
Dims packed_strides(const Dims& shape, std::int64_t size, std::int64_t pitch) {
  Dims strides = shape;
  for (std::size_t d = shape.size(); d-- > 0; size *= shape[d]) strides[d] = d == 0 ? pitch : size;
  return strides;
}

void run_apart(const Kernel& kernel) {
  if (!run_direct(kernel)) run_elementwise(kernel);
}

/// What is stored lies packed at `from`.
Kernel copy_of(const Kernel& kernel, const Store& store, std::byte* from, const Dims& strides) {
  Kernel copy;
  copy.shape = kernel.shape;
  copy.leaves.push_back({from, store.type, strides});
  copy.stores.push_back(store);
  copy.stores[0].src = 0;
  return copy;
}

void run_by_temporary(const Kernel& kernel) {
  Kernel compute = kernel;
  std::vector<Scratch<std::byte>> memory;
  std::vector<Kernel> copies;
  for (Store& store : compute.stores) {
    if (!store.may_overlap || reach_of(kernel, store) == kApart) continue;
    const auto size = static_cast<std::int64_t>(itemsize(store.type));
    const std::int64_t bytes = element_count(kernel.shape) * size;
    memory.emplace_back(bytes);
    const Dims strides =
        packed_strides(kernel.shape, size, kernel.shape.empty() ? 0 : bytes / kernel.shape[0]);
    copies.push_back(copy_of(kernel, store, memory.back().data(), strides));
    store.data = memory.back().data();
    store.strides = strides;
  }
  run_apart(compute);
  for (const Kernel& copy : copies) run_apart(copy);
}

/// Rows of a kernel with one store.
class Rows {
 public:
  Rows(const Kernel& kernel, std::int64_t reach) : reach_(reach), rows_(kernel.shape[0]) {
    const auto size = static_cast<std::int64_t>(itemsize(kernel.stores[0].type));
    const std::int64_t row = element_count(kernel.shape) / rows_ * size;
    pitch_ = (row + 63) / 64 * 64 + 64;  // rows do not all fall on the same cache sets
    step_ = std::max({reach, kSliceBytes / pitch_, std::int64_t{1}});
    const Dims strides = packed_strides(kernel.shape, size, pitch_);
    compute_ = kernel;
    compute_.stores[0].data = Place();
    compute_.stores[0].strides = strides;
    copy_ = copy_of(kernel, kernel.stores[0], nullptr, strides);
    compile(compute_, {}, computing_);
    CompileOptions whole_rows;
    whole_rows.min_block = std::min(kernel.shape.back(), kMostCopied);
    compile(copy_, whole_rows, copying_);
  }
  Rows(const Rows&) = delete;  // programs refer to the kernels

  void run() {
    const bool parallel =
        num_threads() > 1 && !in_parallel() && computing_.total * computing_.cost >= kParallelWork;
    const std::int64_t most = rows_ / (kRowsPerReach * std::max<std::int64_t>(reach_, 1));
    const std::int64_t chunks = parallel ? std::min(num_threads() * kChunksPerThread, most) : 1;
    if (chunks <= 1) return Worker(*this).run(0, rows_);
    const std::int64_t edge = reach_ * pitch_;
    std::optional<Scratch<std::byte>> edges;
    const auto begin = [&](std::int64_t chunk) { return rows_ * chunk / chunks; };
    const auto first_edge = [&](std::int64_t chunk) { return edges->data() + 2 * chunk * edge; };
    if (reach_ > 0) {
      edges.emplace(2 * chunks * edge);
      parallel_for(chunks, [&](std::int64_t c) {
        Worker worker(*this);
        worker.compute(begin(c), begin(c) + reach_, first_edge(c));
        worker.compute(begin(c + 1) - reach_, begin(c + 1), first_edge(c) + edge);
      });
    }
    parallel_for(chunks, [&](std::int64_t c) {
      Worker worker(*this);
      worker.run(begin(c) + reach_, begin(c + 1) - reach_);
      if (reach_ == 0) return;
      worker.store(begin(c), begin(c) + reach_, first_edge(c));
      worker.store(begin(c + 1) - reach_, begin(c + 1), first_edge(c) + edge);
    });
  }

 private:
  /// One thread's programs, whose places change from slice to slice.
  class Worker {
   public:
    explicit Worker(const Rows& rows)
        : r_(rows),
          computing_(rows.computing_),
          copying_(rows.copying_),
          slices_(thread_scratch(2 * slice_bytes() + room(computing_) + room(copying_))),
          compute_(computing_, slices_ + 2 * slice_bytes()),
          copy_(copying_, slices_ + 2 * slice_bytes() + room(computing_)) {}

    void compute(std::int64_t first, std::int64_t last, std::byte* to) {
      computing_.stores[0].data = to - first * r_.pitch_;
      run_slice(computing_, compute_, first, last);
    }
    void store(std::int64_t first, std::int64_t last, std::byte* from) {
      copying_.leaves[0].data = from - first * r_.pitch_;
      run_slice(copying_, copy_, first, last);
    }

    /// Rows [first, last), which are read by no other rows.
    void run(std::int64_t first, std::int64_t last) {
      std::int64_t waiting = first;  // computed from here on, and not stored
      int slot = 0;
      for (std::int64_t at = first; at < last; at += r_.step_, slot = 1 - slot) {
        compute(at, std::min(at + r_.step_, last), slice(slot));
        if (at > first) store(waiting, at, slice(1 - slot));
        waiting = at;
      }
      if (waiting < last) store(waiting, last, slice(1 - slot));
    }

   private:
    static std::size_t room(const Program& p) { return (p.scratch_bytes() + 63) / 64 * 64; }
    std::size_t slice_bytes() const { return static_cast<std::size_t>(r_.step_ * r_.pitch_); }
    std::byte* slice(int slot) const { return slices_ + static_cast<std::size_t>(slot) * slice_bytes(); }

    const Rows& r_;
    Program computing_, copying_;
    std::byte* slices_;
    Context compute_, copy_;
  };

  std::int64_t reach_, rows_, pitch_, step_;
  Kernel compute_, copy_;
  Program computing_, copying_;
};

}  // namespace

bool run_over_reads(const Kernel& kernel) {
  std::int64_t reach = kApart;
  for (const Store& store : kernel.stores) {
    if (store.may_overlap) reach = std::max(reach, reach_of(kernel, store));
  }
  if (reach == kApart || element_count(kernel.shape) == 0) return false;
  const bool near = reach < kAnywhere && kernel.stores.size() == 1 && runs_along_rows(kernel) &&
                    kernel.shape[0] >= kRowsPerReach * std::max<std::int64_t>(reach, 1);
  if (near) {
    Rows(kernel, reach).run();
  } else {
    run_by_temporary(kernel);
  }
  return true;
}

}  // namespace cuprum::cpu
