// Tickets of reductions whose results are shared by several blocks (device/reduce.cuh).
#pragma once

#include <cstdint>

#include "backend/cuda/context.h"

namespace cuprum::cuda {

/// kMaxTickets counters of this stream, all zero between kernels: whoever takes the last ticket sets it back.
std::uint32_t* tickets(Context& context);

}  // namespace cuprum::cuda
