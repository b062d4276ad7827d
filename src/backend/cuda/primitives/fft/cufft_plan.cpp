#include "backend/cuda/primitives/fft/cufft_plan.h"

#include <cufft.h>

#include <array>
#include <string>

#include "backend/cuda/current.h"
#include "backend/cuda/libraries.h"
#include "cuprum/error.h"
#include "runtime/pool.h"

namespace cuprum::cuda {

namespace {

using Kind = Fft::Kind;

/// The functions used, by their names in the library.
struct Library {
  void* const handle = nvidia_library("cufft");
#define CUPRUM_CUFFT(name) decltype(&::name) name = symbol<decltype(&::name)>(handle, #name);
  CUPRUM_CUFFT(cufftCreate)
  CUPRUM_CUFFT(cufftDestroy)
  CUPRUM_CUFFT(cufftSetAutoAllocation)
  CUPRUM_CUFFT(cufftMakePlanMany64)
  CUPRUM_CUFFT(cufftSetStream)
  CUPRUM_CUFFT(cufftSetWorkArea)
  CUPRUM_CUFFT(cufftExecC2C)
  CUPRUM_CUFFT(cufftExecR2C)
  CUPRUM_CUFFT(cufftExecC2R)
  CUPRUM_CUFFT(cufftExecZ2Z)
  CUPRUM_CUFFT(cufftExecD2Z)
  CUPRUM_CUFFT(cufftExecZ2D)
#undef CUPRUM_CUFFT
};

const Library& library() {
  static const auto* const loaded = new Library;
  return *loaded;
}

/// cuFFT has no function that names its errors.
std::string name_of(cufftResult result) {
  switch (result) {
#define CUPRUM_NAME(name) \
  case name: return #name;
    CUPRUM_NAME(CUFFT_INVALID_PLAN)
    CUPRUM_NAME(CUFFT_ALLOC_FAILED)
    CUPRUM_NAME(CUFFT_INVALID_TYPE)
    CUPRUM_NAME(CUFFT_INVALID_VALUE)
    CUPRUM_NAME(CUFFT_INTERNAL_ERROR)
    CUPRUM_NAME(CUFFT_EXEC_FAILED)
    CUPRUM_NAME(CUFFT_SETUP_FAILED)
    CUPRUM_NAME(CUFFT_INVALID_SIZE)
    CUPRUM_NAME(CUFFT_UNALIGNED_DATA)
    CUPRUM_NAME(CUFFT_INVALID_DEVICE)
    CUPRUM_NAME(CUFFT_NO_WORKSPACE)
    CUPRUM_NAME(CUFFT_NOT_IMPLEMENTED)
    CUPRUM_NAME(CUFFT_NOT_SUPPORTED)
#undef CUPRUM_NAME
    default: return "error " + std::to_string(static_cast<int>(result)) + " of cuFFT";
  }
}

void check_fft(cufftResult result, const char* what) {
  if (result == CUFFT_SUCCESS) return;
  const std::string text = std::string("cuprum.fft: ") + what + " failed: " + name_of(result);
  if (result == CUFFT_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw Error(text);
}

cufftType type_of(const fft::Lines& lines) {
  switch (lines.kind) {
    case Kind::from_real: return lines.wide ? CUFFT_D2Z : CUFFT_R2C;
    case Kind::to_real: return lines.wide ? CUFFT_Z2D : CUFFT_C2R;
    default: return lines.wide ? CUFFT_Z2Z : CUFFT_C2C;
  }
}

using Numbers = std::array<long long, fft::kMostAxes>;

Numbers numbers(const std::array<std::int64_t, fft::kMostAxes>& values) {
  Numbers copy;
  std::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

cufftResult make(cufftHandle handle, const fft::Lines& lines, std::size_t* work) {
  Numbers n = numbers(lines.lengths), in = numbers(lines.in.embed), out = numbers(lines.out.embed);
  return library().cufftMakePlanMany64(handle, static_cast<int>(lines.rank), n.data(), in.data(),
                                       lines.in.stride, lines.in.dist, out.data(), lines.out.stride,
                                       lines.out.dist, type_of(lines), lines.batch, work);
}

}  // namespace

CufftPlan::CufftPlan(const DeviceFacts& device, const fft::Lines& lines)
    : device_(device.device), lines_(lines) {
  for (bool again : {false, true}) {
    check_fft(library().cufftCreate(&handle_), "cufftCreate");
    check_fft(library().cufftSetAutoAllocation(handle_, 0), "cufftSetAutoAllocation");
    const cufftResult result = make(handle_, lines_, &work_bytes_);
    if (result == CUFFT_SUCCESS) return;
    library().cufftDestroy(handle_);
    cudaGetLastError();  // reported here: a later launch must not report it again
    if (again || result != CUFFT_ALLOC_FAILED) check_fft(result, "making a plan");
    // cuFFT's tables are not from the pool: what the pool has and does not use may be room enough.
    device.pool->free_all_blocks();
    device.pool->source().trim();
  }
}

CufftPlan::~CufftPlan() {
  const Current current(device_);
  library().cufftDestroy(handle_);  // waits for what uses its tables; the driver may be gone already
}

void CufftPlan::run(Context& context, std::byte* from, std::byte* to, bool backward, std::byte* work) const {
  const auto exec = [&]<class In, class Out>(cufftResult (*f)(cufftHandle, In*, Out*)) {
    return f(handle_, reinterpret_cast<In*>(from), reinterpret_cast<Out*>(to));
  };
  const auto exec_points = [&]<class T>(cufftResult (*f)(cufftHandle, T*, T*, int)) {
    return f(handle_, reinterpret_cast<T*>(from), reinterpret_cast<T*>(to),
             backward ? CUFFT_INVERSE : CUFFT_FORWARD);
  };
  const auto exec_kind = [&] {
    const Library& cufft = library();
    switch (lines_.kind) {
      case Kind::from_real: return lines_.wide ? exec(cufft.cufftExecD2Z) : exec(cufft.cufftExecR2C);
      case Kind::to_real: return lines_.wide ? exec(cufft.cufftExecZ2D) : exec(cufft.cufftExecC2R);
      default: return lines_.wide ? exec_points(cufft.cufftExecZ2Z) : exec_points(cufft.cufftExecC2C);
    }
  };
  const std::lock_guard lock(mutex_);
  check_fft(library().cufftSetStream(handle_, context.stream), "cufftSetStream");
  if (work_bytes_ != 0) check_fft(library().cufftSetWorkArea(handle_, work), "cufftSetWorkArea");
  check_fft(exec_kind(), "the transform");
  launched(context, "fft");
}

}  // namespace cuprum::cuda
