#include "expr/node.h"

#include <new>
#include <vector>

#include "expr/lock.h"

namespace cuprum {

namespace {

std::int64_t pinned = 0;

// Freed nodes, kept for the next: a node is about 700 bytes and lives for microseconds.
struct FreeNode {
  FreeNode* next;
};
FreeNode* free_nodes = nullptr;
int free_count = 0;
constexpr int kMaxFreeNodes = 1024;

Operand*& list_of(Operand& operand) { return operand.node ? operand.node->readers : operand.buffer->readers; }

}  // namespace

void* Node::operator new(std::size_t size) {
  if (free_nodes == nullptr) return ::operator new(size);
  FreeNode* node = free_nodes;
  free_nodes = node->next;
  --free_count;
  return node;
}

void Node::operator delete(void* p) noexcept {
  if (free_count >= kMaxFreeNodes) {
    ::operator delete(p);
    return;
  }
  auto* node = static_cast<FreeNode*>(p);
  node->next = free_nodes;
  free_nodes = node;
  ++free_count;
}

void link(Operand& operand) {
  Operand*& head = list_of(operand);
  operand.previous = nullptr;
  operand.next = head;
  if (head) head->previous = &operand;
  head = &operand;
}

void unlink(Operand& operand) {
  Operand*& head = list_of(operand);
  if (operand.previous) operand.previous->next = operand.next;
  else head = operand.next;
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
  for (const Operand* r = buffer.readers; r && !read_by_others; r = r->next) read_by_others = r->owner != except;
  if (!read_by_others || buffer.orphan) return;
  buffer.orphan = true;
  pinned += static_cast<std::int64_t>(buffer.nbytes);
}

std::int64_t pinned_bytes() { return pinned; }

void Node::drop_operands() {
  for (int i = 0; i < nin; ++i) {
    if (in[i].is_scalar()) continue;
    unlink(in[i]);
    in[i].node = nullptr;
    in[i].buffer = nullptr;
  }
  nin = 0;
}

void Node::destroy(Node* node) {
  EngineLock lock;
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
