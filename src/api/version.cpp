#include "cuprum/version.h"

#define CUPRUM_TEXT_OF(x) #x
#define CUPRUM_TEXT(x) CUPRUM_TEXT_OF(x)

namespace cuprum {

const char* version() {
  return CUPRUM_TEXT(CUPRUM_VERSION_MAJOR) "." CUPRUM_TEXT(CUPRUM_VERSION_MINOR) "." CUPRUM_TEXT(
      CUPRUM_VERSION_PATCH);
}

}  // namespace cuprum
