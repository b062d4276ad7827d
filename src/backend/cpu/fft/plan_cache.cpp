#include "backend/cpu/fft/plan_cache.h"

namespace cuprum::cpu::fft {

std::shared_ptr<const RowPlan> PlanCache::get(const RowPlan::Key& key) {
  {
    const std::lock_guard lock(mutex_);
    for (auto i = plans_.begin(); i != plans_.end(); ++i) {
      if (!((*i)->key() == key)) continue;
      plans_.splice(plans_.begin(), plans_, i);
      ++info_.hits;
      return plans_.front();
    }
    ++info_.misses;
  }
  // Made without the lock: a long one takes milliseconds. Two threads may make the same; one of them stays.
  auto made = std::make_shared<const RowPlan>(key);
  const std::lock_guard lock(mutex_);
  for (const auto& plan : plans_) {
    if (plan->key() == key) return plan;
  }
  plans_.push_front(made);
  info_.current_size += 1;
  info_.current_memsize += static_cast<std::int64_t>(made->bytes());
  shrink();
  return made;
}

void PlanCache::shrink() {
  const auto fits = [&] {
    return (info_.size < 0 || info_.current_size <= info_.size) &&
           (info_.memsize < 0 || info_.current_memsize <= info_.memsize);
  };
  while (!plans_.empty() && !fits()) {
    info_.current_size -= 1;
    info_.current_memsize -= static_cast<std::int64_t>(plans_.back()->bytes());
    plans_.pop_back();
  }
}

PlanCacheInfo PlanCache::info() const {
  const std::lock_guard lock(mutex_);
  return info_;
}

std::vector<std::shared_ptr<const RowPlan>> PlanCache::plans() const {
  const std::lock_guard lock(mutex_);
  return {plans_.begin(), plans_.end()};
}

void PlanCache::set_bounds(std::int64_t size, std::int64_t memsize) {
  const std::lock_guard lock(mutex_);
  info_.size = size;
  info_.memsize = memsize;
  shrink();
}

void PlanCache::clear() {
  const std::lock_guard lock(mutex_);
  plans_.clear();
  info_.current_size = info_.current_memsize = 0;
  info_.hits = info_.misses = 0;
}

PlanCache& plan_cache() {
  static PlanCache* const cache = new PlanCache;  // never destroyed: threads may outlive static destructors
  return *cache;
}

}  // namespace cuprum::cpu::fft
