// Integer arithmetic that the language leaves out.
#pragma once

#include <cstdint>

namespace cuprum {

/// a / b, rounded up; neither is negative.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

constexpr std::int64_t magnitude(std::int64_t v) { return v < 0 ? -v : v; }

}  // namespace cuprum
