// What does not fuse: the primitives.
//
// A primitive is described here and nowhere else: a struct of what it takes beside its operands, with its operands (`in`) and its
// result (`out`) in the comment, and a name in the list at the end. Each backend has a form of it, a function `call` over that
// struct, in the file of its family; a form that is missing does not link. `axis` is always the last dimension: callers
// move it there (views are free). Views do not overlap between operands and result unless a primitive says otherwise.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/caller.h"
#include "runtime/index_site.h"
#include "runtime/primitives_fft.h"
#include "runtime/primitives_launch.h"
#include "runtime/primitives_random.h"
#include "runtime/program.h"

namespace cuprum {

/// How `ScanOp` handles NaN follows NumPy: cumulative sums and products propagate them.
enum class ScanOp : std::uint8_t { sum, prod, min, max, generic };

/// What is wrong with the operands of a call: the first index that was out of bounds, in C order of the index arrays, or the
/// first matrix of a stack that cannot be factorized. `axis` -1: nothing.
struct Fault {
  int axis = -1;           // position among the index arrays; 0 for a matrix
  std::int64_t value = 0;  // the offending index; the number of the matrix
};

/// Who asks for a factorization: LinAlgError is thrown by the call, or later as for indices.
struct MatrixSite {
  const char* function;  // the call, for the message; literals
  const char* message;   // what it means that it cannot be done: "Singular matrix"
  Ref<Caller> caller;    // who is told; null: the thread that hands the work over

  Ref<Caller> told() const { return caller ? caller : Caller::current(); }
};

/// A mask whose true elements have been counted. What a backend has found beside their number stays in it for the call that
/// uses the mask, so that nothing is counted twice; the mask must not change in between.
class CountedMask {
 public:
  explicit CountedMask(std::int64_t count) : count(count) {}
  virtual ~CountedMask() = default;

  const std::int64_t count;
};

// -- Along an axis.

/// out[..., i] = in[..., 0] op ... op in[..., i]; one dtype. `fold` for ScanOp::generic.
struct Scan {
  ScanOp op;
  Op fold = Op::count_;
};
/// Stable sort along the last axis, NaN last, complex in NumPy's lexicographic order.
struct Sort {};
/// Indices (int64) that would sort stably along the last axis.
struct Argsort {};
/// The row with its elements moved so that those at the positions `kth` are the ones that Sort would put there, none before
/// such a position is greater and none behind it smaller.
struct Partition {
  Dims kth;
};
/// in: rows, ends. out[..., ends[i - 1] .. ends[i]) = rows[..., i]: the elements of every row repeated. `ends` is a contiguous
/// int64 vector that does not fall; its last element is the length of the rows of `out`.
struct Repeat {};

// -- In a sorted row.

/// in: row, values. out[...] = how many elements of `row` (1-d, sorted) come before values[...]; `right`: do not come behind it.
/// int64; `row` and `values` of one dtype, in the order of Sort.
struct Searchsorted {
  bool right;
};
/// in: row, values. out[...] = is there an element of `row` (1-d, sorted) that equals values[...]? bool; NaN equals nothing.
struct IsAmong {};
/// in: edges, values. out[i] = how many of `values` come neither before edges[i] nor behind or at edges[i + 1], in the order of
/// Sort; what is at the last edge belongs to the last interval. `edges` is 1-d, sorted and one longer than `out` (int64).
struct CountBetween {};
/// in: x, xp, fp, ends. The values at `x` of the lines through the points (xp, fp), 1-d with xp rising; beyond them ends[0] and
/// ends[1]. All float64; xp, fp and ends contiguous and not empty. `reciprocal`: see kernels/interpolate.h.
struct Interpolate {
  bool reciprocal;
};

// -- By a mask.

/// in: a, mask. out[k] = a at the k-th true element of the mask, in C order; a and the mask have one shape, out is contiguous and has
/// room for counted->count elements, of which there is at least one.
struct Select {
  std::shared_ptr<const CountedMask> counted;
};
/// in: mask. out[k, d] = coordinate d of the k-th true element of the mask (C order); an int64 view (count, ndim) with elements.
struct Nonzero {
  std::shared_ptr<const CountedMask> counted;
};
/// in: from, mask. out at the k-th true element of the mask = from[k]; `from` is 1-d with counted->count elements, at least one.
struct MaskedAssign {
  std::shared_ptr<const CountedMask> counted;
};
/// in: mask, value. out at every true element of the mask = the one element of `value`, of the same dtype.
struct MaskedFill {};

// -- By index arrays. in: an array, then k int64 index views of one shape I; negative indices count from the end. All indices
// are checked before anything is written; or, on an asynchronous backend, later (IndexSite): what a bad index names is then read
// as zero and not written.

/// out[i..., j...] = from[index0[i...], index1[i...], ..., j...]: the first k dimensions of `from` are indexed; out has shape
/// I + from.shape[k:].
struct Gather {
  IndexSite site;
  bool checked = false;  // the indices are known to be in bounds
};
/// in: the index views alone, each of a shape of its own. Looks whether they name elements of an array whose indexed dimensions are
/// `shape`; nothing is written.
struct CheckIndices {
  IndexSite site;
  Dims shape;
};
/// out[index0[i...], ..., j...] = from[i..., j...]; the last write in C order wins.
struct Scatter {
  IndexSite site;
};
/// out[index...] = op(out[index...], from[...]) one after the other in C order (ufunc.at). `key` as in core/op.h; `out` and
/// `from` (an empty view for unary operations) have the loop's dtypes.
struct ScatterFold {
  Op op;
  dtype key;
  IndexSite site;
  bool checked = false;  // as of Gather
};

// -- Others.

/// in: a, b. out[..., i, j] = sum_k a[..., i, k] * b[..., k, j]; one dtype; batch dimensions broadcast (stride 0).
struct Matmul {};
/// in: a, v. out[i] = sum over j of a[i - left + j] * v[j], for those j for which `a` has the element; 1-d, one dtype, neither
/// float16 nor bfloat16. Integers wrap around, bool is or-and.
struct SlidingDot {
  std::int64_t left;
};
/// out[i] = start + i * step, 1-d, computed as NumPy's arange does in out.type.
struct Arange {
  Scalar start, step;
};

}  // namespace cuprum

#include "runtime/primitives_linalg.h"

namespace cuprum {

// clang-format off
#define CUPRUM_PRIMITIVES(X)                                                    \
  X(Scan) X(Sort) X(Argsort) X(Partition) X(Repeat)                             \
  X(Searchsorted) X(IsAmong) X(CountBetween) X(Interpolate)                     \
  X(Select) X(Nonzero) X(MaskedAssign) X(MaskedFill)                            \
  X(Gather) X(CheckIndices) X(Scatter) X(ScatterFold)                           \
  X(Matmul) X(SlidingDot) X(Arange)                                             \
  X(Fft) CUPRUM_LINALG_PRIMITIVES(X)                                            \
  X(Draw) X(Launch)
// clang-format on

// -- Calls.

#define CUPRUM_ALTERNATIVE(P) , P
using Primitive = std::variant<std::monostate CUPRUM_PRIMITIVES(CUPRUM_ALTERNATIVE)>;
#undef CUPRUM_ALTERNATIVE

/// "sort", "is_among": for people.
std::string name(const Primitive& primitive);

using Operands = std::span<const View>;

/// One call of a primitive, as a device is given it. It names what its maker holds.
struct Call {
  const Primitive& primitive;
  Operands in;
  Operands out;  // one result, but for primitives that have several
};

/// What a form answers: those that can find their operands wrong tell of it.
template <class P>
inline constexpr bool kChecks = requires(const P& p) {
  p.site;
};
template <class P>
using Answer = std::conditional_t<kChecks<P>, Fault, void>;

/// What a form writes to: a primitive with several results says so by a member `several`.
template <class P>
inline constexpr bool kSeveral = requires {
  P::several;
};
template <class P>
using Results = std::conditional_t<kSeveral<P>, Operands, const View&>;
template <class P>
Results<P> results_of(const Call& call) {
  if constexpr (kSeveral<P>)
    return call.out;
  else
    return call.out[0];
}

/// The dimensions that index arrays name elements of.
template <class P>
const Dims& indexed_shape(const P& p, const Call& call) {
  if constexpr (std::is_same_v<P, CheckIndices>)
    return p.shape;
  else
    return std::is_same_v<P, Gather> ? call.in[0].shape : call.out[0].shape;
}

/// Calls `form(p, results)` with the primitive of the call.
template <class F>
Fault dispatch(const Call& call, F&& form) {
  return std::visit(
      [&]<class P>(const P& p) -> Fault {
        if constexpr (std::is_same_v<P, std::monostate>) {
          return {};
        } else if constexpr (kChecks<P>) {
          return form(p, results_of<P>(call));
        } else {
          form(p, results_of<P>(call));
          return {};
        }
      },
      call.primitive);
}

/// Throws IndexError or LinAlgError for a fault that was found when the call was handed over.
[[noreturn]] void throw_fault(const Call& call, const Fault& fault);
/// The same for one that a device found after the call had returned.
[[noreturn]] void throw_late_fault(const Call& call, const Fault& fault);

}  // namespace cuprum
