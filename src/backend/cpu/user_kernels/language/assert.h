// assert of a kernel: ends the launch with an error instead of the process.
#pragma once

#include "cuprum_language/threads.h"

#undef assert
#if defined(NDEBUG)
#define assert(condition) (static_cast<void>(0))
#else
#define CUPRUM_TEXT_OF(x) #x
#define CUPRUM_LINE_TEXT(x) CUPRUM_TEXT_OF(x)
#define assert(condition)       \
  (static_cast<bool>(condition) \
       ? static_cast<void>(0)   \
       : cuprum_language::fail("the assertion " #condition " of line " CUPRUM_LINE_TEXT(__LINE__) " fails"))
#endif
