#include "backend/cuda/primitives/linalg/linalg_strategy.h"
#include "backend/cuda/primitives/linalg/orthogonal.h"

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

void jacobi_batched(const Svds& p) {
  const auto m = static_cast<int>(p.m), n = static_cast<int>(p.n);
  const int count = as_int(p.matrices.count(), "linalg.svd");
  const Pointer a{p.matrices.at(0)}, s{p.s(0)}, u{p.u(0)}, v{p.v(0)};
  const Elements work(p.call, p.type, [&](int* size) {
    return cusolver().gesvdj_batched_size(p.type, p.call.handle(), p.mode(), m, n, a, m, s, u, m, v, n, size,
                                          p.call.gesvdj(), count);
  });
  p.call.done(cusolver().gesvdj_batched(p.type, p.call.handle(), p.mode(), m, n, a, m, s, u, m, v, n,
                                        work.data(), work.size(), p.info.at(), p.call.gesvdj(), count));
}

void jacobi(const Svds& p) {
  const auto m = static_cast<int>(p.m), n = static_cast<int>(p.n);
  const Elements work(p.call, p.type, [&](int* size) {
    return cusolver().gesvdj_size(p.type, p.call.handle(), p.mode(), p.economic(), m, n,
                                  Pointer{p.matrices.at(0)}, m, Pointer{p.s(0)}, Pointer{p.u(0)}, m,
                                  Pointer{p.v(0)}, n, size, p.call.gesvdj());
  });
  for (std::int64_t i = 0; i < p.matrices.count(); ++i) {
    p.call.done(cusolver().gesvdj(
        p.type, p.call.handle(), p.mode(), p.economic(), m, n, Pointer{p.matrices.at(i)}, m, Pointer{p.s(i)},
        Pointer{p.u(i)}, m, Pointer{p.v(i)}, n, work.data(), work.size(), p.info.at(i), p.call.gesvdj()));
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

std::int64_t left_width(Sides high, bool full) {
  const bool whole = full || svd_route(high.m, high.n, true) == SvdRoute::jacobi_batched;
  return whole ? high.m : high.n;
}

void factorize_high(const SolverCall& call, const Columns& matrices, const SvdResults& to,
                    const Statuses& info) {
  const Svds p{call, matrices, to, info};
  switch (svd_route(p.m, p.n, p.vectors())) {
    case SvdRoute::jacobi_batched: jacobi_batched(p); break;
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

/// What is factorized is high. For a wide matrix that is its transpose, u s v^H, so that a = conj(v) s u^T.
Fault call(Context& context, const Svd& p, Operands in, Operands out) {
  const View& a = in[0];
  const auto [m, n] = sides_of(a);
  const bool wide = m < n;
  const Dims stack = stack_of(a);
  const Sides high{std::max(m, n), std::min(m, n)};
  const SolverCall call(context, p.site.function);
  const Columns matrices(context, wide ? transposed(a) : a);
  const Statuses info(context, count_of(stack));
  if (!p.vectors) {
    factorize_high(call, matrices, {out[0].data}, info);
    return info.tell(context, p.site, !stack.empty());
  }
  Columns u(context, a.type, stack, {high.m, left_width(high, p.full)}),
      v(context, a.type, stack, {high.n, high.n});
  factorize_high(call, matrices, {out[0].data, &u, &v}, info);
  const View left = corner(u.view(), high.m, p.full ? high.m : high.n);
  if (wide) {
    put(context, v.view(), out[1], true);
    put(context, transposed(left), out[2]);
  } else {
    put(context, left, out[1]);
    put(context, transposed(v.view()), out[2], true);
  }
  return info.tell(context, p.site, !stack.empty());
}

}  // namespace cuprum::cuda
