#include "runtime/fft_plans.h"

#include <algorithm>
#include <iterator>

namespace cuprum {

FftPlanCache::Plan FftPlanCache::get(const Fft& p, const View& in, const View& out, const Plan& held) {
  const FftPlan::Key key{p.kind, !is_complex(in.type), itemsize(real_type(in.type)) == 8, p.lengths,
                         layout_of(p, in, out)};
  if (held && held->key() == key) return held;
  {
    const std::lock_guard lock(mutex_);
    if (Plan found = find(key)) {
      ++counts_.hits;
      return found;
    }
    ++counts_.misses;
  }
  // Made without the lock: a long one takes milliseconds. Two threads may make the same; one of them stays.
  Plan made = make(key);
  std::list<Plan> gone;
  const std::lock_guard lock(mutex_);
  if (Plan found = find(key)) return found;
  plans_.push_front(made);
  counts_.current_size += 1;
  counts_.current_memsize += static_cast<std::int64_t>(made->bytes());
  gone = shrink();
  return made;
}

FftPlanCache::Plan FftPlanCache::find(const FftPlan::Key& key) {
  const auto at = std::find_if(plans_.begin(), plans_.end(), [&](const Plan& p) { return p->key() == key; });
  if (at == plans_.end()) return nullptr;
  plans_.splice(plans_.begin(), plans_, at);
  return plans_.front();
}

std::list<FftPlanCache::Plan> FftPlanCache::shrink() {
  std::list<Plan> gone;
  const auto fits = [&] {
    return (counts_.size < 0 || counts_.current_size <= counts_.size) &&
           (counts_.memsize < 0 || counts_.current_memsize <= counts_.memsize);
  };
  while (!plans_.empty() && !fits()) {
    counts_.current_size -= 1;
    counts_.current_memsize -= static_cast<std::int64_t>(plans_.back()->bytes());
    gone.splice(gone.end(), plans_, std::prev(plans_.end()));
  }
  return gone;
}

FftPlanCounts FftPlanCache::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<FftPlanCache::Plan> FftPlanCache::plans() const {
  const std::lock_guard lock(mutex_);
  return {plans_.begin(), plans_.end()};
}

bool FftPlanCache::use(const FftPlan::Key& key) {
  const std::lock_guard lock(mutex_);
  const bool found = find(key) != nullptr;
  ++(found ? counts_.hits : counts_.misses);
  return found;
}

bool FftPlanCache::forget(const FftPlan::Key& key) {
  Plan gone;
  const std::lock_guard lock(mutex_);
  gone = find(key);
  if (!gone) return false;
  counts_.current_size -= 1;
  counts_.current_memsize -= static_cast<std::int64_t>(gone->bytes());
  plans_.pop_front();
  return true;
}

void FftPlanCache::set_bounds(std::int64_t size, std::int64_t memsize) {
  std::list<Plan> gone;
  const std::lock_guard lock(mutex_);
  counts_.size = size;
  counts_.memsize = memsize;
  gone = shrink();
}

void FftPlanCache::clear() {
  std::list<Plan> gone;
  const std::lock_guard lock(mutex_);
  gone.swap(plans_);
  counts_.current_size = counts_.current_memsize = 0;
  counts_.hits = counts_.misses = 0;
}

}  // namespace cuprum
