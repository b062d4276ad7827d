// Eigenvalues and eigenvectors.
#include "backend/cuda/primitives/linalg/eigen.h"

#include "backend/cuda/cusolver.h"
#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/matrices.h"
#include "backend/cuda/primitives/linalg/small.h"
#include "backend/cuda/primitives/linalg/status.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

cusolverEigMode_t mode_of(bool vectors) {
  return vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
}

/// What every routine is given of a stack: the vectors come in the place of the matrices.
struct Hermitians {
  const SolverCall& call;
  const Columns& matrices;
  const View& values;
  const Statuses& info;
  cusolverEigMode_t mode;
  cublasFillMode_t part;
  dtype type = matrices.view().type;
  std::int64_t n = matrices.rows(), count = matrices.count();

  std::byte* w(std::int64_t i) const {
    return values.data + i * n * static_cast<std::int64_t>(itemsize(values.type));
  }
};

void batched(const Hermitians& p) {
  const cudaDataType_t type = cuda_type(p.type), real = cuda_type(p.values.type);
  const Workspace work(p.call, [&](auto* device, auto* host) {
    return cusolver().syev_batched_size(p.call.handle(), p.call.params(), p.mode, p.part, p.n, type,
                                        p.matrices.at(0), p.n, real, p.w(0), type, device, host, p.count);
  });
  p.call.done(cusolver().syev_batched(
      p.call.handle(), p.call.params(), p.mode, p.part, p.n, type, p.matrices.at(0), p.n, real, p.w(0), type,
      work.device(), work.device_bytes(), work.host(), work.host_bytes(), p.info.at(), p.count));
}

void divide(const Hermitians& p) {
  const cudaDataType_t type = cuda_type(p.type), real = cuda_type(p.values.type);
  const Workspace work(p.call, [&](auto* device, auto* host) {
    return cusolver().cusolverDnXsyevd_bufferSize(p.call.handle(), p.call.params(), p.mode, p.part, p.n, type,
                                                  p.matrices.at(0), p.n, real, p.w(0), type, device, host);
  });
  for (std::int64_t i = 0; i < p.count; ++i) {
    p.call.done(cusolver().cusolverDnXsyevd(
        p.call.handle(), p.call.params(), p.mode, p.part, p.n, type, p.matrices.at(i), p.n, real, p.w(i),
        type, work.device(), work.device_bytes(), work.host(), work.host_bytes(), p.info.at(i)));
  }
}

void find_hermitian(Context& context, const Eigh& p, const View& a, Operands out, const Statuses& info) {
  const SolverCall call(context, p.site.function);
  const Columns matrices(context, a);
  const Hermitians all{call, matrices,           out[0],
                       info, mode_of(p.vectors), p.lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER};
  const bool in_batch =
      eigh_route(all.n, all.count, cusolver().syev_batched != nullptr) == EighRoute::batched;
  (in_batch ? batched : divide)(all);
  if (p.vectors) put(context, matrices.view(), out[1]);
}

/// General matrices, one after the other. Of a real one the values are complex, the vectors pairs of real
/// columns.
void find_general(const SolverCall& call, const Columns& matrices, Operands out, bool vectors,
                  const Statuses& info) {
  const dtype type = matrices.view().type;
  const std::int64_t n = matrices.rows();
  const auto item = static_cast<std::int64_t>(itemsize(out[0].type));
  const cudaDataType_t own = cuda_type(type), complex = cuda_type(out[0].type);
  const Columns columns(call.context(), type, {}, {n, vectors ? n : 1});
  const auto geev = [&](auto routine, std::int64_t i, auto... rest) {
    return routine(call.handle(), call.params(), mode_of(false), mode_of(vectors), n, own, matrices.at(i), n,
                   complex, out[0].data + i * n * item, own, nullptr, n, own, columns.at(0), n, own, rest...);
  };
  const Workspace work(call,
                       [&](auto* device, auto* host) { return geev(cusolver().geev_size, 0, device, host); });
  for (std::int64_t i = 0; i < matrices.count(); ++i) {
    call.done(geev(cusolver().geev, i, work.device(), work.device_bytes(), work.host(), work.host_bytes(),
                   info.at(i)));
    if (!vectors) continue;
    std::byte* const to = out[1].data + i * n * n * item;
    if (is_complex(type))
      put(call.context(), columns.view(), dense_view(to, type, {n, n}));
    else
      pair_columns(call.context(), type, n, columns.at(0), out[0].data + i * n * item, to);
  }
}

}  // namespace

bool runs_on_host(const Eig&, Operands in) { return in[0].shape.back() < kGeevSide || !cusolver().geev; }

}  // namespace primitives

using namespace primitives;

Fault call(Context& context, const Eigh& p, Operands in, Operands out) {
  const Dims stack = stack_of(in[0]);
  const Statuses info(context, count_of(stack));
  if (in[0].shape.back() <= kSmallSide)
    small_eigh(context, in[0], out[0], p.vectors ? &out[1] : nullptr, p.lower, info.at());
  else
    find_hermitian(context, p, in[0], out, info);
  return info.tell(context, p.site, !stack.empty());
}

Fault call(Context& context, const Eig& p, Operands in, Operands out) {
  const SolverCall call(context, p.site.function);
  const Columns matrices(context, in[0]);
  const Statuses info(context, matrices.count());
  find_general(call, matrices, out, p.vectors, info);
  return info.tell(context, p.site, in[0].shape.size() > 2);
}

}  // namespace cuprum::cuda
