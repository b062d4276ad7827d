// What rests on triangular factors: solve, inverse, determinant, Cholesky.
#include <cmath>

#include "backend/cpu/backend.h"
#include "backend/cpu/lapack/groups.h"
#include "backend/cpu/lapack/scaled_product.h"
#include "backend/cpu/lapack/stack.h"

namespace cuprum::cpu {

namespace {

template <class T>
constexpr T not_a_number() {
  return T(std::numeric_limits<lapack::Real<T>>::quiet_NaN());
}

/// Microseconds of getri and of solving, Zen 5, one thread, float32: 128 rows 125 and 90, 256 437 and 410, 384 1060 and 1095; float64:
/// 128 191 and 185, 256 868 and 870, 384 2017 and 2234.
constexpr std::int64_t kSolvedSide = 256;

/// LU factors of one matrix after the other.
template <class T>
class Factors {
 public:
  explicit Factors(std::int64_t n) : n_(n), lu_(n * n), pivots_(n) {}

  /// False: a pivot is zero.
  bool factorize(const Matrix& a) {
    pack(a, lu_.data(), n_);
    return lapack::getrf(as_int(n_), as_int(n_), lu_.data(), leading(n_), pivots_.data()) == 0;
  }
  void solve(T* b, std::int64_t columns) const {
    lapack::getrs(as_int(n_), as_int(columns), lu_.data(), leading(n_), pivots_.data(), b, leading(n_));
  }
  /// The columns of the identity are solved for, as NumPy does, so that zeros have its signs. Of large matrices getri inverts the
  /// factors, which is a quarter less work, but more of it column by column.
  void invert(const Matrix& to) {
    if (n_ <= kSolvedSide) {
      Scratch<T> columns(n_ * n_);
      std::fill_n(columns.data(), n_ * n_, T());
      for (std::int64_t i = 0; i < n_; ++i) columns.data()[i * (n_ + 1)] = T(1);
      solve(columns.data(), n_);
      return unpack(columns.data(), n_, to);
    }
    lapack::getri(as_int(n_), lu_.data(), leading(n_), pivots_.data());
    unpack(lu_.data(), n_, to);
  }
  T diagonal(std::int64_t i) const { return lu_.data()[i * (n_ + 1)]; }
  bool swapped(std::int64_t i) const { return pivots_.data()[i] != i + 1; }

 private:
  std::int64_t n_;
  Scratch<T> lu_;
  Scratch<int> pivots_;
};

/// Groups of small matrices: a x = b, or the inverse of a where b is null.
template <class T>
Fault eliminate(const View& a, const View* b, const View& out, std::size_t batch) {
  using G = Group<T>;
  const std::int64_t n = out.shape[batch], k = out.shape[batch + 1], width = n + k;
  const Space<3> stack({&a, b ? b : &a, &out}, batch);
  return each_group(stack, G::kLanes, 2.0 * n * n * (n / 3.0 + k), [&] {
    return [&, group = G(n, width)](const auto& p, int count, unsigned char* failed) mutable {
      unsigned char odd[kMostLanes] = {};
      group.pack(last_matrix(a, p[0]), stack.step(0), count);
      if (b)
        group.pack(last_matrix(*b, p[1]), stack.step(1), count, n);
      else
        group.set_identity(n);
      CUPRUM_CALL_LEVEL(small_eliminate(a.type, as_int(n), as_int(width), group.data(), failed, odd));
      for (int l = 0; l < count; ++l) {
        if (failed[l]) group.fill(l, n, not_a_number<T>());
      }
      group.unpack(last_matrix(out, p[2]), stack.step(2), count, n);
    };
  });
}

template <class T>
Fault solve(const View& a, const View& b, const View& out) {
  const std::size_t batch = out.shape.size() - 2;
  const std::int64_t n = out.shape[batch], k = out.shape[batch + 1];
  if (in_groups(stack_size(out, batch), std::max(n, k))) return eliminate<T>(a, &b, out, batch);
  const double work = 2.0 * n * n * (n / 3.0 + k);
  return each_matrix<3>({&a, &b, &out}, batch, work, [&] {
    return [&, factors = Factors<T>(n), right = Scratch<T>(n * k)](const auto& p) mutable {
      const Matrix to = last_matrix(out, p[2]);
      if (!factors.factorize(last_matrix(a, p[0]))) {
        fill(to, not_a_number<T>(), not_a_number<T>());
        return false;
      }
      pack(last_matrix(b, p[1]), right.data(), n);
      factors.solve(right.data(), k);
      unpack(right.data(), n, to);
      return true;
    };
  });
}

template <class T>
Fault invert(const View& a, const View& out) {
  const std::size_t batch = out.shape.size() - 2;
  const std::int64_t n = out.shape[batch];
  if (in_groups(stack_size(out, batch), n)) return eliminate<T>(a, nullptr, out, batch);
  return each_matrix<2>({&a, &out}, batch, 2.0 * n * n * n, [&] {
    return [&, factors = Factors<T>(n)](const auto& p) mutable {
      const Matrix to = last_matrix(out, p[1]);
      if (!factors.factorize(last_matrix(a, p[0]))) {
        fill(to, not_a_number<T>(), not_a_number<T>());
        return false;
      }
      factors.invert(to);
      return true;
    };
  });
}

/// Where the determinant of a matrix goes.
template <class T>
struct DeterminantResult {
  bool log;
  void put(const ScaledProduct<T>& product, std::byte* first, std::byte* second) const {
    *reinterpret_cast<T*>(first) = log ? product.sign() : product.value();
    if (log) *reinterpret_cast<lapack::Real<T>*>(second) = product.log();
  }
};

template <class T>
void small_determinants(const Space<3>& stack, const View& a, std::int64_t n, DeterminantResult<T> result) {
  using G = Group<T>;
  each_group(stack, G::kLanes, 2.0 / 3 * n * n * n, [&] {
    return [&, group = G(n, n)](const auto& p, int count, unsigned char* failed) mutable {
      unsigned char odd[kMostLanes] = {};
      group.pack(last_matrix(a, p[0]), stack.step(0), count);
      CUPRUM_CALL_LEVEL(small_eliminate(a.type, as_int(n), as_int(n), group.data(), failed, odd));
      for (int l = 0; l < count; ++l) {
        ScaledProduct<T> product;
        if (failed[l]) product.multiply(T());
        for (std::int64_t i = 0; i < n && !product.is_zero(); ++i) product.multiply(group.get(i, i, l));
        if (odd[l]) product.negate();
        result.put(product, p[1] + l * stack.step(1), p[2] + l * stack.step(2));
      }
    };
  });
}

template <class T>
void determinant(const View& a, Operands out, bool log) {
  const std::size_t batch = a.shape.size() - 2;
  const std::int64_t n = a.shape[batch];
  const View& logs = out[log ? 1 : 0];
  const DeterminantResult<T> result{log};
  if (in_groups(stack_size(a, batch), n))
    return small_determinants(Space<3>({&a, &out[0], &logs}, batch), a, n, result);
  each_matrix<3>({&a, &out[0], &logs}, batch, 2.0 / 3 * n * n * n, [&] {
    return [&, factors = Factors<T>(n)](const auto& p) mutable {
      ScaledProduct<T> product;
      if (!factors.factorize(last_matrix(a, p[0]))) product.multiply(T());
      for (std::int64_t i = 0; i < n && !product.is_zero(); ++i) {
        product.multiply(factors.diagonal(i));
        if (factors.swapped(i)) product.negate();
      }
      result.put(product, p[1], p[2]);
      return true;
    };
  });
}

/// The upper factor is the lower one of the transposed matrix, transposed.
template <class T>
Fault small_cholesky_factors(const View& a, const View& out, std::size_t batch, bool upper) {
  using G = Group<T>;
  const std::int64_t n = out.shape[batch];
  const Space<2> stack({&a, &out}, batch);
  const auto turned = [upper](const Matrix& m) { return upper ? m.t() : m; };
  return each_group(stack, G::kLanes, n * (n * (n / 3.0)), [&] {
    return [&, group = G(n, n)](const auto& p, int count, unsigned char* failed) mutable {
      group.pack(turned(last_matrix(a, p[0])), stack.step(0), count);
      CUPRUM_CALL_LEVEL(small_cholesky(a.type, as_int(n), group.data(), failed));
      group.unpack(turned(last_matrix(out, p[1])), stack.step(1), count);
    };
  });
}

/// A matrix in C order is its transpose column by column: the lower triangle is LAPACK's upper one, and its factor lies where
/// ours does.
template <class T>
Fault cholesky(const View& a, const View& out, bool upper) {
  const std::size_t batch = out.shape.size() - 2;
  const std::int64_t n = out.shape[batch];
  if (in_groups(stack_size(out, batch), n)) return small_cholesky_factors<T>(a, out, batch, upper);
  return each_matrix<2>({&a, &out}, batch, n * (n * (n / 3.0)), [&] {
    return [&](const auto& p) {
      const Matrix from = last_matrix(a, p[0]), to = last_matrix(out, p[1]);
      constexpr auto size = static_cast<std::int64_t>(sizeof(T));
      copies().tile(size, {n, n, to.data, to.row_stride, size, from.data, from.row_stride, from.col_stride});
      for (std::int64_t i = 0; i < n; ++i) {
        T* const row = &element<T>(to, i, 0);
        upper ? std::fill(row, row + i, T()) : std::fill(row + i + 1, row + n, T());
      }
      return lapack::potrf(upper ? 'L' : 'U', as_int(n), &element<T>(to, 0, 0), leading(n)) == 0;
    };
  });
}

}  // namespace

Fault call(const Solve& p, Operands in, const View& out) {
  const View& a = in[0];
  lapack::require(p.site.function, std::max(out.shape[out.shape.size() - 2], out.shape.back()));
  const Fault fault = with_lapack_type(a.type, [&](auto x) {
    using T = decltype(x);
    return in.size() == 1 ? invert<T>(a, out) : solve<T>(a, in[1], out);
  });
  return p.quiet ? Fault{} : fault;
}

void call(const Determinant& p, Operands in, Operands out) {
  lapack::require(p.log ? "linalg.slogdet" : "linalg.det", in[0].shape.back());
  with_lapack_type(in[0].type, [&](auto x) { determinant<decltype(x)>(in[0], out, p.log); });
}

Fault call(const Cholesky& p, Operands in, const View& out) {
  lapack::require(p.site.function, out.shape.back());
  return with_lapack_type(in[0].type, [&](auto x) { return cholesky<decltype(x)>(in[0], out, p.upper); });
}

}  // namespace cuprum::cpu
