#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/product/product.h"
#include "kernels/arithmetic.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kTile = 64, kDepth = 16, kThreads = 256;  // each thread has 4 x 4 sums of a tile of 64 x 64

struct Operand {
  char* data;
  std::int64_t row, col;  // strides in bytes
};

struct Product {
  std::int64_t m, n, k;
  Operand a, b, out;
  Layout<3> batch;
  std::int64_t tiles_across, tiles;
};

/// An element, or zero outside of the matrix.
template <class T>
__device__ T element(const Operand& o, std::int64_t row, std::int64_t col, std::int64_t rows,
                     std::int64_t cols) {
  if (row >= rows || col >= cols) return T(0);
  using Bits = kernels::conditional<kernels::boolean<T>, std::uint8_t, T>;
  return static_cast<T>(load<Bits>(o.data + row * o.row + col * o.col));
}

template <class T>
__global__ void __launch_bounds__(kThreads) multiply_tiles(const __grid_constant__ Product p) {
  __shared__ T left[kDepth][kTile + 1], right[kDepth][kTile + 1];
  const std::int64_t matrix = blockIdx.x / p.tiles, tile = blockIdx.x % p.tiles;
  const std::int64_t i0 = tile / p.tiles_across * kTile, j0 = tile % p.tiles_across * kTile;
  std::int64_t at[3];
  p.batch.offsets(matrix, at);
  const Operand a{p.a.data + at[0], p.a.row, p.a.col}, b{p.b.data + at[1], p.b.row, p.b.col};
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  T sum[4][4] = {};
  for (std::int64_t k0 = 0; k0 < p.k; k0 += kDepth) {
    for (int e = threadIdx.x; e < kTile * kDepth; e += kThreads) {
      left[e % kDepth][e / kDepth] = element<T>(a, i0 + e / kDepth, k0 + e % kDepth, p.m, p.k);
      right[e / kTile][e % kTile] = element<T>(b, k0 + e / kTile, j0 + e % kTile, p.k, p.n);
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      T l[4], r[4];
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        l[u] = left[k][y + 16 * u];
        r[u] = right[k][x + 16 * u];
      }
#pragma unroll
      for (int u = 0; u < 4; ++u) {
#pragma unroll
        for (int v = 0; v < 4; ++v) sum[u][v] = kernels::add(sum[u][v], kernels::multiply(l[u], r[v]));
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int u = 0; u < 4; ++u) {
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const std::int64_t i = i0 + y + 16 * u, j = j0 + x + 16 * v;
      if (i < p.m && j < p.n) store(p.out.data + at[2] + i * p.out.row + j * p.out.col, sum[u][v]);
    }
  }
}

__global__ void write_addresses(char* a, char* b, char* out, const Layout<3> batch, void** addresses) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= batch.size) return;
  std::int64_t at[3];
  batch.offsets(i, at);
  addresses[i] = a + at[0];
  addresses[batch.size + i] = b + at[1];
  addresses[2 * batch.size + i] = out + at[2];
}

Operand operand(const View& view) {
  const std::size_t d = view.shape.size() - 2;
  return {bytes(view.data), view.strides[d], view.strides[d + 1]};
}

template <class T>
void multiply(Context& context, const Product& p) {
  multiply_tiles<T><<<block_count(p.tiles * p.batch.size, 1), kThreads, 0, context.stream>>>(p);
  launched(context, "matmul");
}

}  // namespace

void integer_matmul(Context& context, const View& a, const View& b, const View& out, const Layout<3>& batch) {
  const std::size_t d = out.shape.size() - 2;
  Product p{
      out.shape[d], out.shape[d + 1], a.shape[d + 1], operand(a), operand(b), operand(out), batch, 0, 0};
  p.tiles_across = ceil_div(p.n, kTile);
  p.tiles = p.tiles_across * ceil_div(p.m, kTile);
  if (is_bool(out.type)) return multiply<bool>(context, p);
  switch (itemsize(out.type)) {
    case 1: return multiply<kernels::uint8>(context, p);
    case 2: return multiply<kernels::uint16>(context, p);
    case 4: return multiply<kernels::uint32>(context, p);
    default: return multiply<kernels::uint64>(context, p);
  }
}

void batch_addresses(Context& context, const View& a, const View& b, const View& out, const Layout<3>& batch,
                     void** addresses) {
  write_addresses<<<block_count(batch.size, kThreads), kThreads, 0, context.stream>>>(
      bytes(a.data), bytes(b.data), bytes(out.data), batch, addresses);
  launched(context, "matmul");
}

}  // namespace cuprum::cuda::primitives
