#include "backend/cpu/fft/axis_plans.h"

#include <algorithm>
#include <mutex>

#include "backend/cpu/backend.h"

namespace cuprum::cpu::fft {

namespace {

/// The plan of these rows that somebody holds, or a new one.
std::shared_ptr<const RowPlan> row_plan(const RowPlan::Key& key) {
  static std::mutex mutex;
  static auto* const held = new std::vector<std::weak_ptr<const RowPlan>>;
  const auto find = [&]() -> std::shared_ptr<const RowPlan> {
    const std::lock_guard lock(mutex);
    std::erase_if(*held, [](const auto& plan) { return plan.expired(); });
    for (const auto& kept : *held) {
      if (auto plan = kept.lock(); plan && plan->key() == key) return plan;
    }
    return nullptr;
  };
  if (auto found = find()) return found;
  auto made = std::make_shared<const RowPlan>(key);
  const std::lock_guard lock(mutex);
  held->push_back(made);
  return made;
}

}  // namespace

AxisPlans::AxisPlans(const Key& key) : FftPlan(key) {
  for (std::size_t i = 0; i < key.lengths.size(); ++i) {
    const bool last = i + 1 == key.lengths.size();
    rows_.push_back(
        row_plan({key.lengths[i], last ? key.kind : Fft::Kind::points, last && key.real_in, key.wide}));
  }
}

std::size_t AxisPlans::bytes() const {
  std::size_t bytes = sizeof(AxisPlans);
  for (auto i = rows_.begin(); i != rows_.end(); ++i)
    bytes += std::find(rows_.begin(), i, *i) == i ? (*i)->bytes() : 0;
  return bytes;
}

}  // namespace cuprum::cpu::fft

namespace cuprum::cpu {

FftPlanCache& CpuBackend::fft_plans() {
  static auto* const cache =
      new fft::CpuPlanCache;  // never destroyed: threads may outlive static destructors
  return *cache;
}

}  // namespace cuprum::cpu
