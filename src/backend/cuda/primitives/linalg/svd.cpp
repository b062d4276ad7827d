#include <optional>

#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/orthogonal.h"
#include "backend/cuda/primitives/linalg/small.h"

namespace cuprum::cuda {

namespace primitives {

namespace {

/// What every routine is given of a stack.
struct Svds {
  const SolverCall& call;
  const Columns& matrices;
  const SvdResults& to;
  const Statuses& info;
  dtype type = matrices.view().type;
  std::int64_t m = matrices.rows(), n = matrices.view().shape.back();

  bool vectors() const { return to.u != nullptr; }
  cusolverEigMode_t mode() const { return vectors() ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR; }
  std::byte* s(std::int64_t i) const {
    return to.s + i * n * static_cast<std::int64_t>(itemsize(real_type(type)));
  }
  std::byte* u(std::int64_t i) const { return to.u ? to.u->at(i) : nullptr; }
  std::byte* v(std::int64_t i) const { return to.v ? to.v->at(i) : nullptr; }
  /// As many columns of U as of the matrix.
  int economic() const { return to.u && to.u->view().shape.back() == m && m != n ? 0 : 1; }
};

/// v as vh has it: conjugated, since the kernel writes v^H.
void small(const Svds& p) {
  Context& context = p.call.context();
  Dims shape = stack_of(p.matrices.view());
  shape.push_back(p.n);
  const View values = dense_view(p.to.s, real_type(p.type), shape);
  if (!p.vectors()) return small_svd(context, p.matrices.view(), values, nullptr, nullptr, p.info.at());
  const View vh = transposed(p.to.v->view());
  small_svd(context, p.matrices.view(), values, &p.to.u->view(), &vh, p.info.at());
  if (is_complex(p.type)) put(context, p.to.v->view(), p.to.v->view(), true);
}

/// gesvdj works in the memory for vectors, wanted or not.
void jacobi(const Svds& p) {
  const auto m = static_cast<int>(p.m), n = static_cast<int>(p.n);
  std::optional<Columns> u, v;
  if (!p.vectors()) u.emplace(p.call.context(), p.type, Dims{}, Sides{p.m, p.n});
  if (!p.vectors()) v.emplace(p.call.context(), p.type, Dims{}, Sides{p.n, p.n});
  const auto left = [&](std::int64_t i) { return Pointer{u ? u->at(0) : p.u(i)}; };
  const auto right = [&](std::int64_t i) { return Pointer{v ? v->at(0) : p.v(i)}; };
  const Elements work(p.call, p.type, [&](int* size) {
    return cusolver().gesvdj_size(p.type, p.call.handle(), p.mode(), p.economic(), m, n,
                                  Pointer{p.matrices.at(0)}, m, Pointer{p.s(0)}, left(0), m, right(0), n,
                                  size, p.call.gesvdj());
  });
  for (std::int64_t i = 0; i < p.matrices.count(); ++i) {
    p.call.done(cusolver().gesvdj(p.type, p.call.handle(), p.mode(), p.economic(), m, n,
                                  Pointer{p.matrices.at(i)}, m, Pointer{p.s(i)}, left(i), m, right(i), n,
                                  work.data(), work.size(), p.info.at(i), p.call.gesvdj()));
  }
}

void polar(const Svds& p) {
  const cudaDataType_t type = cuda_type(p.type), real = cuda_type(real_type(p.type));
  const Workspace work(p.call, [&](auto* device, auto* host) {
    return cusolver().cusolverDnXgesvdp_bufferSize(p.call.handle(), p.call.params(), p.mode(), p.economic(),
                                                   p.m, p.n, type, p.matrices.at(0), p.m, real, p.s(0), type,
                                                   p.u(0), p.m, type, p.v(0), p.n, type, device, host);
  });
  for (std::int64_t i = 0; i < p.matrices.count(); ++i) {
    double perturbation = 0;
    p.call.done(cusolver().cusolverDnXgesvdp(p.call.handle(), p.call.params(), p.mode(), p.economic(), p.m,
                                             p.n, type, p.matrices.at(i), p.m, real, p.s(i), type, p.u(i),
                                             p.m, type, p.v(i), p.n, type, work.device(), work.device_bytes(),
                                             work.host(), work.host_bytes(), p.info.at(i), &perturbation));
  }
}

/// Values alone.
void bidiagonal(const Svds& p) {
  const cudaDataType_t type = cuda_type(p.type), real = cuda_type(real_type(p.type));
  const Workspace work(p.call, [&](auto* device, auto* host) {
    return cusolver().cusolverDnXgesvd_bufferSize(p.call.handle(), p.call.params(), 'N', 'N', p.m, p.n, type,
                                                  p.matrices.at(0), p.m, real, p.s(0), type, nullptr, p.m,
                                                  type, nullptr, p.n, type, device, host);
  });
  for (std::int64_t i = 0; i < p.matrices.count(); ++i) {
    p.call.done(cusolver().cusolverDnXgesvd(p.call.handle(), p.call.params(), 'N', 'N', p.m, p.n, type,
                                            p.matrices.at(i), p.m, real, p.s(i), type, nullptr, p.m, type,
                                            nullptr, p.n, type, work.device(), work.device_bytes(),
                                            work.host(), work.host_bytes(), p.info.at(i)));
  }
}

}  // namespace

void factorize_high(const SolverCall& call, const Columns& matrices, const SvdResults& to,
                    const Statuses& info) {
  const Svds p{call, matrices, to, info};
  switch (svd_route(p.m, p.vectors())) {
    case SvdRoute::small: small(p); break;
    case SvdRoute::jacobi: jacobi(p); break;
    case SvdRoute::polar: polar(p); break;
    case SvdRoute::bidiagonal: bidiagonal(p); break;
  }
  Dims values = stack_of(matrices.view());
  values.push_back(p.n);
  info.refuse_nan(call.context(), dense_view(to.s, real_type(p.type), values));
}

}  // namespace primitives

using namespace primitives;

namespace primitives {

namespace {

/// What is factorized is high. For a wide matrix that is its transpose, u s v^H, so that a = conj(v) s u^T.
void factorize(Context& context, const Svd& p, const View& a, Operands out, const Statuses& info) {
  const auto [m, n] = sides_of(a);
  const bool wide = m < n;
  const Dims stack = stack_of(a);
  const Sides high{std::max(m, n), std::min(m, n)};
  const SolverCall call(context, p.site.function);
  const Columns matrices(context, wide ? transposed(a) : a);
  if (!p.vectors) return factorize_high(call, matrices, {out[0].data}, info);
  Columns u(context, a.type, stack, {high.m, p.full ? high.m : high.n}),
      v(context, a.type, stack, {high.n, high.n});
  factorize_high(call, matrices, {out[0].data, &u, &v}, info);
  put(context, wide ? v.view() : u.view(), out[1], wide);
  put(context, transposed(wide ? u.view() : v.view()), out[2], !wide);
}

}  // namespace

}  // namespace primitives

Fault call(Context& context, const Svd& p, Operands in, Operands out) {
  const View& a = in[0];
  const Dims stack = stack_of(a);
  const Statuses info(context, count_of(stack));
  if (svd_route(sides_of(a).high(), p.vectors) == SvdRoute::small)
    small_svd(context, a, out[0], p.vectors ? &out[1] : nullptr, p.vectors ? &out[2] : nullptr, info.at());
  else
    factorize(context, p, a, out, info);
  return info.tell(context, p.site, !stack.empty());
}

}  // namespace cuprum::cuda
