// CUDA C++ as NVRTC gives it without an #include. Put before every program's text.
#pragma once

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "cuprum_language/entries.h"
#include "cuprum_language/keywords.h"
#include "cuprum_language/threads.h"
#include "cuprum_language/vector_types.h"
#include "cuprum_language/warp.h"
