// Cumulative folds along the last axis. Which way a scan goes depends on its layout and shape:
//   columns   the axis strides over memory and a neighbouring axis does not: rows of the matrix are folded as
//             vectors
//   lanes     many rows: four are walked side by side, groups of them in parallel
//   waves     few long rows: the totals of all chunks of a wave, in parallel; then each chunk from the total
//             before it. A wave fits in the cache, so memory is read once
// All give the same bits: a row is cut into chunks by its length alone (simd/scan.h), so rows up to
// kScanChunk elements equal NumPy's, longer ones are more accurate. Sums of non-negative numbers never
// decrease, across chunks too.
#include "backend/cpu/scan.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "backend/cpu/backend.h"
#include "backend/cpu/loops.h"
#include "backend/cpu/simd/scan.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu {

namespace {

constexpr std::int64_t kTaskElements = 1 << 14;  // below this much work a task is not worth its hand-over
constexpr std::int64_t kWaveBytes = 1 << 20;

unsigned char* bytes(std::byte* p) { return reinterpret_cast<unsigned char*>(p); }

/// The rows of a scan: their length, steps and loops.
struct Pass {
  Pass(ScanOp op, const View& in, const View& out)
      : loops(CUPRUM_CALL_LEVEL(scan_loops(static_cast<int>(op), in.type))),
        size(static_cast<std::int64_t>(itemsize(in.type))),
        n(in.shape.back()),
        in_step(in.strides.back()),
        out_step(out.strides.back()) {}

  ScanLane at(ScanLane row, std::int64_t i) const { return {row.in + i * in_step, row.out + i * out_step}; }
  std::int64_t chunk() const { return loops.kind == ScanKind::chunked ? kScanChunk : n; }

  const ScanLoops& loops;
  std::int64_t size, n, in_step, out_step;
};

/// One chunk of several rows that starts from `state`, and the state after it.
void continue_rows(const Pass& s, int lanes, const ScanLane* lane, std::int64_t n, unsigned char* state) {
  unsigned char totals[kScanLanes * 16];
  s.loops.total(lanes, lane, n, s.in_step, totals);
  bool sound = true;
  for (int k = 0; k < lanes; ++k) sound &= !s.loops.overflowed(state + k * s.size, totals + k * s.size);
  if (!sound) {
    for (int k = 0; k < lanes; ++k) {
      unsigned char* own = state + k * s.size;
      if (s.loops.overflowed(own, totals + k * s.size)) {
        s.loops.carry(1, lane + k, n, s.in_step, s.out_step, own, false);
      } else {
        s.loops.offset(1, lane + k, n, s.in_step, s.out_step, own);
        std::memcpy(own, lane[k].out + (n - 1) * s.out_step, s.size);
      }
    }
    return;
  }
  s.loops.offset(lanes, lane, n, s.in_step, s.out_step, state);
  for (int k = 0; k < lanes; ++k) std::memcpy(state + k * s.size, lane[k].out + (n - 1) * s.out_step, s.size);
}

void scan_lanes(const Pass& s, int lanes, const ScanLane* row) {
  unsigned char state[kScanLanes * 16];
  const std::int64_t chunk = s.chunk();
  s.loops.carry(lanes, row, std::min(chunk, s.n), s.in_step, s.out_step, state, true);
  for (std::int64_t i = chunk; i < s.n; i += chunk) {
    ScanLane lane[kScanLanes];
    for (int k = 0; k < lanes; ++k) lane[k] = s.at(row[k], i);
    continue_rows(s, lanes, lane, std::min(chunk, s.n - i), state);
  }
}

void scan_rows(const Pass& s, const Space<2>& rows) {
  const std::int64_t groups = std::max<std::int64_t>(1, kTaskElements / (s.n * kScanLanes));
  const std::int64_t grain = groups * kScanLanes;
  parallel_for((rows.size() + grain - 1) / grain, [&](std::int64_t task) {
    ScanLane lane[kScanLanes];
    int lanes = 0;
    rows.each(task * grain, std::min(rows.size(), (task + 1) * grain), [&](auto p) {
      lane[lanes++] = {bytes(p[0]), bytes(p[1])};
      if (lanes == kScanLanes) scan_lanes(s, std::exchange(lanes, 0), lane);
    });
    if (lanes > 0) scan_lanes(s, lanes, lane);
  });
}

/// One long row, wave after wave.
class Waves {
 public:
  Waves(const Pass& s, ScanLane row) : s_(s), row_(row) {}

  void run() {
    const std::int64_t chunks = (s_.n + kScanChunk - 1) / kScanChunk;
    const std::int64_t per_wave =
        std::max<std::int64_t>(4 * kScanLanes, kWaveBytes * num_threads() / (kScanChunk * s_.size));
    starts_.resize(per_wave * s_.size);
    totals_.resize(per_wave * s_.size);
    done_.resize(per_wave);
    for (std::int64_t first = 0; first < chunks; first += per_wave)
      wave(first, std::min(chunks, first + per_wave));
  }

 private:
  std::int64_t length(std::int64_t chunk) const { return std::min(kScanChunk, s_.n - chunk * kScanChunk); }
  ScanLane lane(std::int64_t chunk) const { return s_.at(row_, chunk * kScanChunk); }

  /// Calls f(index in the wave, lanes, lane, length) for groups of chunks of one length, in parallel.
  template <class F>
  void each_group(std::int64_t first, std::int64_t last, F&& f) const {
    parallel_for((last - first + kScanLanes - 1) / kScanLanes, [&](std::int64_t group) {
      const std::int64_t begin = first + group * kScanLanes, end = std::min(last, begin + kScanLanes);
      ScanLane lanes[kScanLanes];
      for (std::int64_t c = begin; c < end; ++c) lanes[c - begin] = lane(c);
      if (length(end - 1) == length(begin))
        return f(begin - first, static_cast<int>(end - begin), lanes, length(begin));
      for (std::int64_t c = begin; c < end; ++c) f(c - first, 1, lanes + (c - begin), length(c));
    });
  }

  void wave(std::int64_t first, std::int64_t last) {
    const ScanLoops& loops = s_.loops;
    each_group(first, last, [&](std::int64_t c, int lanes, const ScanLane* lane, std::int64_t n) {
      loops.total(lanes, lane, n, s_.in_step, &totals_[c * s_.size]);
    });
    for (std::int64_t c = first; c < last; ++c) start_chunk(c, c - first);
    each_group(first, last, [&](std::int64_t c, int lanes, const ScanLane* lane, std::int64_t n) {
      write_group(first + c == 0, c, lanes, lane, n);
    });
  }

  /// The fold of everything before the chunk, and then of the chunk too.
  void start_chunk(std::int64_t chunk, std::int64_t c) {
    unsigned char* total = &totals_[c * s_.size];
    done_[c] = false;
    std::memcpy(&starts_[c * s_.size], before_, s_.size);
    if (chunk > 0 && s_.loops.kind == ScanKind::chunked && s_.loops.overflowed(before_, total)) {
      const ScanLane own = lane(chunk);
      s_.loops.carry(1, &own, length(chunk), s_.in_step, s_.out_step, before_, false);
      done_[c] = true;
    } else {
      unsigned char ignored[16];
      const ScanLane one{total, ignored};
      s_.loops.carry(1, &one, 1, 0, 0, before_, chunk == 0);
    }
  }

  void write_group(bool fresh, std::int64_t c, int lanes, const ScanLane* lane, std::int64_t n) {
    bool any_done = fresh;
    for (int k = 0; k < lanes; ++k) any_done |= done_[c + k];
    if (!any_done) return write(lanes, lane, n, c, false);
    for (int k = 0; k < lanes; ++k) {
      if (!done_[c + k]) write(1, lane + k, n, c + k, fresh && k == 0);
    }
  }

  void write(int lanes, const ScanLane* lane, std::int64_t n, std::int64_t c, bool fresh) {
    unsigned char* start = &starts_[c * s_.size];
    if (s_.loops.kind == ScanKind::exact || fresh) {
      s_.loops.carry(lanes, lane, n, s_.in_step, s_.out_step, start, fresh);
    } else {
      s_.loops.offset(lanes, lane, n, s_.in_step, s_.out_step, start);
    }
  }

  const Pass& s_;
  ScanLane row_;
  unsigned char before_[16];
  std::vector<unsigned char> starts_, totals_;
  std::vector<unsigned char> done_;
};

/// Columns [begin, end) of one matrix.
void scan_columns(const Pass& s, ScanLane first, std::int64_t width) {
  alignas(64) unsigned char state[kScanWidth * 16];
  const std::int64_t chunk = s.chunk();
  for (std::int64_t i = 0; i < s.n; i += chunk) {
    const ScanLane lane = s.at(first, i);
    const std::int64_t n = std::min(chunk, s.n - i);
    if (!s.loops.columns(lane.in, lane.out, n, s.in_step, s.out_step, width, state, i == 0)) continue;
    for (std::int64_t c = 0; c < width; ++c) {
      const ScanLane own{lane.in + c * s.size, lane.out + c * s.size};
      continue_rows(s, 1, &own, n, state + c * s.size);
    }
  }
}

/// A dimension along which neighbours lie side by side in both arrays, or -1.
int neighbouring(const View& in, const View& out) {
  const std::int64_t size = static_cast<std::int64_t>(itemsize(in.type));
  const int last = static_cast<int>(in.shape.size()) - 1;
  if (in.strides[last] == size && out.strides[last] == size) return -1;
  for (int d = 0; d < last; ++d) {
    if (in.strides[d] == size && out.strides[d] == size && in.shape[d] >= 8) return d;
  }
  return -1;
}

void scan_matrices(const Pass& s, View in, View out, int across) {
  const std::int64_t width = in.shape[across];
  for (View* v : {&in, &out}) {
    v->shape.erase(across);
    v->strides.erase(across);
  }
  const Space<2> matrices({&in, &out}, in.shape.size() - 1);
  // Narrow enough for several tasks, wide enough for whole cache lines.
  const std::int64_t block = std::clamp<std::int64_t>(width / (2 * num_threads()) / 64 * 64, 64, kScanWidth);
  const std::int64_t blocks = (width + block - 1) / block;
  parallel_for(matrices.size() * blocks, [&](std::int64_t task) {
    const std::int64_t matrix = task / blocks, begin = task % blocks * block;
    matrices.each(matrix, matrix + 1, [&](auto p) {
      scan_columns(s, {bytes(p[0]) + begin * s.size, bytes(p[1]) + begin * s.size},
                   std::min(block, width - begin));
    });
  });
}

/// Any operation: element i of many rows at a time, through its elementwise loop.
void scan_generic(Op fold, const View& in, const View& out) {
  constexpr std::int64_t kRows = 256;
  const LoopFn loop = loops().loop[static_cast<int>(fold)][static_cast<int>(in.type)];
  const std::int64_t size = static_cast<std::int64_t>(itemsize(in.type)), n = in.shape.back();
  const std::int64_t in_step = in.strides.back(), out_step = out.strides.back();
  const Space<2> rows({&in, &out}, in.shape.size() - 1);
  parallel_for((rows.size() + kRows - 1) / kRows, [&](std::int64_t task) {
    std::array<std::byte*, 2> row[kRows];
    alignas(64) std::byte state[kRows * 16], next[kRows * 16];
    std::int64_t count = 0;
    rows.each(task * kRows, std::min(rows.size(), (task + 1) * kRows), [&](auto p) { row[count++] = p; });
    for (std::int64_t i = 0; i < n; ++i) {
      std::byte* to = i == 0 ? state : next;
      for (std::int64_t r = 0; r < count; ++r) std::memcpy(to + r * size, row[r][0] + i * in_step, size);
      if (i > 0) loop(count, state, state, next, nullptr);
      for (std::int64_t r = 0; r < count; ++r) std::memcpy(row[r][1] + i * out_step, state + r * size, size);
    }
  });
}

}  // namespace

void scan(ScanOp op, Op fold, const View& in, const View& out) {
  if (in.shape.back() == 0) return;
  if (op == ScanOp::generic) return scan_generic(fold, in, out);
  const Pass s(op, in, out);
  const int across = neighbouring(in, out);
  if (across >= 0) return scan_matrices(s, in, out, across);
  const Space<2> rows({&in, &out}, in.shape.size() - 1);
  const bool few = rows.size() < kScanLanes * num_threads();
  if (!few || s.n < 4 * kScanChunk || s.loops.kind == ScanKind::sequential) return scan_rows(s, rows);
  rows.each(0, rows.size(), [&](auto p) { Waves(s, {bytes(p[0]), bytes(p[1])}).run(); });
}

void call(const Scan& p, Operands in, const View& out) { scan(p.op, p.fold, in[0], out); }

}  // namespace cuprum::cpu
