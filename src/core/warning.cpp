#include "core/warning.h"

#include <atomic>

namespace cuprum {

namespace {

std::atomic<void (*)(const char*)> listener{nullptr};

}  // namespace

void warn(const char* text) {
  if (auto* tell = listener.load()) tell(text);
}

void set_warning_listener(void (*tell)(const char*)) { listener = tell; }

}  // namespace cuprum
