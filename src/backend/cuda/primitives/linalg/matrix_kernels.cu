#include "backend/cuda/primitives/common/layout.h"
#include "backend/cuda/primitives/common/words.cuh"
#include "backend/cuda/primitives/linalg/matrices.h"
#include "backend/cuda/primitives/linalg/number.cuh"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 256;

__device__ std::int64_t place() { return std::int64_t{blockIdx.x} * kThreads + threadIdx.x; }

__global__ void write_addresses(char* first, std::int64_t step, std::int64_t count, char** to) {
  const std::int64_t i = place();
  if (i < count) to[i] = first + i * step;
}

template <class T>
__global__ void write_identity(std::int64_t n, std::int64_t size, T* to) {
  const std::int64_t i = place();
  if (i < size) to[i] = number<T>(i / n % n == i % n ? 1 : 0);
}

template <class T>
__global__ void write_zeros_below(std::int64_t m, std::int64_t n, std::int64_t size, T* matrices) {
  const std::int64_t i = place();
  if (i < size && i % n < i / n % m) matrices[i] = T{};
}

struct TriangleCopy {
  char* from;
  char* to;
  Layout<2> elements;
  std::int64_t m, n;
  Triangle which;
};

template <class T>
__global__ void copy_triangle(const __grid_constant__ TriangleCopy p) {
  const std::int64_t i = place();
  if (i >= p.elements.size) return;
  std::int64_t at[2];
  p.elements.offsets(i, at);
  const std::int64_t row = i / p.n % p.m, column = i % p.n;
  const bool kept = p.which == Triangle::upper ? row <= column : row >= column;
  write_element(p.to + at[1], kept ? read_element<T>(p.from + at[0]) : T{});
}

/// A block for each column; its sums are added in one order whatever runs first.
template <class T>
__global__ void add_squares(const T* matrix, std::int64_t ld, std::int64_t first, std::int64_t last,
                            Real<T>* sums) {
  __shared__ Real<T> parts[kThreads];
  Real<T> sum = 0;
  const T* const column = matrix + blockIdx.x * ld;
  for (std::int64_t i = first + threadIdx.x; i < last; i += kThreads) sum = add_square(sum, column[i]);
  parts[threadIdx.x] = sum;
  for (int half = kThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = parts[0];
}

template <class T>
__global__ void scale_rows(T* columns, std::int64_t rows, std::int64_t size, const Real<T>* values,
                           std::int64_t rank) {
  const std::int64_t i = place();
  if (i >= size) return;
  const std::int64_t row = i % rows;
  columns[i] = row < rank ? scaled(columns[i], 1 / values[row]) : T{};
}

template <class R>
__global__ void join_pairs(std::int64_t n, const R* columns, const complex<R>* values, complex<R>* to) {
  const std::int64_t i = place();
  if (i >= n * n) return;
  const std::int64_t row = i / n, j = i % n;
  const R part = values[j].im;
  const std::int64_t first = part < 0 ? j - 1 : j;  // of the pair
  const R re = columns[first * n + row], im = part == 0 ? R(0) : columns[(first + 1) * n + row];
  to[i] = {re, part < 0 ? -im : im};
}

}  // namespace

Addresses::Addresses(Context& context, std::byte* first, std::int64_t step, std::int64_t count)
    : memory_(context, static_cast<std::size_t>(count) * sizeof(void*)) {
  write_addresses<<<block_count(count, kThreads), kThreads, 0, context.stream>>>(bytes(first), step, count,
                                                                                 memory_.get<char*>());
  launched(context, "linalg");
}

void set_identity(Context& context, dtype type, std::int64_t n, std::int64_t count, std::byte* to) {
  const std::int64_t size = n * n * count;
  with_number(type, [&](auto x) {
    write_identity<<<block_count(size, kThreads), kThreads, 0, context.stream>>>(
        n, size, reinterpret_cast<decltype(x)*>(to));
  });
  launched(context, "linalg");
}

void clear_below(Context& context, const View& matrices) {
  const auto [m, n] = sides_of(matrices);
  const std::int64_t size = size_of(matrices);
  with_number(matrices.type, [&, m = m, n = n](auto x) {
    write_zeros_below<<<block_count(size, kThreads), kThreads, 0, context.stream>>>(
        m, n, size, reinterpret_cast<decltype(x)*>(matrices.data.address()));
  });
  launched(context, "linalg");
}

void take_triangle(Context& context, const View& from, const View& to, Triangle which) {
  TriangleCopy p{bytes(from.data), bytes(to.data), {}, sides_of(to).m, sides_of(to).n, which};
  // Both were made here: stacks without gaps, so that three dimensions remain.
  make_layout<2>({&from, &to}, 0, to.shape.size(), p.elements);
  with_number(to.type, [&](auto x) {
    copy_triangle<decltype(x)><<<block_count(p.elements.size, kThreads), kThreads, 0, context.stream>>>(p);
  });
  launched(context, "linalg");
}

void sum_squares(Context& context, dtype type, const std::byte* matrix, std::int64_t ld, std::int64_t first,
                 std::int64_t last, const View& sums) {
  with_number(type, [&](auto x) {
    using T = decltype(x);
    add_squares<<<block_count(size_of(sums), 1), kThreads, 0, context.stream>>>(
        reinterpret_cast<const T*>(matrix), ld, first, last, reinterpret_cast<Real<T>*>(sums.data.address()));
  });
  launched(context, "linalg");
}

void divide_rows(Context& context, const Columns& matrix, const std::byte* values, std::int64_t rank) {
  const std::int64_t size = size_of(matrix.view());
  with_number(matrix.view().type, [&](auto x) {
    using T = decltype(x);
    scale_rows<<<block_count(size, kThreads), kThreads, 0, context.stream>>>(
        reinterpret_cast<T*>(matrix.at(0)), matrix.rows(), size, reinterpret_cast<const Real<T>*>(values),
        rank);
  });
  launched(context, "linalg");
}

void pair_columns(Context& context, dtype real, std::int64_t n, const std::byte* columns,
                  const std::byte* values, std::byte* to) {
  const auto join = [&]<class R>(R) {
    join_pairs<<<block_count(n * n, kThreads), kThreads, 0, context.stream>>>(
        n, reinterpret_cast<const R*>(columns), reinterpret_cast<const complex<R>*>(values),
        reinterpret_cast<complex<R>*>(to));
  };
  real == dtype::float32 ? join(float()) : join(double());
  launched(context, "linalg");
}

}  // namespace cuprum::cuda::primitives
