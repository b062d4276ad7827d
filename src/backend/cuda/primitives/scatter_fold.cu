// scatter_fold (ufunc.at): array[place] = op(array[place], line[position]) for every position.
//
// Integer sums, extremes and bit operations give the same in any order: atomics. Sums of float32 and float64 take atomics
// too, for their speed; their last bits, and subnormal float32, then depend on the order of the threads. Everything else
// is sorted by place and folded in C order.
//
// Many positions that share few places (histograms) would queue at the atomics of memory: sums are then made in the shared
// memory of every block first.
#include <algorithm>

#include "backend/cuda/primitives/element.cuh"
#include "backend/cuda/primitives/fold.h"
#include "backend/cuda/primitives/words.cuh"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr int kThreads = 256;

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

constexpr int kSharedPlaces = 4096;

/// Sums at few places, for single elements: kernels of kThreads that share the positions out.
template <class Atomic, class T>
__global__ void __launch_bounds__(kThreads) fold_in_shared(const __grid_constant__ Move move) {
  __shared__ T sums[kSharedPlaces];
  const int places = static_cast<int>(move.places);
  for (int p = threadIdx.x; p < places; p += kThreads) sums[p] = T(0);
  __syncthreads();
  const std::int64_t stride = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < move.size; i += stride) {
    std::int64_t at[kIndexArrays + 1];
    move.positions.offsets(i, at);
    const Place place = move.indices.locate(at);
    if (place.number >= 0) Atomic::apply(sums + place.number, load<T>(move.line + at[kIndexArrays]));
  }
  __syncthreads();
  for (int p = threadIdx.x; p < places; p += kThreads) {
    if (sums[p] != T(0))
      atomicAdd(reinterpret_cast<T*>(move.array + p * move.indices.index[0].stride), sums[p]);
  }
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

template <class Atomic>
AtomicFold shared_sum(dtype type) {
  if (type == dtype::float32) return fold_in_shared<Atomic, float>;
  if (type == dtype::float64) return fold_in_shared<Atomic, double>;
  if (!is_integer(type)) return nullptr;
  if (itemsize(type) == 4) return fold_in_shared<Atomic, unsigned>;
  return itemsize(type) == 8 ? fold_in_shared<Atomic, unsigned long long> : nullptr;
}

/// The kernel for sums at few places, or null.
AtomicFold shared_fold(Op op, dtype type, const Move& move) {
  const bool few = move.indices.count == 1 && move.row.size == 1 && move.places <= kSharedPlaces &&
                   move.size >= 64 * move.places;
  if (!few) return nullptr;
  return op == Op::add        ? shared_sum<AtomicAdd>(type)
         : op == Op::subtract ? shared_sum<AtomicSubtract>(type)
                              : nullptr;
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

IndexFault scatter_fold(Context& context, Op op, dtype key, const View& to, const std::vector<View>& index,
                        const View& from, const IndexSite& site) {
  using namespace primitives;
  const bool unary = info(op).nin == 1;
  if (debugging()) {
    if (const IndexFault fault = first_fault(context, to.shape, index); fault.axis >= 0) return fault;
  }
  if (size_of(index[0]) == 0 || (!unary && size_of(from) == 0)) return {};
  const bool by_parts =
      is_complex(key) && (op == Op::add || op == Op::subtract) && to.shape.size() < kMaxDims;
  if (by_parts) return scatter_fold(context, op, real_type(key), parts_of(to), index, parts_of(from), site);
  IndexedMove plan(context, Direction::scatter, to, index, unary ? nullptr : &from, site, false);
  const Move& move = plan.move();
  if (move.size == 0) return {};
  if (const AtomicFold kernel = shared_fold(op, key, move)) {
    const auto resident = static_cast<unsigned>(context.multiprocessors) * 6;
    kernel<<<std::min(block_count(move.size, kThreads), resident), kThreads, 0, context.stream>>>(move);
    launched(context, "ufunc.at");
  } else if (const AtomicFold kernel = atomic_fold(op, key)) {
    kernel<<<block_count(move.size, kThreads), kThreads, 0, context.stream>>>(move);
    launched(context, "ufunc.at");
  } else {
    const SortedDestinations sorted(context, move);
    fold_places(context, op, key, move, sorted.get());
  }
  plan.finish(context);
  return {};
}

}  // namespace cuprum::cuda
