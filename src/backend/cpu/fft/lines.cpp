#include "backend/cpu/fft/lines.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "backend/cpu/copies.h"
#include "backend/cpu/scratch.h"
#include "backend/cpu/space.h"
#include "backend/cpu/threads.h"

namespace cuprum::cpu::fft {

namespace {

/// A line from here on is worth several threads of its own, where there are too few lines for them.
constexpr std::int64_t kLongLine = 1 << 15;
/// Lines that are copied into rows and back: so many that whole cache lines are moved, so few that they stay in the cache.
constexpr std::int64_t kLeastBlock = 16;
constexpr std::int64_t kBlockBytes = 128 << 10;

/// The other dimensions, those that are close in memory last, so that neighbouring lines are neighbours there.
View without_axis(const View& view, const std::vector<std::size_t>& order) {
  View lines{view.data, view.type, {}, {}, {}};
  for (std::size_t d : order) {
    lines.shape.push_back(view.shape[d]);
    lines.strides.push_back(view.strides[d]);
  }
  return lines;
}

std::vector<std::size_t> order_of(const Lines& lines) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < lines.to.shape.size(); ++d) {
    if (d != lines.axis) order.push_back(d);
  }
  const Dims& strides = lines.to.strides;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(strides[a]) > std::abs(strides[b]); });
  return order;
}

/// One side of the lines: where its elements lie.
struct Side {
  std::int64_t item;    // bytes of an element
  std::int64_t stride;  // along the axis
  std::int64_t points;  // that there are
  std::int64_t step;    // from line to line
};

class Transform {
 public:
  Transform(const RowPlan& plan, const Lines& lines, bool backward, double scale)
      : Transform(plan, lines, backward, scale, order_of(lines)) {}

  void run() const {
    const std::int64_t lines = space_.size(), n = plan_.key().n;
    if (lines == 0) return;
    if (lines < 2 * num_threads() && n >= kLongLine) return run(0, lines, true);
    // Tasks of some 32K points: 50 us and more.
    const std::int64_t grain = std::max(block_, (1 << 15) / n), tasks = (lines + grain - 1) / grain;
    if (tasks == 1) return run(0, lines, false);
    parallel_for(tasks, [&](std::int64_t i) { run(i * grain, std::min(lines, (i + 1) * grain), false); });
  }

 private:
  Transform(const RowPlan& plan, const Lines& lines, bool backward, double scale,
            const std::vector<std::size_t>& order)
      : plan_(plan),
        backward_(backward),
        scale_(scale),
        number_(plan.key().wide ? 8 : 4),
        pitch_(2 * plan.key().n + 16),
        from_view_(without_axis(lines.from, order)),
        to_view_(without_axis(lines.to, order)),
        space_({&from_view_, &to_view_}, order.size()),
        from_(side(lines.from, lines.axis, space_.step(0))),
        to_(side(lines.to, lines.axis, space_.step(1))),
        reads_in_place_(in_place(from_, lines.from) && from_.points >= plan.in_points()),
        writes_in_place_(in_place(to_, lines.to)) {
    const std::int64_t fit = kBlockBytes / (pitch_ * number_);
    block_ = std::clamp<std::int64_t>(fit / kLeastBlock * kLeastBlock, kLeastBlock, 256);
  }

  static Side side(const View& view, std::size_t axis, std::int64_t step) {
    return {static_cast<std::int64_t>(itemsize(view.type)), view.strides[axis], view.shape[axis], step};
  }

  /// Are the lines rows that a plan can work on as they lie?
  bool in_place(const Side& s, const View& view) const {
    const bool aligned = reinterpret_cast<std::uintptr_t>(view.data.address()) % number_ == 0;
    bool whole = aligned && (s.stride == s.item || s.points == 1);
    for (std::int64_t stride : view.strides) whole = whole && stride % number_ == 0;
    return whole;
  }

  bool copies_nothing() const { return reads_in_place_ && writes_in_place_ && !plan_.keeps_rows(); }

  void run(std::int64_t begin, std::int64_t end, bool parallel) const {
    const std::int64_t most = parallel ? 1 : std::min(block_, end - begin);
    const std::int64_t rows_bytes = copies_nothing() ? 0 : most * pitch_ * number_;
    const Scratch<std::byte> memory(rows_bytes + plan_.work_bytes(most) + 64);
    space_.each_run(begin, end, [&](std::array<std::byte*, 2> p, std::int64_t count) {
      const std::int64_t step = copies_nothing() && !parallel ? count : most;
      for (std::int64_t i = 0; i < count; i += step) {
        block(p[0] + i * from_.step, p[1] + i * to_.step, std::min(step, count - i),
              memory.data() + (rows_bytes + 63) / 64 * 64, memory.data(), parallel);
      }
    });
  }

  void block(const std::byte* from, std::byte* to, std::int64_t count, std::byte* work, std::byte* copy,
             bool parallel) const {
    Rows rows{copy, copy, pitch_, pitch_, count};
    if (reads_in_place_) {
      rows.in = from;
      rows.in_step = from_.step / number_;
    } else {
      gather(from, copy, count);
    }
    if (writes_in_place_) {
      rows.out = to;
      rows.out_step = to_.step / number_;
    }
    plan_.run(rows, backward_, scale_, work, parallel);
    if (!writes_in_place_) {
      copies().tile(static_cast<int>(to_.item),
                    {count, plan_.out_points(), to, to_.step, to_.stride, copy, pitch_ * number_, to_.item});
    }
  }

  void gather(const std::byte* from, std::byte* rows, std::int64_t count) const {
    const std::int64_t wanted = plan_.in_points(), there = std::min(wanted, from_.points);
    copies().tile(static_cast<int>(from_.item),
                  {count, there, rows, pitch_ * number_, from_.item, from, from_.step, from_.stride});
    for (std::int64_t i = 0; i < count && there < wanted; ++i) {
      std::memset(rows + i * pitch_ * number_ + there * from_.item, 0,
                  static_cast<std::size_t>((wanted - there) * from_.item));
    }
  }

  const RowPlan& plan_;
  const bool backward_;
  const double scale_;
  const std::int64_t number_;  // bytes
  const std::int64_t pitch_;   // numbers from row to row of a copy; not a power of two
  const View from_view_, to_view_;
  const Space<2> space_;
  const Side from_, to_;
  const bool reads_in_place_, writes_in_place_;
  std::int64_t block_;
};

}  // namespace

void transform(const RowPlan& plan, const Lines& lines, bool backward, double scale) {
  Transform(plan, lines, backward, scale).run();
}

}  // namespace cuprum::cpu::fft
