// ndarray.flags and setflags.
#pragma once

#include "bindings.h"

namespace cuprum::python {

void bind_flags(NdarrayClass& c);

}  // namespace cuprum::python
