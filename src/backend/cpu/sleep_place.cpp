#include "backend/cpu/sleep_place.h"

#include <unistd.h>

namespace cuprum::cpu {

void SleepPlace::enter() {
  std::lock_guard guard(lock_);
  sleeper_ = gettid();
}

void SleepPlace::leave() {
  std::lock_guard guard(lock_);
  if (moved_) sched_setaffinity(sleeper_, sizeof mask_, &mask_);
  moved_ = false;
  sleeper_ = 0;
}

void SleepPlace::keep_off(int cpu) {
  std::lock_guard guard(lock_);
  if (sleeper_ == 0 || moved_ || cpu < 0 || cpu >= CPU_SETSIZE) return;
  if (sched_getaffinity(sleeper_, sizeof mask_, &mask_) != 0 || !CPU_ISSET(cpu, &mask_)) return;
  cpu_set_t others = mask_;
  CPU_CLR(cpu, &others);
  moved_ = CPU_COUNT(&others) != 0 && sched_setaffinity(sleeper_, sizeof others, &others) == 0;
}

}  // namespace cuprum::cpu
