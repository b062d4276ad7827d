// What tests ask of the far devices beside Backend.
#pragma once

#include <cstdint>

namespace cuprum {

/// The seed of the delays: CUPRUM_FAR_SEED, or one that the clock gave.
std::uint64_t far_seed();

}  // namespace cuprum
