// cuSOLVER, opened by the first factorization: the functions used, a handle for each stream, and working
// memory from the pool for the length of a call.
#pragma once

#include <cusolverDn.h>

#include <vector>

#include "backend/cuda/context.h"
#include "backend/cuda/routines.h"

namespace cuprum::cuda {

struct Cusolver {
  void* const handle = nvidia_library("cusolver");
#define CUPRUM_CUSOLVER(name) decltype(&::name) name = symbol<decltype(&::name)>(handle, #name);
  CUPRUM_CUSOLVER(cusolverDnCreate)
  CUPRUM_CUSOLVER(cusolverDnSetStream)
  CUPRUM_CUSOLVER(cusolverDnCreateParams)
  CUPRUM_CUSOLVER(cusolverDnCreateGesvdjInfo)
  // The 64-bit routines, which take the dtype as an argument.
  CUPRUM_CUSOLVER(cusolverDnXgetrf_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXgetrf)
  CUPRUM_CUSOLVER(cusolverDnXgetrs)
  CUPRUM_CUSOLVER(cusolverDnXpotrf_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXpotrf)
  CUPRUM_CUSOLVER(cusolverDnXgeqrf_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXgeqrf)
  CUPRUM_CUSOLVER(cusolverDnXsyevd_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXsyevd)
  CUPRUM_CUSOLVER(cusolverDnXgesvd_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXgesvd)
  CUPRUM_CUSOLVER(cusolverDnXgesvdp_bufferSize)
  CUPRUM_CUSOLVER(cusolverDnXgesvdp)
#undef CUPRUM_CUSOLVER
  CUPRUM_ROUTINE(potrf_batched, cusolverDnSpotrfBatched, cusolverDnDpotrfBatched, cusolverDnCpotrfBatched,
                 cusolverDnZpotrfBatched)
  CUPRUM_ROUTINE(orgqr_size, cusolverDnSorgqr_bufferSize, cusolverDnDorgqr_bufferSize,
                 cusolverDnCungqr_bufferSize, cusolverDnZungqr_bufferSize)
  CUPRUM_ROUTINE(orgqr, cusolverDnSorgqr, cusolverDnDorgqr, cusolverDnCungqr, cusolverDnZungqr)
  CUPRUM_ROUTINE(ormqr_size, cusolverDnSormqr_bufferSize, cusolverDnDormqr_bufferSize,
                 cusolverDnCunmqr_bufferSize, cusolverDnZunmqr_bufferSize)
  CUPRUM_ROUTINE(ormqr, cusolverDnSormqr, cusolverDnDormqr, cusolverDnCunmqr, cusolverDnZunmqr)
  CUPRUM_ROUTINE(gesvdj_size, cusolverDnSgesvdj_bufferSize, cusolverDnDgesvdj_bufferSize,
                 cusolverDnCgesvdj_bufferSize, cusolverDnZgesvdj_bufferSize)
  CUPRUM_ROUTINE(gesvdj, cusolverDnSgesvdj, cusolverDnDgesvdj, cusolverDnCgesvdj, cusolverDnZgesvdj)

  // Newer than CUDA 12.0, and perhaps than the headers of this build: typed here, null where the library
  // lacks them.
  using Handle = cusolverDnHandle_t;
  using Params = cusolverDnParams_t;
  using Mode = cusolverEigMode_t;
  using Type = cudaDataType;
  using Bytes = std::size_t;
  template <class... Args>
  using Function = cusolverStatus_t (*)(Handle, Params, Args...);
  using SyevBatchedSize = Function<Mode, cublasFillMode_t, std::int64_t, Type, const void*, std::int64_t,
                                   Type, const void*, Type, Bytes*, Bytes*, std::int64_t>;
  using SyevBatched = Function<Mode, cublasFillMode_t, std::int64_t, Type, void*, std::int64_t, Type, void*,
                               Type, void*, Bytes, void*, Bytes, int*, std::int64_t>;
  using GeevSize =
      Function<Mode, Mode, std::int64_t, Type, const void*, std::int64_t, Type, const void*, Type,
               const void*, std::int64_t, Type, const void*, std::int64_t, Type, Bytes*, Bytes*>;
  using Geev = Function<Mode, Mode, std::int64_t, Type, void*, std::int64_t, Type, void*, Type, void*,
                        std::int64_t, Type, void*, std::int64_t, Type, void*, Bytes, void*, Bytes, int*>;
  SyevBatchedSize syev_batched_size =
      new_symbol<SyevBatchedSize>(handle, "cusolverDnXsyevBatched_bufferSize");
  SyevBatched syev_batched = new_symbol<SyevBatched>(handle, "cusolverDnXsyevBatched");  // CUDA 12.6
  GeevSize geev_size = new_symbol<GeevSize>(handle, "cusolverDnXgeev_bufferSize");
  Geev geev = new_symbol<Geev>(handle, "cusolverDnXgeev");  // CUDA 12.8
};
const Cusolver& cusolver();

/// What a stream keeps of cuSOLVER. The settings of Jacobi's method are the defaults: full precision, at most
/// 100 sweeps, sorted; a call leaves notes in them, so they are no other stream's.
struct SolverHandle {
  cusolverDnHandle_t handle = nullptr;
  cusolverDnParams_t params = nullptr;
  gesvdjInfo_t gesvdj = nullptr;
};

/// One primitive's calls of cuSOLVER.
class SolverCall {
 public:
  /// `function`: for errors, as "linalg.svd".
  SolverCall(Context& context, const char* function);
  cusolverDnHandle_t handle() const { return kept_.handle; }
  cusolverDnParams_t params() const { return kept_.params; }
  gesvdjInfo_t gesvdj() const { return kept_.gesvdj; }
  Context& context() const { return context_; }
  /// Throws what a status says.
  void done(cusolverStatus_t status) const;

 private:
  Context& context_;
  const char* function_;
  SolverHandle kept_;
};

/// Working memory of the size that a routine asks for: `ask(&bytes on the device, &bytes on the host)`.
class Workspace {
 public:
  template <class Ask>
  Workspace(const SolverCall& call, Ask&& ask) : Workspace(call.context(), sizes(call, ask)) {}

  void* device() const { return device_.get<void>(); }
  std::size_t device_bytes() const { return sizes_.device; }
  void* host() const { return host_.empty() ? nullptr : const_cast<std::byte*>(host_.data()); }
  std::size_t host_bytes() const { return sizes_.host; }

 private:
  struct Sizes {
    std::size_t device = 0, host = 0;
  };
  template <class Ask>
  static Sizes sizes(const SolverCall& call, Ask&& ask) {
    Sizes sizes;
    call.done(ask(&sizes.device, &sizes.host));
    return sizes;
  }
  Workspace(Context& context, const Sizes& sizes)
      : sizes_(sizes), device_(context, sizes.device + 1), host_(sizes.host) {}

  Sizes sizes_;
  Scratch device_;
  std::vector<std::byte> host_;
};

/// The same for the older routines, which count elements in an int: `ask(&elements)`.
class Elements {
 public:
  template <class Ask>
  Elements(const SolverCall& call, dtype type, Ask&& ask)
      : Elements(call.context(), type, count(call, ask)) {}
  Pointer data() const { return {device_.get<void>()}; }
  int size() const { return size_; }

 private:
  template <class Ask>
  static int count(const SolverCall& call, Ask&& ask) {
    int size = 0;
    call.done(ask(&size));
    return size;
  }
  Elements(Context& context, dtype type, int size)
      : size_(size), device_(context, (static_cast<std::size_t>(size) + 1) * itemsize(type)) {}

  int size_;
  Scratch device_;
};

}  // namespace cuprum::cuda
