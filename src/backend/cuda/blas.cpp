// The handle of each device: on its stream, with working memory from the pool for the length of a call, so that cuBLAS
// allocates nothing itself and gives the same bits in every run. float32 is computed in float32, not in TF32.
#include "backend/cuda/blas.h"

#include <cublas_v2.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <string>

#include "backend/cuda/libraries.h"
#include "cuprum/error.h"

namespace cuprum::cuda {

namespace {

/// The products, for sizes in `Int`. (The header overloads their names, so their types are spelled out.)
template <class Int>
struct Products {
  using Op = cublasOperation_t;
  using Type = cudaDataType_t;
  cublasStatus_t (*one)(cublasHandle_t, Op, Op, Int, Int, Int, const void*, const void*, Type, Int,
                        const void*, Type, Int, const void*, void*, Type, Int, cublasComputeType_t,
                        cublasGemmAlgo_t);
  cublasStatus_t (*strided)(cublasHandle_t, Op, Op, Int, Int, Int, const void*, const void*, Type, Int,
                            long long, const void*, Type, Int, long long, const void*, void*, Type, Int,
                            long long, Int, cublasComputeType_t, cublasGemmAlgo_t);
  cublasStatus_t (*addressed)(cublasHandle_t, Op, Op, Int, Int, Int, const void*, const void* const*, Type,
                              Int, const void* const*, Type, Int, const void*, void* const*, Type, Int, Int,
                              cublasComputeType_t, cublasGemmAlgo_t);

  Products(void* library, const std::string& suffix)
      : one(symbol<decltype(one)>(library, ("cublasGemmEx" + suffix).c_str())),
        strided(symbol<decltype(strided)>(library, ("cublasGemmStridedBatchedEx" + suffix).c_str())),
        addressed(symbol<decltype(addressed)>(library, ("cublasGemmBatchedEx" + suffix).c_str())) {}
};

/// The functions used, by their names in the library.
struct Library {
  void* const handle = (nvidia_library("cublasLt"), nvidia_library("cublas"));
#define CUPRUM_CUBLAS(name) decltype(&::name) name = symbol<decltype(&::name)>(handle, #name);
  CUPRUM_CUBLAS(cublasCreate_v2)
  CUPRUM_CUBLAS(cublasSetStream_v2)
  CUPRUM_CUBLAS(cublasSetWorkspace_v2)
  CUPRUM_CUBLAS(cublasSetMathMode)
  CUPRUM_CUBLAS(cublasGetStatusString)
#undef CUPRUM_CUBLAS
  // cuBLAS 13.0 crashes in the 64-bit functions when a product is a single row or column, so they are left to sizes that
  // need them.
  const Products<int> narrow{handle, ""};
  const Products<std::int64_t> wide{handle, "_64"};
};

const Library& library() {
  static const auto* const loaded = new Library;
  return *loaded;
}

void check_blas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  const std::string text =
      std::string("cuprum.matmul: ") + what + " failed: " + library().cublasGetStatusString(status);
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemoryError(text);
  throw Error(text);
}

/// One handle per stream, made at its first product and kept: making one takes milliseconds.
cublasHandle_t handle_of(Context& context) {
  static std::mutex mutex;
  static auto* const handles = new std::map<cudaStream_t, cublasHandle_t>;
  const std::lock_guard lock(mutex);
  cublasHandle_t& handle = (*handles)[context.stream];
  if (!handle) {
    cublasHandle_t made = nullptr;
    check_blas(library().cublasCreate_v2(&made), "cublasCreate");
    check_blas(library().cublasSetStream_v2(made, context.stream), "cublasSetStream");
    const int mode = CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION;
    check_blas(library().cublasSetMathMode(made, static_cast<cublasMath_t>(mode)), "cublasSetMathMode");
    handle = made;
  }
  return handle;
}

/// Types as cuBLAS names them, and the factors 1 and 0 in the type that it computes in.
struct Types {
  cudaDataType_t element;
  cublasComputeType_t compute;
  const void* one;
  const void* zero;
};

Types types_of(dtype type) {
  static constexpr float f[] = {1, 0,
                                0};  // also the complex numbers 1 and 0: two parts from f + 0, from f + 1
  static constexpr double d[] = {1, 0, 0};
  switch (type) {
    case dtype::float16: return {CUDA_R_16F, CUBLAS_COMPUTE_32F, f, f + 1};
    case dtype::bfloat16: return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, f, f + 1};
    case dtype::float32: return {CUDA_R_32F, CUBLAS_COMPUTE_32F, f, f + 1};
    case dtype::complex64: return {CUDA_C_32F, CUBLAS_COMPUTE_32F, f, f + 1};
    case dtype::complex128: return {CUDA_C_64F, CUBLAS_COMPUTE_64F, d, d + 1};
    default: return {CUDA_R_64F, CUBLAS_COMPUTE_64F, d, d + 1};
  }
}

cublasOperation_t operation(const BlasMatrix& matrix) {
  return matrix.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// NVIDIA's advice: 32 MiB from Hopper on, 4 MiB before.
std::size_t workspace_bytes(const Context& context) {
  return (context.architecture >= 90 ? std::size_t{32} : std::size_t{4}) << 20;
}

class Call {
 public:
  explicit Call(Context& context)
      : context_(context), handle_(handle_of(context)), workspace_(context, workspace_bytes(context)) {
    check_blas(library().cublasSetWorkspace_v2(handle_, workspace_.get<void>(), workspace_.size()),
               "cublasSetWorkspace");
  }
  cublasHandle_t handle() const { return handle_; }
  void done(cublasStatus_t status) {
    check_blas(status, "the product");
    launched(context_, "matmul");
  }

 private:
  Context& context_;
  cublasHandle_t handle_;
  Scratch workspace_;
};

bool fits_int(const BlasProduct& p) {
  const std::int64_t sizes[] = {p.m, p.n, p.k, p.a.ld, p.b.ld, p.out.ld, p.count};
  return std::ranges::all_of(sizes, [](std::int64_t x) { return x <= std::numeric_limits<int>::max(); });
}

// cuBLAS thinks in columns: a row-major matrix is for it the transpose, so the operands change places.
template <class Int>
void multiply(const Products<Int>& f, Call& call, const BlasProduct& p, const BlasPointers* at) {
  const Types t = types_of(p.type);
  const auto m = static_cast<Int>(p.m), n = static_cast<Int>(p.n), k = static_cast<Int>(p.k);
  const auto lda = static_cast<Int>(p.a.ld), ldb = static_cast<Int>(p.b.ld), ldc = static_cast<Int>(p.out.ld);
  const auto count = static_cast<Int>(p.count);
  const cublasOperation_t a = operation(p.a), b = operation(p.b);
  if (at) {
    call.done(f.addressed(call.handle(), b, a, n, m, k, t.one, at->b, t.element, ldb, at->a, t.element, lda,
                          t.zero, at->out, t.element, ldc, count, t.compute, CUBLAS_GEMM_DEFAULT));
  } else if (p.count == 1) {
    call.done(f.one(call.handle(), b, a, n, m, k, t.one, p.b.data, t.element, ldb, p.a.data, t.element, lda,
                    t.zero, p.out.data, t.element, ldc, t.compute, CUBLAS_GEMM_DEFAULT));
  } else {
    call.done(f.strided(call.handle(), b, a, n, m, k, t.one, p.b.data, t.element, ldb, p.b_stride, p.a.data,
                        t.element, lda, p.a_stride, t.zero, p.out.data, t.element, ldc, p.out_stride, count,
                        t.compute, CUBLAS_GEMM_DEFAULT));
  }
}

void multiply(Context& context, const BlasProduct& p, const BlasPointers* at) {
  Call call(context);
  fits_int(p) ? multiply(library().narrow, call, p, at) : multiply(library().wide, call, p, at);
}

}  // namespace

void blas_multiply(Context& context, const BlasProduct& p) { multiply(context, p, nullptr); }

void blas_multiply(Context& context, const BlasProduct& p, const BlasPointers& at) {
  multiply(context, p, &at);
}

}  // namespace cuprum::cuda
