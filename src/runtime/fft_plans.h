// The plans of Fourier transforms: what a device makes once for calls of one kind, kept within bounds.
//
// A call gets its plan when it is recorded, and keeps it (Fft::plan) until it has run: a bound that is too small, or a cache that is
// cleared, costs time and nothing else.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/primitives_fft.h"
#include "runtime/program.h"

namespace cuprum {

class FftPlan {
 public:
  /// What two calls must have in common to share a plan.
  struct Key {
    Fft::Kind kind;
    bool real_in;                      // the operand is real
    bool wide;                         // double precision
    Dims lengths;                      // along the axes
    std::vector<std::int64_t> layout;  // what else a device's plans depend on; the CPU's on nothing
    bool operator==(const Key&) const = default;
  };

  explicit FftPlan(Key key) : key_(std::move(key)) {}
  virtual ~FftPlan() = default;
  FftPlan(const FftPlan&) = delete;
  FftPlan& operator=(const FftPlan&) = delete;

  const Key& key() const { return key_; }
  virtual std::size_t bytes() const = 0;

 private:
  Key key_;
};

/// The counts of a cache, and its bounds; -1: none.
struct FftPlanCounts {
  std::int64_t size = 16, memsize = -1;  // bounds: plans, bytes
  std::int64_t current_size = 0, current_memsize = 0;
  std::uint64_t hits = 0, misses = 0;
};

/// The plans of a device that were used last. Any thread may call.
class FftPlanCache {
 public:
  using Plan = std::shared_ptr<const FftPlan>;

  virtual ~FftPlanCache() = default;

  /// The plan of a call over such arrays, whose data is not read: `held` if that is it, else from the cache, else made now.
  Plan get(const Fft& p, const View& in, const View& out, const Plan& held = nullptr);

  FftPlanCounts counts() const;
  /// The plans, the last used first.
  std::vector<Plan> plans() const;
  /// A plan of the cache is used, or forgotten. False: it is not there.
  bool use(const FftPlan::Key& key);
  bool forget(const FftPlan::Key& key);
  /// New bounds; plans go, those not used for longest first, until the rest fits.
  void set_bounds(std::int64_t size, std::int64_t memsize);
  void clear();  // the counts of hits and misses too

 private:
  /// What the plan of a call depends on beside the kind, the types and the lengths.
  virtual std::vector<std::int64_t> layout_of(const Fft& p, const View& in, const View& out) const = 0;
  virtual Plan make(const FftPlan::Key& key) const = 0;

  Plan find(const FftPlan::Key& key);  // moves it to the front
  /// The plans that go. Whoever gets them drops them without the lock: that may wait for the device.
  std::list<Plan> shrink();

  mutable std::mutex mutex_;
  std::list<Plan> plans_;
  FftPlanCounts counts_;
};

}  // namespace cuprum
