// Eigenvalues and eigenvectors.
#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/groups.h"
#include "backend/cpu/lapack/stack.h"
#include "backend/cpu/simd/small_orthogonal.h"

namespace cuprum::cpu {

namespace {

/// One matrix after the other on LAPACK.
template <class T>
class HermitianMatrix {
 public:
  HermitianMatrix(const View& a, const View& w, const View& v, const Eigh& p)
      : a_(a), w_(w), v_(v), p_(p), n_(a.shape.back()), matrix_(n_ * n_), values_(n_) {}

  bool operator()(const std::array<std::byte*, 3>& p) const {
    pack(last_matrix(a_, p[0]), matrix_.data(), n_);
    const int info = lapack::syevd(p_.vectors ? 'V' : 'N', p_.lower ? 'L' : 'U', as_int(n_), matrix_.data(),
                                   leading(n_), values_.data());
    put_row(values_.data(), n_, w_, p[1]);
    if (p_.vectors) unpack(matrix_.data(), n_, last_matrix(v_, p[2]));
    return info == 0;
  }

 private:
  const View &a_, &w_, &v_;
  const Eigh& p_;
  std::int64_t n_;
  Scratch<T> matrix_;
  Scratch<lapack::Real<T>> values_;
};

/// Groups of small ones. The upper triangle, transposed, is the lower one of the conjugate matrix, which has the conjugate vectors.
template <class T>
Fault small_hermitian(const View& a, const View& w, const View& v, const Eigh& p) {
  using R = lapack::Real<T>;
  using G = Group<T>;
  const std::int64_t n = a.shape.back();
  const Space<3> stack({&a, &w, &v}, a.shape.size() - 2);
  return each_group(stack, G::kLanes, 50.0 * n * n * n, [&] {
    return
        [&, matrix = G(n, n), vectors = G(n, n), values = Group<R>(1, n),
         alone = HermitianMatrix<T>(a, w, v, p)](const auto& at, int count, unsigned char* failed) mutable {
          const Matrix from = last_matrix(a, at[0]);
          matrix.pack(p.lower ? from : from.t(), stack.step(0), count);
          CUPRUM_CALL_LEVEL(small_eigh(a.type, as_int(n), matrix.data(), values.data(),
                                       p.vectors ? vectors.data() : nullptr, failed));
          for (int l = 0; l < count; ++l) {
            const auto here = lane_pointers(stack, at, l);
            if (failed[l]) {
              failed[l] = !alone(here);
              continue;
            }
            const LaneOrder<R> order(values, l, false);
            put_row(order.values(), n, w, here[1]);
            if (p.vectors) order.put(vectors, l, last_matrix(v, here[2]), true, !p.lower);
          }
        };
  });
}

template <class T>
Fault eigh(const View& a, Operands out, const Eigh& p) {
  const std::size_t batch = a.shape.size() - 2;
  const std::int64_t n = a.shape.back();
  const View &w = out[0], &v = out[p.vectors ? 1 : 0];
  if (in_groups(stack_size(a, batch), n)) return small_hermitian<T>(a, w, v, p);
  return each_matrix<3>({&a, &w, &v}, batch, (p.vectors ? 8.0 : 2.0) * n * n * n,
                        [&] { return HermitianMatrix<T>(a, w, v, p); });
}

template <class T>
Fault eig(const View& a, Operands out, bool vectors) {
  using C = lapack::Complex<T>;
  const std::size_t batch = a.shape.size() - 2;
  const std::int64_t n = a.shape.back();
  const View& v = out[vectors ? 1 : 0];
  return each_matrix<3>({&a, &out[0], &v}, batch, (vectors ? 25.0 : 10.0) * n * n * n, [&] {
    return [&, matrix = Scratch<T>(n * n), w = Scratch<C>(n),
            columns = Scratch<C>(vectors ? n * n : 1)](const auto& p) {
      pack(last_matrix(a, p[0]), matrix.data(), n);
      const int info =
          lapack::geev(as_int(n), matrix.data(), leading(n), w.data(), vectors ? columns.data() : nullptr);
      put_row(w.data(), n, out[0], p[1]);
      if (vectors) unpack(columns.data(), n, last_matrix(v, p[2]));
      return info == 0;
    };
  });
}

}  // namespace

Fault call(const Eigh& p, Operands in, Operands out) {
  lapack::require(p.site.function, in[0].shape.back());
  return with_lapack_type(in[0].type, [&](auto x) { return eigh<decltype(x)>(in[0], out, p); });
}

Fault call(const Eig& p, Operands in, Operands out) {
  lapack::require(p.site.function, in[0].shape.back());
  return with_lapack_type(in[0].type, [&](auto x) { return eig<decltype(x)>(in[0], out, p.vectors); });
}

}  // namespace cuprum::cpu
