// The shape to which arrays broadcast, where a program asks for it by shapes.
#pragma once

#include <span>

#include "core/dims.h"

namespace cuprum {

/// numpy.broadcast_shapes; throws ValueError with its text, which says which two do not agree, behind the name of `function`.
Dims common_shape(const char* function, std::span<const Dims> shapes);

}  // namespace cuprum
