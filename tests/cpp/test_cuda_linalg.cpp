// The kernels for small matrices of the CUDA backend, run on the host: what they give is multiplied out
// again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>
#include <vector>

#include "core/element.h"
#include "runtime/program.h"
// After all standard headers:
#include "cuda_on_host.h"
//
using std::max;
using std::min;
#include "backend/cuda/primitives/linalg/small_cholesky.cuh"
#include "backend/cuda/primitives/linalg/small_eigh.cuh"
#include "backend/cuda/primitives/linalg/small_lu.cuh"
#include "backend/cuda/primitives/linalg/small_qr.cuh"
#include "backend/cuda/primitives/linalg/small_svd.cuh"

namespace cuprum {
namespace {

using namespace testing;
using namespace cuda::primitives;
using Wide = std::complex<double>;

constexpr int kCount = 5;  // matrices of a stack: a block has lanes for more, or not for all

/// A stack in C order, in the numbers of the kernels.
template <class T>
struct Stack {
  int rows, columns;
  std::vector<T> data;

  Stack(int rows, int columns) : rows(rows), columns(columns), data(kCount * rows * columns, T{}) {}
  T& at(int k, int i, int j) { return data[(k * rows + i) * columns + j]; }
  Wide get(int k, int i, int j) {
    if constexpr (complex_number<T>)
      return {at(k, i, j).re, at(k, i, j).im};
    else
      return at(k, i, j);
  }
  MatrixAt matrix() {
    return {reinterpret_cast<char*>(data.data()), static_cast<std::int64_t>(columns * sizeof(T)), sizeof(T)};
  }
  std::int64_t step() const { return static_cast<std::int64_t>(rows * columns * sizeof(T)); }
};

template <class T>
T drawn(std::mt19937& rng) {
  std::normal_distribution<double> normal;
  if constexpr (complex_number<T>)
    return {static_cast<Real<T>>(normal(rng)), static_cast<Real<T>>(normal(rng))};
  else
    return static_cast<T>(normal(rng));
}

template <class T>
Stack<T> draw(int rows, int columns) {
  std::mt19937 rng(static_cast<unsigned>(100 * rows + columns));
  Stack<T> a(rows, columns);
  for (T& x : a.data) x = drawn<T>(rng);
  return a;
}

/// sum over l of f(i, l) g(l, j) is about h(i, j), everywhere.
template <class T, class F, class G, class H>
void expect_product(int rows, int inner, int columns, F&& f, G&& g, H&& h, const char* what) {
  const double eps = sizeof(Real<T>) == 4 ? 1.2e-7 : 2.3e-16;
  double wrong = 0, size = 1;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      Wide sum = 0;
      double moduli = 0;
      for (int l = 0; l < inner; ++l) {
        sum += f(i, l) * g(l, j);
        moduli += std::abs(f(i, l) * g(l, j));
      }
      wrong = std::max(wrong, std::abs(sum - h(i, j)));
      size = std::max(size, moduli);
    }
  }
  EXPECT_LE(wrong, 50 * eps * std::max({rows, inner, columns}) * size)
      << what << " " << rows << "x" << columns;
}

template <int K, class... Stacks>
SmallStack<K> stack_of(Stacks&... stacks) {
  SmallStack<K> p{};
  int k = 0;
  ((p.matrix[k] = stacks.matrix(), p.batch.strides[k++][0] = stacks.step()), ...);
  p.batch.ndim = 1;
  p.batch.size = p.batch.shape[0] = kCount;
  p.batch.by[0] = Divider(kCount);
  return p;
}

template <int N, class F>
void launch(unsigned y, F&& kernel) {
  run_grid((kCount * N + kSmallThreads - 1) / kSmallThreads, y, kSmallThreads, kernel);
}

const auto identity = [](int i, int j) { return Wide(i == j ? 1 : 0); };

/// f(type, padded side, side) for all dtypes. A lane's work is the same for each padded side, and threads of
/// the host are slow: of the widest one float32 alone.
template <class F>
void each_side(F&& f) {
  const auto sides = [&](auto x) {
    for (int n : {1, 3, 8}) f(x, std::integral_constant<int, 8>(), n);
    f(x, std::integral_constant<int, 16>(), 11);
  };
  sides(float());
  sides(double());
  sides(kernels::complex64());
  sides(kernels::complex128());
  f(float(), std::integral_constant<int, 32>(), 19);
}

TEST(CudaLinalg, EquationsAndInverses) {
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    for (int columns : {0, 2, n == 3 ? 130 : 1}) {
      const int width = columns ? columns : n;
      Stack<T> a = draw<T>(n, n), b = draw<T>(n, width), x(n, width);
      std::fill_n(a.data.begin() + n * n, n * n, T{});  // the second is singular
      SmallStack<3> p = stack_of<3>(a, b, x);
      if (!columns) p.matrix[1].data = nullptr;
      std::vector<int> info(kCount, 9);
      const auto blocks = static_cast<unsigned>((width + kSolveColumns - 1) / kSolveColumns);
      launch<N>(blocks, [&] { solve_small<T, N>(p, n, width, info.data()); });
      for (int k = 0; k < kCount; ++k) {
        EXPECT_EQ(info[k], k == 1);
        if (k == 1) {
          EXPECT_TRUE(std::isnan(x.get(k, 0, 0).real()));
          continue;
        }
        expect_product<T>(
            n, n, width, [&](int i, int j) { return a.get(k, i, j); },
            [&](int i, int j) { return x.get(k, i, j); },
            [&](int i, int j) { return columns ? b.get(k, i, j) : identity(i, j); }, "solve");
      }
    }
  });
}

TEST(CudaLinalg, Determinants) {
  // Of a permutation with one factor: exact, and beyond the range on the way.
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    Stack<T> a(n, n), d(1, 1);
    const Real<T> large = sizeof(Real<T>) == 4 ? Real<T>(0x1p100) : Real<T>(0x1p1000);
    for (int k = 0; k < kCount; ++k) {
      for (int i = 0; i < n; ++i)
        a.at(k, i, (i + k) % n) = number<T>(n % 2 ? Real<T>(2) : i % 2 ? large : 1 / large);
    }
    std::vector<Real<T>> logs(kCount);
    const SmallStack<1> p = stack_of<1>(a);
    for (bool log : {false, true}) {
      launch<N>(1, [&] { determinant_small<T, N>(p, n, d.data.data(), log ? logs.data() : nullptr); });
      for (int k = 0; k < kCount; ++k) {
        const double sign = (n - 1) * k % 2 ? -1 : 1, size = n % 2 ? std::exp2(n) : 1;
        EXPECT_EQ(d.get(k, 0, 0), Wide(log ? sign : sign * size)) << n;
        if (log) {
          EXPECT_NEAR(logs[k], std::log(size), 1e-5);
        }
      }
    }
  });
}

TEST(CudaLinalg, Cholesky) {
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    for (bool upper : {false, true}) {
      Stack<T> half = draw<T>(n, n), a(n, n), x(n, n);
      for (int k = 0; k < kCount; ++k) {
        for (int i = 0; i < n; ++i) {
          for (int j = 0; j < n; ++j) {
            Wide sum = i == j ? n : 0;
            for (int l = 0; l < n; ++l) sum += half.get(k, i, l) * std::conj(half.get(k, j, l));
            a.at(k, i, j) = number<T>(static_cast<Real<T>>(sum.real()));
            if constexpr (complex_number<T>) {
              a.at(k, i, j).im = static_cast<Real<T>>(sum.imag());
            }
          }
        }
      }
      a.at(2, n - 1, n - 1) = number<T>(-1);
      SmallStack<2> p = stack_of<2>(a, x);
      for (MatrixAt& matrix : p.matrix) matrix = upper ? matrix.t() : matrix;
      std::vector<int> info(kCount, 9);
      launch<N>(1, [&] { cholesky_small<T, N>(p, n, info.data()); });
      const auto factor = [&](int k, int i, int j) {
        return upper ? std::conj(x.get(k, j, i)) : x.get(k, i, j);
      };
      for (int k = 0; k < kCount; ++k) {
        EXPECT_EQ(info[k], k == 2 ? n : 0);
        if (k == 2) continue;
        expect_product<T>(
            n, n, n, [&](int i, int j) { return factor(k, i, j); },
            [&](int i, int j) { return std::conj(factor(k, j, i)); },
            [&](int i, int j) { return a.get(k, i, j); }, "cholesky");
        if (n > 1) {
          EXPECT_EQ(factor(k, 0, n - 1), Wide(0));
        }
      }
    }
  });
}

TEST(CudaLinalg, ReflectionsGiveOrthogonalFactors) {
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    for (const auto& [rows, columns] :
         {std::pair(n, n), std::pair(n, (n + 1) / 2), std::pair((n + 1) / 2, n)}) {
      Stack<T> a = draw<T>(rows, columns), reflectors(rows, columns), factors(1, std::min(rows, columns)),
               q(rows, rows), r(rows, columns);
      const SmallStack<QrViews::count> p = stack_of<QrViews::count>(a, reflectors, factors, q, r);
      launch<N>(1, [&] { qr_small<T, N>(p, {rows, columns, rows}); });
      for (int k = 0; k < kCount; ++k) {
        const auto column = [&](int i, int j) { return q.get(k, i, j); };
        const auto adjoint = [&](int i, int j) { return std::conj(q.get(k, j, i)); };
        expect_product<T>(
            rows, rows, columns, column, [&](int i, int j) { return r.get(k, i, j); },
            [&](int i, int j) { return a.get(k, i, j); }, "qr");
        expect_product<T>(rows, rows, rows, adjoint, column, identity, "q");
        if (rows > 1) {
          EXPECT_EQ(r.get(k, rows - 1, 0), Wide(0));
        }
      }
    }
  });
}

TEST(CudaLinalg, EigenvaluesOfHermitianMatrices) {
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    Stack<T> half = draw<T>(n, n), a(n, n), v(n, n);
    Stack<Real<T>> w(1, n);
    for (int k = 0; k < kCount; ++k) {
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          a.at(k, i, j) =
              k == 3 ? T{} : add_product(half.at(k, i, j), conjugated(half.at(k, j, i)), number<T>(1));
        }
      }
    }
    const SmallStack<3> p = stack_of<3>(a, w, v);
    std::vector<int> info(kCount, 9);
    launch<N>(1, [&] { eigh_small<T, N>(p, n, false, info.data()); });
    for (int k = 0; k < kCount; ++k) {
      EXPECT_EQ(info[k], 0);
      const auto column = [&](int i, int j) { return v.get(k, i, j); };
      expect_product<T>(
          n, n, n, [&](int i, int j) { return a.get(k, i, j); }, column,
          [&](int i, int j) { return column(i, j) * w.get(k, 0, j); }, "eigh");
      expect_product<T>(
          n, n, n, [&](int i, int j) { return std::conj(column(j, i)); }, column, identity, "eigenvectors");
      for (int j = 1; j < n; ++j) EXPECT_LE(w.at(k, 0, j - 1), w.at(k, 0, j));
    }
  });
}

TEST(CudaLinalg, SingularValuesAndBasesOfAllRanks) {
  each_side([]<class T, int N>(T, std::integral_constant<int, N>, int n) {
    const int low = (n + 1) / 2;
    Stack<T> a = draw<T>(n, low), u(n, n), vh(low, low);
    Stack<Real<T>> s(1, low);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < low; ++j) {
        a.at(1, i, j) = T{};                              // of rank 0,
        a.at(2, i, j) = number<T>(1);                     // 1
        if (j == low - 1) a.at(3, i, j) = a.at(3, i, 0);  // and one less than full
      }
    }
    SmallStack<SvdViews::count> p = stack_of<SvdViews::count>(a, s, u, vh);
    p.matrix[SvdViews::right] = p.matrix[SvdViews::right].t();
    std::vector<int> info(kCount, 9);
    launch<N>(1, [&] { svd_small<T, N, true>(p, {n, low, n}, info.data()); });
    for (int k = 0; k < kCount; ++k) {
      EXPECT_EQ(info[k], 0) << k;
      const auto left = [&](int i, int j) { return u.get(k, i, j); };
      expect_product<T>(
          n, low, low, [&](int i, int j) { return left(i, j) * s.get(k, 0, j); },
          [&](int i, int j) { return vh.get(k, i, j); }, [&](int i, int j) { return a.get(k, i, j); }, "svd");
      expect_product<T>(
          n, n, n, [&](int i, int j) { return std::conj(left(j, i)); }, left, identity, "u");
      expect_product<T>(
          low, low, low, [&](int i, int j) { return vh.get(k, i, j); },
          [&](int i, int j) { return std::conj(vh.get(k, j, i)); }, identity, "v");
      for (int j = 1; j < low; ++j) EXPECT_GE(s.at(k, 0, j - 1), s.at(k, 0, j));
    }
  });
}

TEST(CudaLinalg, NaNDoesNotConverge) {
  Stack<double> a = draw<double>(4, 4), u(4, 4), vh(4, 4), s(1, 4);
  a.at(2, 1, 1) = std::nan("");
  const SmallStack<SvdViews::count> p = stack_of<SvdViews::count>(a, s, u, vh);
  std::vector<int> info(kCount, 9);
  launch<8>(1, [&] { svd_small<double, 8, false>(p, {4, 4, 4}, info.data()); });
  EXPECT_EQ(info, (std::vector<int>{0, 0, 1, 0, 0}));
}

}  // namespace
}  // namespace cuprum
