// The CPU backend's memory: a caching pool (runtime/pool.h) over what the operating system gives.
//
// Every block is aligned to 64 bytes and has at least 64 readable bytes behind the requested ones, so that vector
// loops may load past the end. CUPRUM_CPU_POOL_LIMIT is the limit of what is cached; by default an eighth of the machine's memory, at
// least 256 MiB and at most 4 GiB.
#pragma once

#include "runtime/pool.h"

namespace cuprum::cpu {

class Pool : public cuprum::Pool {
 public:
  explicit Pool(const Backend* device = nullptr);
};

}  // namespace cuprum::cpu
