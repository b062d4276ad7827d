// The plans that were used last, as many as the user allows.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "backend/cpu/fft/rows.h"

namespace cuprum::cpu::fft {

/// The counts of a cache, and its bounds; -1: none.
struct PlanCacheInfo {
  std::int64_t size = 16, memsize = -1;  // bounds: plans, bytes
  std::int64_t current_size = 0, current_memsize = 0;
  std::uint64_t hits = 0, misses = 0;
};

/// Any thread may call. A plan lives as long as somebody uses it, in the cache or not.
class PlanCache {
 public:
  std::shared_ptr<const RowPlan> get(const RowPlan::Key& key);

  PlanCacheInfo info() const;
  /// The plans, the last used first.
  std::vector<std::shared_ptr<const RowPlan>> plans() const;
  /// New bounds; plans go, those not used for longest first, until the rest fits.
  void set_bounds(std::int64_t size, std::int64_t memsize);
  void clear();  // the counts of hits and misses too

 private:
  void shrink();

  mutable std::mutex mutex_;
  std::list<std::shared_ptr<const RowPlan>> plans_;
  PlanCacheInfo info_;
};

/// The one of the CPU; devices that compute on the host use it too.
PlanCache& plan_cache();

}  // namespace cuprum::cpu::fft
