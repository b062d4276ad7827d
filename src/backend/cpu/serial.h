// Runs chunks one after the other, until the thread pool is there.
#pragma once

#include <cstdint>

namespace cuprum::cpu {

template <class F>
void parallel_for(std::int64_t chunks, F&& f) {
  for (std::int64_t c = 0; c < chunks; ++c) f(c);
}

}  // namespace cuprum::cpu
