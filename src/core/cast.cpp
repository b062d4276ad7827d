#include "core/cast.h"

#include "core/element.h"
#include "kernels/cast.h"

namespace cuprum {

Scalar cast_scalar(const Scalar& value, dtype type) {
  if (value.type == type) return value;
  return kernels::with_element(value.type, [&](auto from) {
    using From = decltype(from);
    return kernels::with_element(type, [&](auto to) {
      using To = decltype(to);
      return Scalar::of<To>(type, kernels::cast<To>(value.as<From>()));
    });
  });
}

}  // namespace cuprum
