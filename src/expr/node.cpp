#include "expr/node.h"

#include <vector>

#include "core/free_list.h"
#include "runtime/lock.h"

namespace cuprum {

namespace {

std::int64_t pinned = 0;

Storage* newest = nullptr;

FreeList free_nodes, free_reductions, free_calls;

Operand*& list_of(Operand& operand) { return operand.node ? operand.node->readers : operand.buffer->readers; }

}  // namespace

void* Node::operator new(std::size_t size) { return free_nodes.take(size); }
void Node::operator delete(void* p) noexcept { free_nodes.give(p); }
void* ReduceInfo::operator new(std::size_t size) { return free_reductions.take(size); }
void ReduceInfo::operator delete(void* p) noexcept { free_reductions.give(p); }
void* CallInfo::operator new(std::size_t size) { return free_calls.take(size); }
void CallInfo::operator delete(void* p) noexcept { free_calls.give(p); }

void name_pending(Storage& storage, Ref<Node> node) {
  node->storage = &storage;
  storage.pending = std::move(node);
  storage.newer = nullptr;
  storage.older = newest;
  if (newest) newest->newer = &storage;
  newest = &storage;
}

Ref<Node> forget_pending(Storage& storage) {
  if (!storage.pending) return {};
  storage.pending->storage = nullptr;
  (storage.newer ? storage.newer->older : newest) = storage.older;
  if (storage.older) storage.older->newer = storage.newer;
  storage.newer = storage.older = nullptr;
  return std::move(storage.pending);
}

Storage* newest_pending() { return newest; }

void link(Operand& operand) {
  Operand*& head = list_of(operand);
  operand.previous = nullptr;
  operand.next = head;
  if (head) head->previous = &operand;
  head = &operand;
}

void unlink(Operand& operand) {
  Operand*& head = list_of(operand);
  if (operand.previous)
    operand.previous->next = operand.next;
  else
    head = operand.next;
  if (operand.next) operand.next->previous = operand.previous;
  operand.previous = operand.next = nullptr;
  if (operand.buffer && operand.buffer->orphan && operand.buffer->readers == nullptr) {
    operand.buffer->orphan = false;
    pinned -= static_cast<std::int64_t>(operand.buffer->nbytes);
  }
}

void redirect_readers(Node& node, const Ref<Buffer>& buffer) {
  while (Operand* operand = node.readers) {
    unlink(*operand);
    Ref<Node> keep = std::move(operand->node);
    operand->identity = false;
    operand->buffer = buffer;
    link(*operand);
  }
}

void note_orphan(Buffer& buffer, const Node* except) {
  bool read_by_others = false;
  for (const Operand* r = buffer.readers; r && !read_by_others; r = r->next)
    read_by_others = r->owner != except;
  if (!read_by_others || buffer.orphan) return;
  buffer.orphan = true;
  pinned += static_cast<std::int64_t>(buffer.nbytes);
}

std::int64_t pinned_bytes() { return pinned; }

void Node::drop_operands() {
  Operand* const last = in + nin;
  for (Operand* operand = in; operand != last; ++operand) {
    if (operand->is_scalar()) continue;
    unlink(*operand);
    operand->node = nullptr;
    operand->buffer = nullptr;
  }
  nin = 0;
  if (call) [[unlikely]] {
    in = own;
    call.reset();
  }
}

void Node::destroy(Node* node) {
  // A node on this list has no references left; dropping its operands may add their nodes to the list.
  static std::vector<Node*> dying;
  dying.push_back(node);
  if (dying.size() > 1) return;  // the loop below, further up the stack, takes it
  for (std::size_t i = 0; i < dying.size(); ++i) {
    dying[i]->drop_operands();
    delete dying[i];
  }
  dying.clear();
}

}  // namespace cuprum
