// What rests on orthogonal factors: QR, singular values, least squares.
#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/stack.h"

namespace cuprum::cpu {

namespace {

struct Sides {
  std::int64_t m, n;
  std::int64_t low() const { return std::min(m, n); }
  std::int64_t high() const { return std::max(m, n); }
  double work() const { return 4.0 * m * n * low(); }
};

Sides sides_of(const View& a) { return {a.shape[a.shape.size() - 2], a.shape.back()}; }

/// The upper triangle of the factored matrix, zeros below.
template <class T>
void put_r(const T* from, std::int64_t ld, const Matrix& to) {
  unpack(from, ld, to);
  for (std::int64_t i = 1; i < to.rows; ++i) {
    T* const row = &element<T>(to, i, 0);
    std::fill(row, row + std::min(i, to.cols), T());
  }
}

template <class T>
void qr(const View& a, Operands out, QrMode mode) {
  const std::size_t batch = a.shape.size() - 2;
  const auto [m, n] = sides_of(a);
  const std::int64_t k = std::min(m, n), columns = mode == QrMode::complete ? m : k;
  const View& second = out[out.size() - 1];
  each_matrix<3>({&a, &out[0], &second}, batch, 4.0 * m * n * k, [&, m = m, n = n] {
    return [&, m, n, factor = Scratch<T>(m * std::max(columns, n)), tau = Scratch<T>(k)](const auto& p) {
      T* const f = factor.data();
      pack(last_matrix(a, p[0]), f, m);
      lapack::geqrf(as_int(m), as_int(n), f, leading(m), tau.data());
      if (mode == QrMode::raw) {
        unpack(f, m, last_matrix(out[0], p[1]).t());
        put_row(tau.data(), k, second, p[2]);
        return true;
      }
      put_r(f, m, last_matrix(second, p[2]));
      if (mode == QrMode::r) return true;
      lapack::orgqr(as_int(m), as_int(columns), as_int(k), f, leading(m), tau.data());
      unpack(f, m, last_matrix(out[0], p[1]));
      return true;
    };
  });
}

template <class T>
Fault svd(const View& a, Operands out, bool vectors, bool full) {
  using R = lapack::Real<T>;
  const std::size_t batch = a.shape.size() - 2;
  const Sides sides = sides_of(a);
  const auto [m, n] = sides;
  const std::int64_t k = sides.low(), u_cols = full ? m : k, v_rows = full ? n : k;
  const View &u = out[vectors ? 1 : 0], &vh = out[vectors ? 2 : 0];
  const char job = !vectors ? 'N' : full ? 'A' : 'S';
  const std::int64_t u_size = vectors ? m * u_cols : 1, v_size = vectors ? v_rows * n : 1;
  return each_matrix<4>({&a, &out[0], &u, &vh}, batch, 5 * sides.work(), [&, m = m, n = n] {
    return [&, m, n, matrix = Scratch<T>(m * n), s = Scratch<R>(k), left = Scratch<T>(u_size),
            right = Scratch<T>(v_size)](const auto& p) {
      pack(last_matrix(a, p[0]), matrix.data(), m);
      const int info = lapack::gesdd(job, as_int(m), as_int(n), matrix.data(), leading(m), s.data(),
                                     left.data(), leading(m), right.data(), leading(v_rows));
      put_row(s.data(), k, out[0], p[1]);
      if (vectors) unpack(left.data(), m, last_matrix(u, p[2]));
      if (vectors) unpack(right.data(), v_rows, last_matrix(vh, p[3]));
      return info == 0;
    };
  });
}

template <class T>
lapack::Real<T> square(T x) {
  if constexpr (lapack::kIsComplex<T>) {
    return x.real() * x.real() + x.imag() * x.imag();
  } else {
    return x * x;
  }
}

template <class T>
Fault lstsq(const View& a, const View& b, Operands out, double rcond) {
  using R = lapack::Real<T>;
  const Sides sides = sides_of(a);
  const auto [m, n] = sides;
  const std::int64_t k = b.shape.back(), low = sides.low(), high = sides.high();
  const std::size_t batch = a.shape.size() - 2;
  return each_matrix<6>(
      {&a, &b, &out[0], &out[1], &out[2], &out[3]}, batch, 4 * sides.work(), [&, m = m, n = n] {
        return [&, m, n, matrix = Scratch<T>(m * n), x = Scratch<T>(high * k),
                s = Scratch<R>(low)](const auto& p) {
          pack(last_matrix(b, p[1]), x.data(), high);
          int rank = 0;
          pack(last_matrix(a, p[0]), matrix.data(), m);
          const int info = lapack::gelsd(as_int(m), as_int(n), as_int(k), matrix.data(), leading(m), x.data(),
                                         leading(high), s.data(), static_cast<R>(rcond), &rank);
          for (std::int64_t j = 0; j < k; ++j) {
            R sum = 0;
            for (std::int64_t i = n; i < m; ++i) sum += square(x.data()[j * high + i]);
            put_row(&sum, 1, out[1], p[3] + j * out[1].strides.back());
          }
          unpack(x.data(), high, last_matrix(out[0], p[2]));
          *reinterpret_cast<std::int64_t*>(p[4]) = rank;
          put_row(s.data(), low, out[3], p[5]);
          return info == 0;
        };
      });
}

}  // namespace

void call(const Qr& p, Operands in, Operands out) {
  lapack::require("qr", sides_of(in[0]).high());
  with_lapack_type(in[0].type, [&](auto x) { qr<decltype(x)>(in[0], out, p.mode); });
}

Fault call(const Svd& p, Operands in, Operands out) {
  lapack::require(p.site.function, sides_of(in[0]).high());
  return with_lapack_type(in[0].type,
                          [&](auto x) { return svd<decltype(x)>(in[0], out, p.vectors, p.full); });
}

Fault call(const Lstsq& p, Operands in, Operands out) {
  lapack::require(p.site.function, std::max(sides_of(in[0]).high(), in[1].shape.back()));
  return with_lapack_type(in[0].type, [&](auto x) { return lstsq<decltype(x)>(in[0], in[1], out, p.rcond); });
}

}  // namespace cuprum::cpu
