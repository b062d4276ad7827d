// One value of any dtype, stored by its bits: NaN equals itself and -0.0 differs from 0.0 wherever a
// scalar enters a key.
#pragma once

#include <cstddef>
#include <cstring>

#include "cuprum/dtype.h"

namespace cuprum {

struct Scalar {
  dtype type = dtype::bool_;
  alignas(16) unsigned char bytes[16] = {};

  template <class T>
  static Scalar of(dtype t, T value) {
    static_assert(sizeof(T) <= 16);
    Scalar s;
    s.type = t;
    std::memcpy(s.bytes, &value, sizeof(T));
    return s;
  }
  template <class T>
  T as() const {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
  bool operator==(const Scalar& o) const { return type == o.type && std::memcmp(bytes, o.bytes, 16) == 0; }
};

}  // namespace cuprum
