// A device. Everything above this interface knows nothing of threads, SIMD or CUDA.
//
// Calls on one backend are made by one thread at a time (the engine's lock). Views passed in are valid,
// in bounds, and do not overlap between inputs and outputs unless a function says otherwise. Functions throw
// (core/error.h) and leave inputs intact; outputs are then unspecified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/program.h"

namespace cuprum {

struct MemoryStats {
  std::size_t used_bytes = 0;   // in live buffers
  std::size_t total_bytes = 0;  // taken from the system: used + cached
  std::size_t peak_bytes = 0;   // highest used_bytes since the last reset
  std::size_t limit_bytes = 0;  // 0: none
  std::size_t allocations = 0;  // requests served
  std::size_t hits = 0;         // of those, served from the cache
  std::size_t free_blocks = 0;  // in the cache
};

/// How `ScanOp` handles NaN follows NumPy: cumulative sums and products propagate them.
enum class ScanOp : std::uint8_t { sum, prod, min, max, generic };

/// The first index that was out of bounds, in C order of the index arrays; `axis` -1: none.
struct IndexFault {
  int axis = -1;           // position among the index arrays
  std::int64_t value = 0;  // the offending index
};

/// Who asks for elements by index arrays: an asynchronous backend finds a bad index after the call has returned, and
/// throws IndexError when the device is next waited for.
struct IndexSite {
  const char* function = "an index";  // the call, for the message; a literal
  Dims axes;                          // the axis that each index array stands for; empty: 0, 1, ...
};

/// Throws IndexError for an index that a device found out of bounds after the call had returned.
[[noreturn]] void throw_late_index_error(const char* function, std::int64_t value, std::int64_t axis,
                                         std::int64_t extent);

/// A mask whose true elements have been counted. What a backend has found beside their number stays in it for the call that
/// uses the mask, so that nothing is counted twice; the mask must not change in between.
class CountedMask {
 public:
  CountedMask(View mask, std::int64_t count) : mask(std::move(mask)), count(count) {}
  virtual ~CountedMask() = default;

  const View mask;
  const std::int64_t count;
};

/// What a device is.
struct DeviceInfo {
  std::string description;     // the model, in the maker's words
  int compute_capability = 0;  // 90 for 9.0; 0: no CUDA device
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;  // of the device; 0: not known
  std::size_t free_bytes = 0;    // of those, in use by nobody
};

/// A point in a device's work, for timing and waiting.
class Event {
 public:
  virtual ~Event() = default;
  virtual void record() = 0;       // behind all work given to the device so far
  virtual void synchronize() = 0;  // waits until that work is done
  virtual bool done() = 0;         // is it?
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const char* name() const = 0;  // "cpu", "cuda:0", "reference"
  virtual DeviceInfo info() const;

  // -- Memory. Throws OutOfMemoryError, leaving everything intact. Alignment at least 64 bytes.
  virtual Ref<Buffer> allocate(std::size_t nbytes) = 0;
  virtual void free(std::byte* data, std::size_t nbytes) noexcept = 0;
  virtual MemoryStats memory_stats() const = 0;
  virtual void reset_peak() = 0;
  virtual void free_all_blocks() = 0;  // give cached memory back to the system
  virtual void set_memory_limit(std::size_t nbytes) = 0;
  virtual bool host_accessible() const = 0;  // may the host dereference Buffer::data?
  virtual void copy_to_host(void* to, const std::byte* from, std::size_t nbytes) = 0;
  virtual void copy_from_host(std::byte* to, const void* from, std::size_t nbytes) = 0;
  virtual void synchronize() = 0;
  /// Has the device done everything that it was given? Asks, and gives it nothing. By default work is done when a call
  /// returns.
  virtual bool idle() { return true; }
  /// Host memory, at least 64-byte aligned, that the device copies from and to without a detour: page-locked where that
  /// makes a difference. Throws OutOfMemoryError.
  virtual std::byte* allocate_pinned(std::size_t nbytes);
  virtual void free_pinned(std::byte* data) noexcept;
  /// Can this device use memory of others at that address? Asked before their first use, as they might be wrong.
  virtual bool can_use(const std::byte* data, std::size_t nbytes);

  // -- Work of others on the same device. By default a device's work is done when a call returns.
  virtual std::unique_ptr<Event> make_event();
  /// Milliseconds between two recorded events of this backend; waits for both.
  virtual double elapsed(Event& start, Event& stop);
  virtual std::uintptr_t native_stream() const { return 0; }
  /// Work given to `stream` (a native one) from now on comes after all work of this backend; and the other way round.
  virtual void release_to(std::uintptr_t stream) {}
  virtual void wait_for(std::uintptr_t stream) {}

  // -- Fused elementwise work and reductions.
  virtual void run(const Kernel& kernel) = 0;
  /// How `run` would compute this kernel now, in a few words ("compiled"); empty: there is one way. Addresses are not read,
  /// and nothing is prepared.
  virtual std::string tier(const Kernel& kernel) const { return {}; }

  // -- What does not fuse. `axis` is always the last dimension: callers move it there (views are free).
  /// out[..., i] = in[..., 0] op ... op in[..., i]; both of dtype in.type. `fold` for ScanOp::generic.
  virtual void scan(ScanOp op, Op fold, const View& in, const View& out) = 0;
  /// Stable sort along the last axis, NaN last, complex in NumPy's lexicographic order.
  virtual void sort(const View& in, const View& out) = 0;
  /// Indices (int64) that would sort stably along the last axis.
  virtual void argsort(const View& in, const View& out) = 0;
  /// `in` with the elements of every row (last axis) moved so that those at the positions `kth` are the ones that sort
  /// would put there, none before such a position is greater and none behind it smaller. By default a sort.
  virtual void partition(const View& in, const Dims& kth, const View& out);
  /// out[..., j] = the element that sort would put at position kth[j] of the row in[...] (ascending positions, not many), found
  /// without sorting. False, and nothing is written, where the backend knows no such way: `partition` then serves.
  virtual bool order_statistics(const View& in, const Dims& kth, const View& out);
  /// out[...] = how many elements of `row` (1-d, sorted) come before values[...]; `right`: do not come behind it. int64;
  /// `row` and `values` of one dtype, in the order of sort.
  virtual void searchsorted(const View& row, const View& values, bool right, const View& out) = 0;
  /// out[...] = is there an element of `row` (1-d, sorted) that equals values[...]? bool; NaN equals nothing.
  virtual void is_among(const View& row, const View& values, const View& out) = 0;
  /// out[i] = how many of `values` come neither before edges[i] nor behind or at edges[i + 1], in the order of sort; what is at
  /// the last edge belongs to the last interval. `edges` is 1-d, sorted and one longer than `out` (int64); one dtype.
  virtual void count_between(const View& edges, const View& values, const View& out) = 0;
  /// Counts the true elements of a bool view.
  virtual std::unique_ptr<const CountedMask> count_true(const View& mask) = 0;
  /// out[k] = in at the k-th true element of mask, in C order; shapes of in and mask are equal, out is
  /// contiguous and has room for mask.count elements, of which there is at least one.
  virtual void select(const View& in, const CountedMask& mask, const View& out) = 0;
  /// out[k, d] = coordinate d of the k-th true element of mask (C order); out is an int64 view (count, ndim) with elements.
  virtual void nonzero(const CountedMask& mask, const View& out) = 0;
  /// to at the k-th true element of mask = from[k]; from is 1-d with mask.count elements, at least one, of the same dtype.
  virtual void masked_assign(const View& to, const CountedMask& mask, const View& from) = 0;
  /// to at every true element of mask = the one element of `value`, of the same dtype.
  virtual void masked_fill(const View& to, const View& mask, const View& value) = 0;
  /// out[i..., j...] = from[index0[i...], index1[i...], ..., j...]: the first k dimensions of `from` are indexed
  /// by k int64 views of one shape I; out has shape I + from.shape[k:]. Negative indices count from the end.
  /// All indices are checked before anything is written; or, on an asynchronous backend, later (see IndexSite): what a
  /// bad index names is then read as zero and not written.
  virtual IndexFault gather(const View& from, const std::vector<View>& index, const View& out,
                            const IndexSite& site = {}) = 0;
  /// to[index0[i...], ..., j...] = from[i..., j...]; the last write in C order wins.
  virtual IndexFault scatter(const View& to, const std::vector<View>& index, const View& from,
                             const IndexSite& site = {}) = 0;
  /// to[index...] = op(to[index...], from[...]) one after the other in C order (ufunc.at). `key` as in core/op.h;
  /// `to` and `from` have the loop's dtypes.
  virtual IndexFault scatter_fold(Op op, dtype key, const View& to, const std::vector<View>& index,
                                  const View& from, const IndexSite& site = {}) = 0;
  /// out[..., ends[i - 1] .. ends[i]) = in[..., i]: the elements of every row repeated. `ends` is a contiguous int64 vector
  /// that does not fall; its last element is the length of the rows of `out`.
  virtual void repeat(const View& in, const View& ends, const View& out) = 0;
  /// out[..., i, j] = sum_k a[..., i, k] * b[..., k, j]; one dtype; batch dimensions broadcast (stride 0).
  virtual void matmul(const View& a, const View& b, const View& out) = 0;
  /// out[i] = sum over j of a[i - left + j] * v[j], for those j for which `a` has the element; 1-d, one dtype, neither
  /// float16 nor bfloat16. Integers wrap around, bool is or-and.
  virtual void sliding_dot(const View& a, const View& v, std::int64_t left, const View& out) = 0;
  /// The values at `x` of the lines through the points (xp, fp), 1-d with xp rising; beyond them ends[0] and ends[1]. All
  /// float64; xp, fp and ends contiguous and not empty. `reciprocal`: see kernels/interpolate.h.
  virtual void interpolate(const View& x, const View& xp, const View& fp, const View& ends, bool reciprocal,
                           const View& out) = 0;
  /// out[i] = start + i * step, 1-d, computed as NumPy's arange does in out.type.
  virtual void arange(const View& out, const Scalar& start, const Scalar& step) = 0;
};

/// Backends are never destroyed: buffers may outlive static destructors.
Backend& cpu_backend();
Backend& reference_backend();  // slow and obviously correct, for tests
Backend& far_backend();        // the CPU at addresses that the host cannot read, for tests

}  // namespace cuprum
