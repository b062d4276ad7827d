// Eigenvalues and eigenvectors.
#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/stack.h"

namespace cuprum::cpu {

namespace {

template <class T>
Fault eigh(const View& a, Operands out, bool vectors, bool lower) {
  const std::size_t batch = a.shape.size() - 2;
  const std::int64_t n = a.shape.back();
  const View& v = out[vectors ? 1 : 0];
  return each_matrix<3>({&a, &out[0], &v}, batch, (vectors ? 8.0 : 2.0) * n * n * n, [&] {
    return [&, matrix = Scratch<T>(n * n), w = Scratch<lapack::Real<T>>(n)](const auto& p) {
      pack(last_matrix(a, p[0]), matrix.data(), n);
      const int info = lapack::syevd(vectors ? 'V' : 'N', lower ? 'L' : 'U', as_int(n), matrix.data(),
                                     leading(n), w.data());
      put_row(w.data(), n, out[0], p[1]);
      if (vectors) unpack(matrix.data(), n, last_matrix(v, p[2]));
      return info == 0;
    };
  });
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
  return with_lapack_type(in[0].type,
                          [&](auto x) { return eigh<decltype(x)>(in[0], out, p.vectors, p.lower); });
}

Fault call(const Eig& p, Operands in, Operands out) {
  lapack::require(p.site.function, in[0].shape.back());
  return with_lapack_type(in[0].type, [&](auto x) { return eig<decltype(x)>(in[0], out, p.vectors); });
}

}  // namespace cuprum::cpu
