#include <vector>

#include "backend/cuda/primitives/common/views.h"
#include "backend/cuda/primitives/linalg/status.h"

namespace cuprum::cuda::primitives {

namespace {

constexpr int kThreads = 256;
constexpr unsigned long long kNone = ~0ull;

struct Told {
  FaultRecord* record;
  unsigned* claimed;
  const char* function;
  const char* message;
  bool stacked;
};

/// One block.
__global__ void find_failed(const int* info, std::int64_t count, Told told) {
  __shared__ unsigned long long first;
  if (threadIdx.x == 0) first = kNone;
  __syncthreads();
  for (std::int64_t i = threadIdx.x; i < count; i += kThreads) {
    if (info[i] != 0) atomicMin(&first, static_cast<unsigned long long>(i));
  }
  __syncthreads();
  if (threadIdx.x != 0 || first == kNone || atomicExch(told.claimed, 1u) != 0u) return;
  told.record->write(told.function, told.message, told.stacked, static_cast<std::int64_t>(first));
}

/// A thread for each value.
template <class R>
__global__ void find_nan(const R* values, std::int64_t n, std::int64_t size, int* info) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size && values[i] != values[i]) info[i / n] = 1;
}

/// A complex number is two of R.
template <class R>
__global__ void fill_nan(const int* info, std::int64_t per_matrix, std::int64_t size, R* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < size && info[i / per_matrix] != 0) out[i] = static_cast<R>(__longlong_as_double(0x7ff8ll << 48));
}

bool is_single(dtype type) { return type == dtype::float32 || type == dtype::complex64; }

}  // namespace

Statuses::Statuses(Context& context, std::int64_t count)
    : count_(count), memory_(context, static_cast<std::size_t>(count) * sizeof(int)) {
  check(cudaMemsetAsync(memory_.get(), 0, memory_.size(), context.stream), "linalg");
}

void Statuses::refuse_nan(Context& context, const View& values) const {
  const std::int64_t size = size_of(values), n = size / count_;
  const unsigned blocks = block_count(size, kThreads);
  if (values.type == dtype::float32)
    find_nan<<<blocks, kThreads, 0, context.stream>>>(reinterpret_cast<const float*>(values.data.address()),
                                                      n, size, at());
  else
    find_nan<<<blocks, kThreads, 0, context.stream>>>(reinterpret_cast<const double*>(values.data.address()),
                                                      n, size, at());
  launched(context, "linalg");
}

void Statuses::fill_failed(Context& context, const View& out) const {
  const std::int64_t size = size_of(out) * (is_complex(out.type) ? 2 : 1), per_matrix = size / count_;
  const unsigned blocks = block_count(size, kThreads);
  if (is_single(out.type))
    fill_nan<<<blocks, kThreads, 0, context.stream>>>(at(), per_matrix, size,
                                                      reinterpret_cast<float*>(out.data.address()));
  else
    fill_nan<<<blocks, kThreads, 0, context.stream>>>(at(), per_matrix, size,
                                                      reinterpret_cast<double*>(out.data.address()));
  launched(context, "linalg");
}

Fault Statuses::tell(Context& context, const MatrixSite& site, bool stacked) const {
  if (debugging()) {
    std::vector<int> info(static_cast<std::size_t>(count_));
    read_back(context, info.data(), at(), memory_.size());
    for (std::size_t i = 0; i < info.size(); ++i) {
      if (info[i] != 0) return {0, static_cast<std::int64_t>(i)};
    }
    return {};
  }
  FaultRecord* const record = fault_record(context, site.told());
  find_failed<<<1, kThreads, 0, context.stream>>>(
      at(), count_, {record, record->claimed, site.function, site.message, stacked});
  launched(context, site.function);
  return {};
}

}  // namespace cuprum::cuda::primitives
