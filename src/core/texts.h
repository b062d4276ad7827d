// How the texts of errors begin.
#pragma once

#include <string>

namespace cuprum {

/// "cuprum.<function>: "
inline std::string prefix(const char* function) { return std::string("cuprum.") + function + ": "; }

}  // namespace cuprum
