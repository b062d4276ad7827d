// CUDA C++ as NVRTC gives it without an #include. Put before every program's text.
#pragma once

#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "kernels/small_float.h"

#include "assert.h"
#include "cuprum_language/atomics.h"
#include "cuprum_language/conversions.h"
#include "cuprum_language/entries.h"
#include "cuprum_language/integers.h"
#include "cuprum_language/keywords.h"
#include "cuprum_language/math.h"
#include "cuprum_language/memory.h"
#include "cuprum_language/threads.h"
#include "cuprum_language/vector_types.h"
#include "cuprum_language/warp.h"
