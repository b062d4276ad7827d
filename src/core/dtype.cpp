// Names of the element types.
#include "cuprum/dtype.h"

namespace cuprum {

const char* name(dtype t) {
  static constexpr const char* kNames[kDTypeCount] = {
      "bool",   "int8",    "int16",    "int32",   "int64",   "uint8",     "uint16",    "uint32",
      "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"};
  return kNames[static_cast<int>(t)];
}

}  // namespace cuprum
