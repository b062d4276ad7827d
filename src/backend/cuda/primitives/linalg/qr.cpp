#include "backend/cuda/cublas.h"
#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/orthogonal.h"
#include "backend/cuda/primitives/linalg/small.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

constexpr const char* kFunction = "linalg.qr";

void reflect_batched(Context& context, const Columns& columns, std::int64_t n, std::byte* factors,
                     std::int64_t k) {
  const dtype type = columns.view().type;
  const auto m = static_cast<int>(columns.rows());
  const Addresses at = addresses(context, columns);
  const Addresses to(context, factors, k * static_cast<std::int64_t>(itemsize(type)), columns.count());
  const BlasCall call(context, kFunction);
  int wrong = 0;
  call.done(cublas().geqrf_batched(type, call.handle(), m, static_cast<int>(n), Pointer{at.get()}, m,
                                   Pointer{to.get()}, &wrong, as_int(columns.count(), kFunction)));
}

}  // namespace

Reflectors::Reflectors(const SolverCall& call, const Columns& columns, std::int64_t n)
    : call_(call),
      columns_(columns),
      n_(n),
      k_(std::min(columns.rows(), n)),
      factors_(call.context(),
               static_cast<std::size_t>(columns.count() * k_) * itemsize(columns.view().type)) {
  if (qr_route(columns.rows(), n, columns.count()) == QrRoute::batched)
    reflect_batched(call.context(), columns, n, factors_at(0), k_);
  else
    reflect_each();
}

void Reflectors::reflect_each() const {
  const std::int64_t m = columns_.rows();
  const cudaDataType_t type = cuda_type(columns_.view().type);
  const Statuses ignored(call_.context(), 1);  // says nothing but that an argument was wrong
  const Workspace work(call_, [&](auto* device, auto* host) {
    return cusolver().cusolverDnXgeqrf_bufferSize(call_.handle(), call_.params(), m, n_, type, columns_.at(0),
                                                  m, type, factors_at(0), type, device, host);
  });
  for (std::int64_t i = 0; i < columns_.count(); ++i) {
    call_.done(cusolver().cusolverDnXgeqrf(call_.handle(), call_.params(), m, n_, type, columns_.at(i), m,
                                           type, factors_at(i), type, work.device(), work.device_bytes(),
                                           work.host(), work.host_bytes(), ignored.at()));
  }
}

std::byte* Reflectors::factors_at(std::int64_t i) const {
  return factors_.get() + i * k_ * static_cast<std::int64_t>(itemsize(columns_.view().type));
}

void Reflectors::make_q(std::int64_t width) const {
  const dtype type = columns_.view().type;
  const int m = as_int(columns_.rows(), kFunction), wide = as_int(width, kFunction), k = static_cast<int>(k_);
  const Statuses ignored(call_.context(), 1);
  const Elements work(call_, type, [&](int* size) {
    return cusolver().orgqr_size(type, call_.handle(), m, wide, k, Pointer{columns_.at(0)}, m,
                                 Pointer{factors_at(0)}, size);
  });
  for (std::int64_t i = 0; i < columns_.count(); ++i) {
    call_.done(cusolver().orgqr(type, call_.handle(), m, wide, k, Pointer{columns_.at(i)}, m,
                                Pointer{factors_at(i)}, work.data(), work.size(), ignored.at()));
  }
}

void Reflectors::apply(const Columns& right, bool adjoint) const {
  const dtype type = right.view().type;
  const int m = as_int(right.rows(), kFunction), n = as_int(right.view().shape.back(), kFunction),
            k = static_cast<int>(k_);
  const cublasOperation_t operation = !adjoint ? CUBLAS_OP_N : is_complex(type) ? CUBLAS_OP_C : CUBLAS_OP_T;
  const Pointer reflectors{columns_.at(0)}, factors{factors_at(0)}, to{right.at(0)};
  const Statuses ignored(call_.context(), 1);
  const Elements work(call_, type, [&](int* size) {
    return cusolver().ormqr_size(type, call_.handle(), CUBLAS_SIDE_LEFT, operation, m, n, k, reflectors, m,
                                 factors, to, m, size);
  });
  call_.done(cusolver().ormqr(type, call_.handle(), CUBLAS_SIDE_LEFT, operation, m, n, k, reflectors, m,
                              factors, to, m, work.data(), work.size(), ignored.at()));
}

namespace {

void small(Context& context, const View& a, Operands out, QrMode mode) {
  if (mode == QrMode::r) return small_qr(context, a, {.r = &out[0]});
  if (mode != QrMode::raw) return small_qr(context, a, {.q = &out[0], .r = &out[1]});
  const View reflectors = transposed(out[0]);
  small_qr(context, a, {.reflectors = &reflectors, .factors = &out[1]});
}

/// Room for Q in the columns of the reflectors; it has more of them where it is complete and `a` is high.
void large(Context& context, const View& a, Operands out, QrMode mode) {
  const auto [m, n] = sides_of(a);
  const std::int64_t k = std::min(m, n), width = mode == QrMode::complete ? m : k;
  const SolverCall call(context, kFunction);
  const Columns columns(context, a.type, stack_of(a), {m, std::max(n, width)});
  const View matrices = corner(columns.view(), m, n);
  put(context, a, matrices);
  const Reflectors reflectors(call, columns, n);
  if (mode == QrMode::raw) {
    put(context, transposed(matrices), out[0]);
    return put(context, dense_view(reflectors.factors().get(), a.type, out[1].shape), out[1]);
  }
  const View& r = out[out.size() - 1];
  take_triangle(context, corner(columns.view(), sides_of(r).m, n), r, Triangle::upper);
  if (mode == QrMode::r) return;
  reflectors.make_q(width);
  put(context, corner(columns.view(), m, width), out[0]);
}

}  // namespace

}  // namespace primitives

using namespace primitives;

void call(Context& context, const Qr& p, Operands in, Operands out) {
  const auto [m, n] = sides_of(in[0]);
  const bool is_small = qr_route(m, n, count_of(stack_of(in[0]))) == QrRoute::small;
  (is_small ? small : large)(context, in[0], out, p.mode);
}

}  // namespace cuprum::cuda
