// Launches of the kernels in scan_kernels.cuh, and the tables of them by dtype.
#pragma once

#include "backend/cuda/primitives/scan/scan.h"
#include "backend/cuda/primitives/scan/scan_kernels.cuh"

namespace cuprum::cuda::primitives {

inline std::size_t rounded(std::int64_t nbytes) {
  return static_cast<std::size_t>((nbytes + 255) / 256 * 256);
}

template <class F, class T, int warps>
void launch_tiles(Context& context, const ScanRows& scan) {
  using A = Accumulator<F, T>;
  TileState<A> state{};
  state.tiles = ceil_div(scan.n, kTile<T, warps>);
  state.groups = ceil_div(state.tiles, kGroup);
  const std::int64_t tiles = scan.rows * state.tiles, groups = scan.rows * state.groups;
  const std::size_t tile_bytes = rounded(tiles * sizeof(Slot<A>)),
                    group_bytes = rounded(groups * sizeof(Slot<A>));
  Scratch memory(context, tile_bytes + group_bytes + 256);
  check(cudaMemsetAsync(memory.get(), 0, memory.size(), context.stream), "scan");
  state.aggregates = memory.get<Slot<A>>();
  state.starts = reinterpret_cast<Slot<A>*>(memory.get() + tile_bytes);
  state.ticket = reinterpret_cast<unsigned*>(memory.get() + tile_bytes + group_bytes);
  const std::size_t width = kVector<T> * sizeof(T);
  const bool vector =
      (reinterpret_cast<std::uintptr_t>(scan.in) | reinterpret_cast<std::uintptr_t>(scan.out) |
       (scan.rows > 1 ? scan.n * sizeof(T) : 0)) %
          width ==
      0;
  scan_tiles<F, T, A, warps><<<block_count(tiles, 1), warps * 32, 0, context.stream>>>(scan, state, vector);
  launched(context, "scan");
}

template <class F, class T>
void launch_rows(Context& context, const ScanRows& scan) {
  with_scan_warps<T, Accumulator<F, T>>(scan.n,
                                        [&]<int warps>() { launch_tiles<F, T, warps>(context, scan); });
}

template <class F, class T>
void launch_columns(Context& context, const ScanColumns& scan, bool in_order) {
  const unsigned blocks = block_count(scan.matrices.size * scan.strips, 1);
  if (in_order) {
    scan_columns<F, T, true><<<blocks, 32, 0, context.stream>>>(scan);
  } else {
    scan_columns<F, T, false><<<blocks, kColumnThreads, 0, context.stream>>>(scan);
  }
  launched(context, "scan");
}

template <class F, class T>
ScanKernels scan_kernels() {
  return {launch_rows<F, T>, launch_columns<F, T>};
}

/// Sums and products do not ask whether integers are signed.
template <class F>
ScanKernels arithmetic_kernels(dtype type) {
  switch (type) {
    case dtype::bool_: return scan_kernels<F, bool>();
    case dtype::float16: return scan_kernels<F, kernels::float16>();
    case dtype::bfloat16: return scan_kernels<F, kernels::bfloat16>();
    case dtype::float32: return scan_kernels<F, float>();
    case dtype::float64: return scan_kernels<F, double>();
    case dtype::complex64: return scan_kernels<F, kernels::complex64>();
    case dtype::complex128: return scan_kernels<F, kernels::complex128>();
    default: break;
  }
  switch (itemsize(type)) {
    case 1: return scan_kernels<F, kernels::uint8>();
    case 2: return scan_kernels<F, kernels::uint16>();
    case 4: return scan_kernels<F, kernels::uint32>();
    default: return scan_kernels<F, kernels::uint64>();
  }
}

template <class F>
ScanKernels order_kernels(dtype type) {
  switch (type) {
    case dtype::bool_: return scan_kernels<F, bool>();
    case dtype::int8: return scan_kernels<F, kernels::int8>();
    case dtype::int16: return scan_kernels<F, kernels::int16>();
    case dtype::int32: return scan_kernels<F, kernels::int32>();
    case dtype::int64: return scan_kernels<F, kernels::int64>();
    case dtype::uint8: return scan_kernels<F, kernels::uint8>();
    case dtype::uint16: return scan_kernels<F, kernels::uint16>();
    case dtype::uint32: return scan_kernels<F, kernels::uint32>();
    case dtype::uint64: return scan_kernels<F, kernels::uint64>();
    case dtype::float16: return scan_kernels<F, kernels::float16>();
    case dtype::bfloat16: return scan_kernels<F, kernels::bfloat16>();
    case dtype::float32: return scan_kernels<F, float>();
    case dtype::float64: return scan_kernels<F, double>();
    case dtype::complex64: return scan_kernels<F, kernels::complex64>();
    default: return scan_kernels<F, kernels::complex128>();
  }
}

}  // namespace cuprum::cuda::primitives
