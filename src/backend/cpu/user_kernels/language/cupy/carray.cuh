// CuPy's header: CArray, CIndexer, float16.
#pragma once

#include "kernels/user/carray.h"
#include "kernels/user/small_floats.h"
