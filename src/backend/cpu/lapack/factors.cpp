// What rests on orthogonal factors: QR and singular values.
#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/groups.h"
#include "backend/cpu/lapack/tall.h"
#include "backend/cpu/simd/small_orthogonal.h"

namespace cuprum::cpu {

namespace {

struct Sides {
  std::int64_t m, n;
  std::int64_t low() const { return std::min(m, n); }
  std::int64_t high() const { return std::max(m, n); }
  double work() const { return 4.0 * m * n * low(); }
};

Sides sides_of(const View& a) { return {a.shape[a.shape.size() - 2], a.shape.back()}; }

/// Zeros below the diagonal: there reflectors stand.
template <class T>
void clear_below(const Matrix& r) {
  for (std::int64_t i = 1; i < r.rows; ++i) {
    T* const row = &element<T>(r, i, 0);
    std::fill(row, row + std::min(i, r.cols), T());
  }
}

template <class T>
void small_qr_factors(const View& a, const View& first, const View& second, QrMode mode,
                      std::int64_t columns) {
  using G = Group<T>;
  const auto [m, n] = sides_of(a);
  const std::int64_t k = std::min(m, n);
  const bool with_q = mode == QrMode::reduced || mode == QrMode::complete;
  const Space<3> stack({&a, &first, &second}, a.shape.size() - 2);
  each_group(stack, G::kLanes, 4.0 * m * n * k, [&, m = m, n = n] {
    return [&, m, n, matrix = G(m, n), tau = G(1, n), q = G(m, columns)](const auto& p, int count,
                                                                         unsigned char*) mutable {
      matrix.pack(last_matrix(a, p[0]), stack.step(0), count);
      CUPRUM_CALL_LEVEL(small_qr(a.type, as_int(m), as_int(n), as_int(columns), matrix.data(), tau.data(),
                                 with_q ? q.data() : nullptr));
      if (mode == QrMode::raw) {
        matrix.unpack(last_matrix(first, p[1]).t(), stack.step(1), count);
        const Matrix line{p[2], 1, k, 0, second.strides.back()};
        return tau.unpack(line, stack.step(2), count);
      }
      if (with_q) q.unpack(last_matrix(first, p[1]), stack.step(1), count);
      const Matrix r = last_matrix(second, p[2]);
      matrix.unpack(r, stack.step(2), count);
      for (int l = 0; l < count; ++l)
        clear_below<T>({r.data + l * stack.step(2), r.rows, r.cols, r.row_stride, r.col_stride});
    };
  });
}

template <class T>
void qr(const View& a, Operands out, QrMode mode) {
  const std::size_t batch = a.shape.size() - 2;
  const auto [m, n] = sides_of(a);
  const std::int64_t k = std::min(m, n), columns = mode == QrMode::complete ? m : k;
  const View& second = out[out.size() - 1];
  if (in_groups(stack_size(a, batch), std::max(m, n)))
    return small_qr_factors<T>(a, out[0], second, mode, columns);
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
      unpack(f, m, last_matrix(second, p[2]));
      clear_below<T>(last_matrix(second, p[2]));
      if (mode == QrMode::r) return true;
      lapack::orgqr(as_int(m), as_int(columns), as_int(k), f, leading(m), tau.data());
      unpack(f, m, last_matrix(out[0], p[1]));
      return true;
    };
  });
}

/// What a call of Svd writes.
struct SvdViews {
  const View &a, &s, &u, &vh;
  bool vectors, full;
};

/// One matrix after the other on LAPACK.
template <class T>
class SvdOfMatrix {
 public:
  explicit SvdOfMatrix(const SvdViews& views)
      : v_(views),
        m_(sides_of(views.a).m),
        n_(sides_of(views.a).n),
        rows_(views.full ? n_ : std::min(m_, n_)),
        slices_(views.vectors ? 0 : m_, n_, 0),
        matrix_((slices_ ? slices_.rows() : m_) * n_),
        s_(std::min(m_, n_)),
        left_(views.vectors ? m_ * (views.full ? m_ : std::min(m_, n_)) : 1),
        right_(views.vectors ? rows_ * n_ : 1) {}

  bool operator()(const std::array<std::byte*, 4>& p) const {
    const char job = !v_.vectors ? 'N' : v_.full ? 'A' : 'S';
    const Matrix from = last_matrix(v_.a, p[0]);
    const std::int64_t m = slices_ ? slices_.rows() : m_;
    if (slices_) {
      slices_.reduce(from, from.block(0, m_, 0, 0), matrix_.data(), nullptr, m, nullptr);
    } else {
      pack(from, matrix_.data(), m);
    }
    const int info = lapack::gesdd(job, as_int(m), as_int(n_), matrix_.data(), leading(m), s_.data(),
                                   left_.data(), leading(m_), right_.data(), leading(rows_));
    put_row(s_.data(), std::min(m_, n_), v_.s, p[1]);
    if (v_.vectors) unpack(left_.data(), m_, last_matrix(v_.u, p[2]));
    if (v_.vectors) unpack(right_.data(), rows_, last_matrix(v_.vh, p[3]));
    return info == 0;
  }

 private:
  const SvdViews v_;
  std::int64_t m_, n_, rows_;
  const TallSlices<T> slices_;  // where no vectors are asked for
  Scratch<T> matrix_;
  Scratch<lapack::Real<T>> s_;
  Scratch<T> left_, right_;
};

/// Groups of small ones. What is rotated are columns of a high matrix; of a wide one, those of its transpose, whose factors change places.
template <class T>
Fault small_svd_factors(const SvdViews& v) {
  using R = lapack::Real<T>;
  using G = Group<T>;
  const Sides sides = sides_of(v.a);
  const std::int64_t high = sides.high(), low = sides.low();
  const bool wide = sides.m < sides.n;
  const Space<4> stack({&v.a, &v.s, &v.u, &v.vh}, v.a.shape.size() - 2);
  return each_group(stack, G::kLanes, 100.0 * high * low * low, [&, high, low, wide] {
    return [&, high, low, wide, columns = G(low, high), turned = G(low, low), values = Group<R>(1, low),
            alone = SvdOfMatrix<T>(v)](const auto& at, int count, unsigned char* failed) mutable {
      const Matrix from = last_matrix(v.a, at[0]);
      columns.pack(wide ? from : from.t(), stack.step(0), count);
      CUPRUM_CALL_LEVEL(small_svd(v.a.type, as_int(high), as_int(low), columns.data(), values.data(),
                                  v.vectors ? turned.data() : nullptr, failed));
      for (int l = 0; l < count; ++l) {
        const auto here = lane_pointers(stack, at, l);
        if (failed[l]) {
          failed[l] = !alone(here);
          continue;
        }
        const LaneOrder<R> order(values, l, true);
        put_row(order.values(), low, v.s, here[1]);
        if (!v.vectors) continue;
        const Matrix u = last_matrix(v.u, here[2]), vh = last_matrix(v.vh, here[3]);
        order.put(columns, l, wide ? vh : u, !wide, false);
        order.put(turned, l, wide ? u : vh, wide, true);
      }
    };
  });
}

template <class T>
Fault svd(const View& a, Operands out, bool vectors, bool full) {
  const Sides sides = sides_of(a);
  const std::size_t batch = a.shape.size() - 2;
  const SvdViews views{a, out[0], out[vectors ? 1 : 0], out[vectors ? 2 : 0], vectors, full};
  const bool basis = vectors && full && sides.m != sides.n;  // vectors that belong to no singular value
  if (!basis && in_groups(stack_size(a, batch), sides.high())) return small_svd_factors<T>(views);
  const double work = TallSlices<T>(vectors ? 0 : sides.m, sides.n, 0).work(5 * sides.work());
  return each_matrix<4>({&a, &views.s, &views.u, &views.vh}, batch, work,
                        [&] { return SvdOfMatrix<T>(views); });
}

}  // namespace

void call(const Qr& p, Operands in, Operands out) {
  lapack::require("linalg.qr", sides_of(in[0]).high());
  with_lapack_type(in[0].type, [&](auto x) { qr<decltype(x)>(in[0], out, p.mode); });
}

Fault call(const Svd& p, Operands in, Operands out) {
  lapack::require(p.site.function, sides_of(in[0]).high());
  return with_lapack_type(in[0].type,
                          [&](auto x) { return svd<decltype(x)>(in[0], out, p.vectors, p.full); });
}

}  // namespace cuprum::cpu
