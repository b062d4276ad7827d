// The kernels of scans on the CUDA backend, run on the host, against the plain loops: tiles, groups of tiles, columns.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "backend/reference/primitives.h"
#include "random_views.h"
// After all standard headers:
#include "cuda_on_host.h"
//
#include "backend/cuda/primitives/scan/scan_kernels.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;

/// What launch_tiles does.
template <class F, class T, int warps>
void scan_in_tiles(const View& in, const View& out) {
  using A = Accumulator<F, T>;
  const std::int64_t n = in.shape.back(), rows = element_count(in.shape) / n;
  TileState<A> state{};
  state.tiles = (n + kTile<T, warps> - 1) / kTile<T, warps>;
  state.groups = (state.tiles + kGroup - 1) / kGroup;
  unsigned ticket = 0;
  std::vector<std::byte> aggregates(rows * state.tiles * sizeof(Slot<A>) + 16),
      starts(rows * state.groups * sizeof(Slot<A>) + 16);
  const auto slots = [](std::vector<std::byte>& memory) {
    return reinterpret_cast<Slot<A>*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 15) / 16 * 16);
  };
  state.ticket = &ticket;
  state.aggregates = slots(aggregates);
  state.starts = slots(starts);
  const ScanRows scan{rows, n, reinterpret_cast<const char*>(in.data.address()),
                      reinterpret_cast<char*>(out.data.address())};
  const bool vector = n * sizeof(T) % 16 == 0;
  run_grid(static_cast<unsigned>(rows * state.tiles), 1, warps * 32,
           [&] { scan_tiles<F, T, A, warps>(scan, state, vector); });
}

template <class F, class T>
void scan_rows(const View& in, const View& out) {
  with_scan_warps<T, Accumulator<F, T>>(in.shape.back(),
                                        [&]<int warps>() { scan_in_tiles<F, T, warps>(in, out); });
}

/// What launch_columns does, for a matrix of `in.shape` folded downwards.
template <class F, class T, bool in_order>
void scan_down(const View& in, const View& out) {
  ScanColumns scan{};
  scan.n = in.shape[0];
  scan.width = in.shape[1];
  scan.in = reinterpret_cast<const char*>(in.data.address());
  scan.out = reinterpret_cast<char*>(out.data.address());
  scan.in_step = in.strides[0];
  scan.out_step = out.strides[0];
  scan.strips = (scan.width + 31) / 32;
  run_grid(static_cast<unsigned>(scan.strips), 1, in_order ? 32 : kColumnThreads,
           [&] { scan_columns<F, T, in_order>(scan); });
}

View transposed(View view) {
  std::swap(view.shape[0], view.shape[1]);
  std::swap(view.strides[0], view.strides[1]);
  return view;
}

/// Small integers: every grouping of their sums is exact.
Owned whole_numbers(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape, true);
  fill(view, [&] { return reference::cast(Scalar::of(dtype::int64, pick(rng, -1, 1)), type); });
  return view;
}

Owned any_numbers(Rng& rng, dtype type, const Dims& shape) {
  Owned view = random_layout(rng, type, shape, true);
  fill(view, [&] { return random_value(rng, type); });
  return view;
}

template <class F, class T>
void check_rows(Rng& rng, ScanOp op, const Owned& in) {
  const Owned want = random_layout(rng, in.type, in.shape, true),
              got = random_layout(rng, in.type, in.shape, true);
  reference::scan(op, Op::count_, in, want);
  scan_rows<F, T>(in, got);
  expect_same(got, want, std::string(name(in.type)) + to_string(in.shape), Same::value);
}

TEST(CudaScan, Rows) {
  Rng rng(1);
  for (const Dims& shape :
       {Dims{1, 1}, Dims{3, 513}, Dims{2, 8192}, Dims{3, 8200}, Dims{2, 20001}, Dims{1, 50000}}) {
    check_rows<Sum, float>(rng, ScanOp::sum, whole_numbers(rng, dtype::float32, shape));
    check_rows<Sum, double>(rng, ScanOp::sum, whole_numbers(rng, dtype::float64, shape));
    check_rows<Sum, kernels::complex128>(rng, ScanOp::sum, whole_numbers(rng, dtype::complex128, shape));
    check_rows<Sum, kernels::float16>(rng, ScanOp::sum, whole_numbers(rng, dtype::float16, shape));
    check_rows<Sum, bool>(rng, ScanOp::sum, any_numbers(rng, dtype::bool_, shape));
    check_rows<Prod, kernels::uint8>(rng, ScanOp::prod, any_numbers(rng, dtype::uint8, shape));
    check_rows<Prod, kernels::uint64>(rng, ScanOp::prod, any_numbers(rng, dtype::uint64, shape));
    check_rows<Min, kernels::bfloat16>(rng, ScanOp::min, any_numbers(rng, dtype::bfloat16, shape));
    check_rows<Max, float>(rng, ScanOp::max, any_numbers(rng, dtype::float32, shape));
    check_rows<Max, kernels::complex64>(rng, ScanOp::max, any_numbers(rng, dtype::complex64, shape));
  }
}

TEST(CudaScan, GroupsOfTiles) {
  Rng rng(2);
  const std::int64_t n =
      kGroup * kTile<kernels::complex128, 8> + 5;  // the last tile waits for its group's start
  check_rows<Sum, kernels::complex128>(rng, ScanOp::sum, whole_numbers(rng, dtype::complex128, {1, n}));
}

template <class F, class T>
void check_columns(Rng& rng, ScanOp op, const Owned& in) {
  const Owned want = random_layout(rng, in.type, in.shape, true);
  reference::scan(op, Op::count_, transposed(in), transposed(want));
  Owned got = random_layout(rng, in.type, in.shape, true);
  scan_down<F, T, false>(in, got);
  expect_same(got, want, std::string("columns ") + name(in.type) + to_string(in.shape), Same::value);
  got = random_layout(rng, in.type, in.shape, true);
  scan_down<F, T, true>(in, got);
  expect_same(got, want, std::string("in order ") + name(in.type) + to_string(in.shape), Same::any_nan);
}

TEST(CudaScan, Columns) {
  Rng rng(3);
  for (const Dims& shape : {Dims{1, 32}, Dims{16, 40}, Dims{17, 33}, Dims{128, 64}, Dims{300, 70}}) {
    check_columns<Sum, float>(rng, ScanOp::sum, whole_numbers(rng, dtype::float32, shape));
    check_columns<Sum, kernels::float16>(rng, ScanOp::sum, whole_numbers(rng, dtype::float16, shape));
    check_columns<Min, double>(rng, ScanOp::min, any_numbers(rng, dtype::float64, shape));
    check_columns<Max, bool>(rng, ScanOp::max, any_numbers(rng, dtype::bool_, shape));
    check_columns<Prod, kernels::uint16>(rng, ScanOp::prod, any_numbers(rng, dtype::uint16, shape));
  }
}

}  // namespace
}  // namespace cuprum
