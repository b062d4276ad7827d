// The version of the library. While the first number is 0, the second one changes with the binary interface.
#pragma once

#define CUPRUM_VERSION_MAJOR 0
#define CUPRUM_VERSION_MINOR 1
#define CUPRUM_VERSION_PATCH 0
/// One number to compare: 10203 for 1.2.3.
#define CUPRUM_VERSION (CUPRUM_VERSION_MAJOR * 10000 + CUPRUM_VERSION_MINOR * 100 + CUPRUM_VERSION_PATCH)

namespace cuprum {

/// The version of the library that the program runs with, as in "0.1.0"; the macros tell what it was compiled for.
const char* version();

}  // namespace cuprum
