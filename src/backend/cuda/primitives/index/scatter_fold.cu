// scatter_fold (ufunc.at): array[place] = op(array[place], line[position]) for every position.
//
// Integer sums, extremes and bit operations give the same in any order: atomics. Sums of float32 and float64 take atomics
// too, for their speed; their last bits, and subnormal float32, then depend on the order of the threads. Everything else
// is sorted by place and folded in C order.
//
// Many positions that share few places (histograms) would queue at the atomics of memory: sums are then made in the shared
// memory of every block first (few_kernels.cuh). Sums at many places of an array beyond the cache are made in its order
// (walk.h). index_strategy.h chooses the way.
#include <algorithm>

#include "backend/cuda/primitives/common/element.cuh"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/fold/fold.h"
#include "backend/cuda/primitives/index/few_kernels.cuh"
#include "backend/cuda/primitives/index/positions.cuh"
#include "backend/cuda/primitives/index/walk.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;
constexpr unsigned kFewBlocks = 6;  // per multiprocessor

struct AtomicAdd {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicAdd(to, x);
  }
};
struct AtomicSubtract {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicAdd(to, static_cast<T>(-x));
  }
};
struct AtomicMin {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicMin(to, x);
  }
};
struct AtomicMax {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicMax(to, x);
  }
};
struct AtomicAnd {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicAnd(to, x);
  }
};
struct AtomicOr {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicOr(to, x);
  }
};
struct AtomicXor {
  template <class T>
  static __device__ void apply(T* to, T x) {
    atomicXor(to, x);
  }
};

template <class Atomic, class T>
__global__ void __launch_bounds__(kThreads) fold_atomically(const __grid_constant__ Move move) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= move.size) return;
  const auto [position, column] = move.item(i);
  std::int64_t at[kIndexArrays + 1], in_row[2];
  move.positions.offsets(position, at);
  move.row.offsets(column, in_row);
  const Place place = move.indices.locate(at);
  if (place.number < 0) return;
  const T x = load<T>(move.line + at[kIndexArrays] + in_row[1]);
  Atomic::apply(reinterpret_cast<T*>(move.array + place.offset + in_row[0]), x);
}

using AtomicFold = void (*)(Move);

template <class Atomic>
AtomicFold atomic_bits(dtype type) {
  if (!is_integer(type)) return nullptr;
  if (itemsize(type) == 4) return fold_atomically<Atomic, unsigned>;
  return itemsize(type) == 8 ? fold_atomically<Atomic, unsigned long long> : nullptr;
}

template <class Atomic>
AtomicFold atomic_sum(dtype type) {
  if (type == dtype::float32) return fold_atomically<Atomic, float>;
  return type == dtype::float64 ? fold_atomically<Atomic, double> : atomic_bits<Atomic>(type);
}

template <class Atomic>
AtomicFold atomic_order(dtype type) {
  switch (type) {
    case dtype::int32: return fold_atomically<Atomic, int>;
    case dtype::uint32: return fold_atomically<Atomic, unsigned>;
    case dtype::int64: return fold_atomically<Atomic, long long>;
    case dtype::uint64: return fold_atomically<Atomic, unsigned long long>;
    default: return nullptr;
  }
}

/// The kernel for an operation that atomics can do, or null.
AtomicFold atomic_fold(Op op, dtype type) {
  switch (op) {
    case Op::add: return atomic_sum<AtomicAdd>(type);
    case Op::subtract: return atomic_sum<AtomicSubtract>(type);
    case Op::minimum:
    case Op::fmin: return atomic_order<AtomicMin>(type);
    case Op::maximum:
    case Op::fmax: return atomic_order<AtomicMax>(type);
    case Op::bitwise_and: return atomic_bits<AtomicAnd>(type);
    case Op::bitwise_or: return atomic_bits<AtomicOr>(type);
    case Op::bitwise_xor: return atomic_bits<AtomicXor>(type);
    default: return nullptr;
  }
}

/// Sums of single elements at few places, in shared memory.
template <class T>
void sum_few(Context& context, const Move& move, const FewSums& sums) {
  with_positions(move, [&](auto positions) {
    const auto resident = static_cast<unsigned>(context.multiprocessors) * kFewBlocks;
    const unsigned blocks = std::min(block_count(move.size, kFewThreads * kFewInFlight), resident);
    sum_at_few<T><<<blocks, kFewThreads, 0, context.stream>>>(positions, sums);
  });
  launched(context, "ufunc.at");
}

void fold_few(Context& context, Op op, dtype type, const IndexedMove& plan) {
  const Move& move = plan.move();
  const FewSums sums{move.array,
                     step_of(move.indices),
                     static_cast<unsigned>(move.places),
                     op == Op::subtract,
                     plan.is_uniform() && move.size <= kMostCounted,
                     copies_of_sums(move.places, is_floating(type))};
  if (type == dtype::float32) return sum_few<float>(context, move, sums);
  if (type == dtype::float64) return sum_few<double>(context, move, sums);
  if (itemsize(type) == 4) return sum_few<unsigned>(context, move, sums);
  sum_few<unsigned long long>(context, move, sums);
}

void fold_sorted(Context& context, Op op, dtype type, const Move& move) {
  const SortedDestinations sorted(context, move);
  fold_places(context, op, type, move, sorted.get());
}

/// A complex array as one of its real and imaginary parts.
View parts_of(View view) {
  view.type = real_type(view.type);
  view.shape.push_back(2);
  view.strides.push_back(static_cast<std::int64_t>(itemsize(view.type)));
  return view;
}

}  // namespace

}  // namespace primitives

static Fault scatter_fold(Context& context, Op op, dtype key, const View& to, Operands index,
                          const View& from, const IndexSite& site) {
  using namespace primitives;
  const bool unary = info(op).nin == 1;
  if (debugging()) {
    if (const Fault fault = first_fault(context, to.shape, index); fault.axis >= 0) return fault;
  }
  if (size_of(index[0]) == 0 || (!unary && size_of(from) == 0)) return {};
  const bool by_parts =
      is_complex(key) && (op == Op::add || op == Op::subtract) && to.shape.size() < kMaxDims;
  if (by_parts) return scatter_fold(context, op, real_type(key), parts_of(to), index, parts_of(from), site);
  IndexedMove plan(context, Direction::scatter, to, index, unary ? nullptr : &from, site, false);
  const Move& move = plan.move();
  if (move.size == 0) return {};
  const bool sums = op == Op::add || op == Op::subtract;
  const AtomicFold kernel = atomic_fold(op, key);
  switch (fold_way(work_of(plan), device_of(context), sums, kernel != nullptr)) {
    case FoldWay::few: fold_few(context, op, key, plan); break;
    case FoldWay::walk: sum_walking(context, key, op == Op::subtract, move); break;
    case FoldWay::atomic:
      kernel<<<block_count(move.size, kThreads), kThreads, 0, context.stream>>>(move);
      launched(context, "ufunc.at");
      break;
    case FoldWay::sorted: fold_sorted(context, op, key, move); break;
  }
  plan.finish(context);
  return {};
}

Fault call(Context& context, const ScatterFold& p, Operands in, const View& out) {
  return scatter_fold(context, p.op, p.key, out, in.subspan(1), in[0], p.site);
}

}  // namespace cuprum::cuda
