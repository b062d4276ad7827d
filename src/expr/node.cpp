#include "expr/node.h"

#include <atomic>

#include "runtime/lock.h"

namespace cuprum {

namespace {

std::atomic<std::int64_t> pinned{0};

struct alignas(64) PendingList {
  SpinLock lock;
  Storage* newest = nullptr;
};
constinit PendingList pending_lists[kPendingLists];

// Lists of readers have their locks by the address of what they read: enough of them for threads to meet seldom.
struct alignas(64) ReadersLock {
  SpinLock lock;
};
constexpr int kReadersLockBits = 7;
constinit ReadersLock readers_locks[1 << kReadersLockBits];

SpinLock& readers_lock(const void* source) {
  const std::uint64_t mixed = (reinterpret_cast<std::uintptr_t>(source) >> 4) * 0x9e3779b97f4a7c15u;
  return readers_locks[mixed >> (64 - kReadersLockBits)].lock;
}

const void* source_of(const Operand& operand) {
  return operand.node ? static_cast<const void*>(operand.node.get()) : operand.buffer;
}
Operand*& list_of(Operand& operand) { return operand.node ? operand.node->readers : operand.buffer->readers; }

}  // namespace

void* Node::operator new(std::size_t size) { return take_spare(Spare::node, size); }
void Node::operator delete(void* p) noexcept { give_spare(Spare::node, p); }
void* ReduceInfo::operator new(std::size_t size) { return take_spare(Spare::reduction, size); }
void ReduceInfo::operator delete(void* p) noexcept { give_spare(Spare::reduction, p); }
void* CallInfo::operator new(std::size_t size) { return take_spare(Spare::call, size); }
void CallInfo::operator delete(void* p) noexcept { give_spare(Spare::call, p); }

void name_pending(Storage& storage, Ref<Node> node) {
  node->storage = &storage;
  storage.pending = std::move(node);
  storage.named.store(true, std::memory_order_relaxed);
  storage.list = static_cast<std::uint8_t>(this_recorder ? this_recorder->number % kPendingLists : 0);
  PendingList& list = pending_lists[storage.list];
  const ListLock lock([&]() -> SpinLock& { return list.lock; });
  storage.newer = nullptr;
  storage.older = list.newest;
  if (list.newest) list.newest->newer = &storage;
  list.newest = &storage;
}

Ref<Node> forget_pending(Storage& storage) {
  if (!storage.pending) return {};
  storage.pending->storage = nullptr;
  {
    PendingList& list = pending_lists[storage.list];
    const ListLock lock([&]() -> SpinLock& { return list.lock; });
    (storage.newer ? storage.newer->older : list.newest) = storage.older;
    if (storage.older) storage.older->newer = storage.newer;
    storage.newer = storage.older = nullptr;
  }
  Ref<Node> node = std::move(storage.pending);
  storage.named.store(false, std::memory_order_release);
  return node;
}

Storage* newest_pending(int list) { return pending_lists[list].newest; }

void link(Operand& operand) {
  const ListLock lock([&]() -> SpinLock& { return readers_lock(source_of(operand)); });
  Operand*& head = list_of(operand);
  operand.previous = nullptr;
  operand.next = head;
  if (head) head->previous = &operand;
  head = &operand;
  if (operand.buffer && !operand.buffer->listed) {
    operand.buffer->listed = true;
    operand.buffer->incref();
  }
}

namespace {

// Takes the operand out of its list. Returns the buffer, where the list has to let go of it.
[[gnu::always_inline]] inline Buffer* take_out(Operand& operand) {
  const ListLock lock([&]() -> SpinLock& { return readers_lock(source_of(operand)); });
  Operand*& head = list_of(operand);
  if (operand.previous)
    operand.previous->next = operand.next;
  else
    head = operand.next;
  if (operand.next) operand.next->previous = operand.previous;
  operand.previous = operand.next = nullptr;
  Buffer* const buffer = operand.buffer;
  if (!buffer || !buffer->orphan || buffer->readers) [[likely]]
    return nullptr;
  if (buffer->counted) pinned.fetch_sub(static_cast<std::int64_t>(buffer->nbytes), std::memory_order_relaxed);
  buffer->orphan = buffer->listed = buffer->counted = false;
  return buffer;
}

// What an operand reads no more. Inlined where a node drops its operands: a call each would cost as much again.
[[gnu::always_inline]] inline void let_go(Operand& operand) {
  Buffer* const last = take_out(operand);
  operand.node = nullptr;
  operand.buffer = nullptr;
  if (last) last->decref();
}

}  // namespace

void redirect_readers(Node& node, const Ref<Buffer>& buffer) {
  while (Operand* operand = node.readers) {
    take_out(*operand);
    operand->node = nullptr;
    operand->identity = false;
    operand->buffer = buffer.get();
    link(*operand);
  }
}

void note_orphan(Buffer& buffer, const Node* except) {
  bool done = false;
  {
    const ListLock lock([&]() -> SpinLock& { return readers_lock(&buffer); });
    if (!buffer.readers) {
      done = buffer.listed;
      buffer.listed = false;
    } else {
      buffer.orphan = true;
      bool read_by_others = false;
      for (const Operand* r = buffer.readers; r && !read_by_others; r = r->next)
        read_by_others = r->owner != except;
      if (read_by_others && !buffer.counted) {
        buffer.counted = true;
        pinned.fetch_add(static_cast<std::int64_t>(buffer.nbytes), std::memory_order_relaxed);
      }
    }
  }
  if (done) buffer.decref();
}

std::int64_t pinned_bytes() { return pinned.load(std::memory_order_relaxed); }

void Node::drop_operands() {
  Operand* const last = in + nin;
  for (Operand* operand = in; operand != last; ++operand) {
    if (operand->is_scalar()) continue;
    let_go(*operand);
  }
  nin = 0;
  if (call) [[unlikely]] {
    in = own;
    if (inside_recording())  // what a primitive holds may need the graph alone
      release_unlocked([](void* info) { delete static_cast<CallInfo*>(info); }, call.release());
    else
      call.reset();
  }
}

namespace {

// Nodes of this thread without references left, in the order in which they lost them.
thread_local Node* first_dying __attribute__((tls_model("initial-exec"))) = nullptr;
thread_local Node* last_dying __attribute__((tls_model("initial-exec"))) = nullptr;

}  // namespace

void Node::destroy(Node* node) {
  if (first_dying) {  // the loop below, further up the stack, takes it
    last_dying->next_dying = node;
    last_dying = node;
    return;
  }
  first_dying = last_dying = node;
  while (first_dying) {
    Node* const dying = first_dying;
    dying->drop_operands();  // which may add their nodes
    first_dying = dying->next_dying;
    delete dying;
  }
}

}  // namespace cuprum
