// The nodes of pending expressions.
//
// A node is an operation, a reduction, or a call of a primitive, over operands; its result has a shape and a layout (strides)
// fixed when it was recorded. A call with several results is the node of the first one; each further result is a node that reads
// it, has no work of its own, and gets its bytes when the call is done.
// An operand reads a buffer, another pending node, or is a scalar. Views are algebra on operands, never nodes:
// an operand that reads a node through anything but its plain layout needs that node in memory first.
//
// Every operand that reads a buffer or a node is linked into the source's list of readers. So when a node is
// evaluated its readers are turned to the buffer, and when a buffer is about to be written its readers are known.
//
// All of this is guarded by the graph's lock. Threads that record share it (runtime/recording_lock.h): they make nodes, link and
// name them, and drop nodes and storages that nobody names any more. So lists of readers and of pending storages have locks of their
// own, which count only then.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/op.h"
#include "expr/array.h"
#include "expr/engine.h"
#include "runtime/primitives.h"
#include "runtime/recording_lock.h"

namespace cuprum {

class Flight;

struct Operand {
  Ref<Node> node;            // at most one of node and buffer is set; none: the scalar
  Buffer* buffer = nullptr;  // kept alive by its list of readers, which the operand is in
  Dims strides;              // over the owner's iteration space, 0 where broadcast
  std::int64_t offset = 0;
  Scalar scalar;  // already of dtype `type`
  dtype type = dtype::bool_;
  bool identity = false;  // reads `node` element by element: the two can be fused

  Node* owner = nullptr;
  Operand* previous = nullptr;
  Operand* next = nullptr;

  bool is_scalar() const { return !node && !buffer; }
};

/// What makes a node a reduction.
struct ReduceInfo {
  // From a free list of the thread, as nodes are.
  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;

  ReduceSpec spec;
  Dims iteration;      // the operand's shape
  std::uint64_t axes;  // the reduced ones
};

/// What makes a node a call of a primitive.
struct CallInfo {
  explicit CallInfo(Primitive&& p) : primitive(std::move(p)) {}
  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;

  Primitive primitive;
  Dims shapes[kMaxInputs];  // of the operands: a call has no iteration space
  // Where there are more operands than a node has room for:
  std::unique_ptr<Operand[]> operands;
  std::unique_ptr<Dims[]> more_shapes;

  std::vector<ResultSpec> further;  // results behind the first
  std::uint32_t result = 0;         // not 0: the node is no call, but this result of the one that it reads
  Dims shifts;                      // not empty: no primitive, but a roll (expr/roll.h), along each dimension

  Dims* shape_of_operands() { return more_shapes ? more_shapes.get() : shapes; }
};

class Node : public RecordedCount<Node> {
 public:
  Node(Stream* stream, Op op, dtype key, dtype type) : stream(stream), op(op), key(key), type(type) {}

  Stream* const stream;  // the current one when it was recorded
  const Op op;           // count_ for a reduction and a call
  const dtype key;
  const dtype type;  // of the result
  std::uint8_t nin = 0;
  bool shared = false;       // reads memory that somebody outside may write at any time
  std::uint32_t count = 1;   // nodes in the graph below, an upper bound: shared parts may count once per use
  std::uint32_t slot = 0;    // where the latest walk over the graph has it (expr/traversal.h)
  Flight* flight = nullptr;  // the evaluation that has taken it out of the graph (expr/flight.h)
  Dims shape;
  Dims strides;                // the layout of the buffer it will fill, from offset 0
  Storage* storage = nullptr;  // the storage that names this node, if it still lives (not owned)
  Operand* readers = nullptr;
  const char* place = nullptr;  // while somebody watches (runtime/debug.h): where the program recorded it
  std::unique_ptr<ReduceInfo> reduce;
  std::unique_ptr<CallInfo> call;
  Operand own[kMaxInputs];
  Operand* in = own;
  Node* next_dying = nullptr;

  /// Evaluated: its bytes are in a buffer, which whoever read the node reads now.
  bool is_done() const { return nin == 0 && !call; }
  bool is_reduction() const { return reduce != nullptr; }
  bool is_call() const { return call != nullptr; }
  bool is_further_result() const { return call && call->result != 0; }
  bool is_roll() const { return call && !call->shifts.empty(); }
  /// Can a node that reads this one element by element be computed with it?
  bool is_elementwise() const { return !reduce && !call; }
  Backend& backend() const { return stream->device; }
  const Dims& iteration_shape() const { return reduce ? reduce->iteration : shape; }
  std::size_t nbytes() const { return bytes_of(shape, type); }

  /// Lets go of the operands (after evaluation, or at the end of life).
  void drop_operands();

  /// Iterative: a chain of 100,000 nodes must not exhaust the stack. Under the graph's lock, as every reference to a node is.
  static void destroy(Node* node);

  static void* operator new(std::size_t size);
  static void operator delete(void* p) noexcept;
};

/// From now on `storage` names `node`; it must name nothing.
void name_pending(Storage& storage, Ref<Node> node);
/// `storage` names no node any more. Returns the one it named, if any.
Ref<Node> forget_pending(Storage& storage);
/// Calls f with every pending storage: of each thread's the newest first. Under the graph's lock.
template <class F>
void each_pending(F&& f);

/// Adds an operand that has `node` or `buffer` set to the readers of what it reads.
void link(Operand& operand);

/// `node` now has its bytes in `buffer`: turns all its readers to the buffer, which the caller holds.
void redirect_readers(Node& node, const Ref<Buffer>& buffer);

/// No storage names this buffer, from now on; if pending nodes still read it, its bytes count as pinned. The caller holds it.
void note_orphan(Buffer& buffer, const Node* except = nullptr);

/// Bytes in buffers that live only because pending nodes read them.
std::int64_t pinned_bytes();

/// Pending storages, newest first, of threads that share a list. Enough lists for threads to have one each.
inline constexpr int kPendingLists = 16;
Storage* newest_pending(int list);

template <class F>
void each_pending(F&& f) {
  for (int list = 0; list < kPendingLists; ++list) {
    for (Storage* s = newest_pending(list); s; s = s->older) f(*s);
  }
}

}  // namespace cuprum
