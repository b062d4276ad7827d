#include "runtime/debug.h"

#include <mutex>
#include <unordered_set>

#include "runtime/settings.h"

namespace cuprum {

namespace {

std::atomic<PlaceFn> place_hook{nullptr};

struct Places {
  std::mutex mutex;
  std::unordered_set<std::string> texts;  // its nodes stay where they are
};
Places& places() {
  static auto* const instance = new Places;
  return *instance;
}

}  // namespace

std::atomic<unsigned> watchers{asks_for_debugging() ? kDebugs : 0};

void set_place_hook(PlaceFn hook) { place_hook.store(hook, std::memory_order_release); }

const char* current_place() {
  const PlaceFn hook = place_hook.load(std::memory_order_acquire);
  if (!hook) return nullptr;
  std::string place = hook();
  if (place.empty()) return nullptr;
  const std::lock_guard lock(places().mutex);
  return places().texts.insert(std::move(place)).first->c_str();
}

void note_place(Error& error, const char* what) {
  if (!debugging()) return;
  const char* place = current_place();
  if (!place && !what) return;
  std::string note = " (";
  if (what) note += std::string("in ") + what + (place ? " " : "");
  if (place) note += std::string("at ") + place;
  error.add_note(note + ")");
}

}  // namespace cuprum
