// Transforms of contiguous rows of every kind: points, reals to points, points to reals.
//
// An even number of reals is half as many points, which a pass over pairs takes apart (`unzip`) or puts together (`zip`): half the
// work of as many points. An odd number is transformed as points, of which no more are computed than are needed where that is easy.
#pragma once

#include "backend/cpu/fft/plan.h"
#include "runtime/primitives_fft.h"

namespace cuprum::cpu::fft {

/// Rows in memory: steps in numbers of the plan's precision.
struct Rows {
  const std::byte* in;
  std::byte* out;  // may be `in`
  std::int64_t in_step, out_step;
  std::int64_t count;
};

/// What a row of n points, or reals, needs to be transformed; made once and kept (axis_plans.h).
class RowPlan {
 public:
  /// `real_in`: `points` from reals.
  struct Key {
    std::int64_t n;
    Fft::Kind kind;
    bool real_in;
    bool wide;
    bool operator==(const Key&) const = default;
  };

  explicit RowPlan(const Key& key);

  const Key& key() const { return key_; }
  std::size_t bytes() const { return plan_.bytes() + roots_.bytes(); }
  std::int64_t in_points() const { return key_.kind == Fft::Kind::to_real ? key_.n / 2 + 1 : key_.n; }
  std::int64_t out_points() const { return key_.kind == Fft::Kind::from_real ? key_.n / 2 + 1 : key_.n; }
  /// Working memory for `count` rows at a time.
  std::int64_t work_bytes(std::int64_t count) const;
  /// Does the working memory grow with the rows?
  bool keeps_rows() const { return !pairs_ && key_.kind != Fft::Kind::points; }
  void run(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const;

 private:
  bool reals() const { return key_.kind != Fft::Kind::points || key_.real_in; }
  void from_pairs(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const;
  void from_odd(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const;
  void to_odd(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const;
  void to_pairs(const Rows& rows, bool backward, double scale, std::byte* work, bool parallel) const;

  Key key_;
  bool pairs_;  // reals in pairs: plan_ is of n / 2 points
  Plan plan_;
  Table roots_;  // of order n, n / 4 + 1 of them, for pairs
};

}  // namespace cuprum::cpu::fft
