// The lazy engine's interface: what src/ops calls after it has validated a call.
//
// Recording makes a node and costs well under a microsecond; nothing runs until bytes are needed. All
// functions take the graph's lock themselves and may be called from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/op.h"
#include "expr/array.h"

namespace cuprum {

/// Why an evaluation was forced; CUPRUM_TRACE=eval prints it with the numbers.
enum class Reason : std::uint8_t {
  requested,       // evaluate()
  host_access,     // conversion to host, printing, item()
  not_fusable,     // operand of matmul, sort, indexing by arrays, ...
  write,           // a buffer that it reads is about to be written, or its result goes into a view
  export_pointer,  // DLPack, buffer protocol, data pointer; or it reads memory whose address is out
  graph_size,      // more nodes than one kernel should have
  pinned_bytes,    // too many bytes kept alive only by pending graphs
  eager,           // CUPRUM_EAGER=1
};
inline constexpr int kReasonCount = 8;
const char* name(Reason reason);

/// An input of a recorded operation: an array or a scalar.
struct Input {
  const Array* array = nullptr;  // null: the scalar
  Scalar scalar;
  bool temporary = false;  // nobody will ask for the array again, as far as the caller knows

  Input(const Array& a) : array(&a) {}
  Input(const Scalar& s) : scalar(s) {}
};

// -- Recording ------------------------------------------------------------------------------------------

/// Records `op` over inputs that broadcast to `shape`. Inputs of other dtypes than the signature's are cast
/// (arrays by a recorded cast, scalars at once). The result has the layout NumPy's K order gives, or C or Fortran
/// order (`order` 'K', 'C', 'F').
Array record(Op op, const Signature& signature, std::span<const Input> inputs, const Dims& shape,
             char order = 'K');

/// `a` converted to `type` (NumPy's unsafe cast); `a` itself when it has that dtype already.
Array record_cast(const Array& a, dtype type);

/// A new array with the contents of `a` (a snapshot: later writes to `a` do not show), converted to `type`.
Array record_copy(const Array& a, dtype type, char order = 'K');

/// The element of `a` at an offset (bytes from the start of the storage), as an array without dimensions: a number at once where
/// the CPU has it.
Array copy_of_element(const Array& a, std::int64_t offset);

/// An array of `shape` filled with `value`; recorded, so that `zeros(n) + x` needs no memory for the zeros.
Array record_full(Backend& backend, const Dims& shape, const Scalar& value, char order = 'C');

/// Reduces over the dimensions of the bit mask `axes`; the result has the remaining dimensions. The operand is
/// cast to `type` first (the dtype the reduction accumulates in); `out` is the dtype of the result.
struct ReduceSpec {
  ReduceOp op;
  Op fold = Op::count_;  // for ReduceOp::generic
  dtype type;
  dtype out;
  double ddof = 0;
};
Array record_reduction(const ReduceSpec& spec, const Array& a, std::uint64_t axes);

/// A call of a primitive over arrays, which are read as they lie; its result is a new array of these strides, dense from
/// offset 0. It runs by itself, when somebody needs the bytes.
Array record_call(Backend& backend, Primitive&& primitive, std::span<const Array* const> in, dtype type,
                  const Dims& shape, const Dims& strides);

/// `a` shifted along each dimension, 0 <= shift < extent; what leaves at the end comes in at the beginning. A new array, in the
/// layout of a copy.
Array record_roll(const Array& a, const Dims& shifts);

/// What a result of a call looks like.
struct ResultSpec {
  dtype type;
  Dims shape;
  Dims strides;  // dense, from offset 0
};
/// A call of a primitive with several results, each an array with memory of its own; one evaluation fills them all.
std::vector<Array> record_calls(Backend& backend, Primitive&& primitive, std::span<const Array* const> in,
                                std::span<const ResultSpec> results);

// -- Writing --------------------------------------------------------------------------------------------

/// `target[...] = op(inputs)`, where inputs broadcast to target's shape and the result is cast to target's dtype.
/// Reads see the contents before the write, whatever overlaps. A write to a whole storage stays pending; a
/// write to a part evaluates what reads that buffer, then runs directly into the view.
/// Throws ValueError when `target` is read-only (NumPy's text).
void assign(const Array& target, Op op, const Signature& signature, std::span<const Input> inputs);

/// `target[...] = value`: broadcasts and casts.
void assign(const Array& target, const Input& value);

/// `targets[k][...] = values[k]` in one kernel as far as it takes the outputs, at once. The targets are parts of one new
/// array that nobody else knows yet; all have one shape, which is that of the values, and one layout.
void assign_parts(std::span<const Array> targets, std::span<const Array> values);

// -- Evaluating -----------------------------------------------------------------------------------------

void evaluate(std::span<const Array> arrays, Reason reason = Reason::requested);
bool is_pending(const Array& a);

/// Evaluates everything that is pending on a device.
void evaluate_all(const Backend& backend, Reason reason = Reason::requested);
/// Of that, what was recorded on a stream.
void evaluate_all(const Stream& stream, Reason reason = Reason::requested);

/// While one of these lives, this thread's calls of readable and writable refuse arrays of a second device: a
/// backend must never see an address of another.
class OneDevice {
 public:
  OneDevice();
  /// From the beginning, of all devices but one.
  explicit OneDevice(Backend& device) : OneDevice() { seen_ = &device; }
  ~OneDevice();
  OneDevice(const OneDevice&) = delete;
  OneDevice& operator=(const OneDevice&) = delete;
  /// The device of the arrays that were asked for; nullptr: none was.
  Backend* seen() const { return seen_; }

 private:
  Backend* seen_ = nullptr;
  OneDevice* outer_;
  friend View checked_view(const Array& a, const Ref<Buffer>& buffer);
};

/// The view of `a` in memory, evaluated. Valid while nobody writes it; it keeps the memory alive.
View readable(const Array& a, Reason reason = Reason::not_fusable);

/// The view of `a` in memory, ready to be written by a backend call: pending readers of its buffer have been
/// evaluated. Throws ValueError when `a` is read-only (NumPy's text).
View writable(const Array& a);

/// Pins the buffer (see Buffer::pinned) and returns the address of the first element. What somebody does with it on the current
/// stream comes behind all that is done with it so far.
std::byte* export_pointer(const Array& a);
/// Somebody outside has used the memory on a stream.
void used_outside(const Array& a, Stream& stream);

/// How bytes come to the host.
struct Fetch {
  bool on_current =
      false;  // on the current stream; else on the one that wrote them last, where the host waits for least
  bool waits = true;  // false: they are there when the stream has got so far
};
/// May a call compute with what the CPU has at once? Not while somebody captures or watches what is recorded.
bool computes_now(Backend& device);

/// The bytes of `a`, where the CPU has them already, so that a call can compute with them at once. Nothing: they are pending or
/// elsewhere, or somebody captures or watches what is recorded. The graph's lock is held.
std::optional<View> view_now(const Array& a);

/// Copies to host memory, C order.
void copy_to_host(const Array& a, void* to, const Fetch& fetch = {});
/// The same as it lies: for an array whose bytes are one piece of memory from its first element on.
void copy_dense_to_host(const Array& a, void* to, const Fetch& fetch = {});
/// Copies between devices, for two arrays of one dense layout; the host does not wait. False: the devices know no such way.
bool copy_from_peer(const Array& to, const Array& from);

/// Memory that somebody else owns, as an array; `release(owner)` is called when the last view has gone.
/// `data` is the start of the memory, `offset` that of the first element in it. Memory that is not writeable stays so.
Array from_foreign(Backend& backend, std::byte* data, std::size_t nbytes, dtype type, Dims shape,
                   Dims strides, std::int64_t offset, bool writeable, void (*release)(void*), void* owner);

// -- Controls -------------------------------------------------------------------------------------------

struct EngineOptions {
  bool eager = false;             // CUPRUM_EAGER
  bool trace_eval = false;        // CUPRUM_TRACE contains "eval"
  std::uint32_t max_nodes = 256;  // CUPRUM_MAX_NODES: nodes in one graph before it is evaluated
  std::size_t max_pinned = std::size_t{1} << 30;  // CUPRUM_MAX_PINNED: bytes alive only for pending graphs
  // Kernels that touch fewer bytes than this finish before another thread could take over the GIL or the lock: they run
  // under both. A primitive may take more time for a byte (a sort of 128 numbers, 4 us): a sixteenth. Tests set it to 0.
  std::size_t small_bytes = std::size_t{64} << 10;
};
EngineOptions& engine_options();  // guarded by the graph's lock

/// Are so many bytes copied sooner than a node is made of them? A sixty-fourth of the small ones, 1 KiB: 30 ns of copying.
inline bool is_few(std::size_t nbytes) { return nbytes <= engine_options().small_bytes / 64; }

/// Is the call of a primitive done sooner than the lock and the GIL could be handed over?
bool is_quick(const Backend& device, const Call& call);

struct EngineStats {
  std::uint64_t nodes_recorded = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t kernels = 0;
  std::uint64_t calls = 0;  // of primitives that were recorded
  std::uint64_t by_reason[kReasonCount] = {};
  std::int64_t pinned_bytes = 0;
};
EngineStats engine_stats();

/// The pending graph of `arrays` and the kernels that it will become, as text and as an SVG picture.
std::string graph_text(std::span<const Array> arrays);
std::string graph_svg(std::span<const Array> arrays);

}  // namespace cuprum
