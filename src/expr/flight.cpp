#include "expr/flight.h"

namespace cuprum {

void Flight::take_off() {
  if (std::exchange(flies_, true)) return;
  for (const Ref<Node>& node : nodes_) node->flight = this;
  note_take_off();
}

void Flight::touch_down() {
  flies_ = false;
  for (const Ref<Node>& node : nodes_) node->flight = nullptr;
  note_landing();
}

void wait_for(Flight& other) {
  if (other.is_returning() && interpreter_exits()) return other.land();
  wait_for_landing();
}

}  // namespace cuprum
