// cuprum/linalg.h
#include "examples.h"

TEST(Examples, linalg) {
  // matmul
  shows(cp::matmul(cp::array{{1, 2}, {3, 4}}, cp::array{{5, 6}, {7, 8}}),
        "[[19 22]\n"
        " [43 50]]");
  // dot
  shows(cp::dot(cp::array{1, 2, 3}, cp::array{4, 5, 6}), "32");
  // outer
  shows(cp::outer(cp::array{1, 2}, cp::array{3, 4, 5}),
        "[[ 3  4  5]\n"
        " [ 6  8 10]]");
  // inner
  shows(cp::inner(cp::array{{1, 2}, {3, 4}}, cp::array{10, 1}), "[12 34]");
  // vdot
  {
    const cp::array z{std::complex<double>(1, 2), std::complex<double>(3, 0)};
    shows(cp::vdot(z, z), "(14+0j)");
  }
  // vecdot
  shows(cp::vecdot(cp::array{{1, 2}, {3, 4}}, cp::array{10, 1}), "[12 34]");
  // matvec
  shows(cp::matvec(cp::array{{1, 2}, {3, 4}}, cp::array{10, 1}), "[12 34]");
  // vecmat
  shows(cp::vecmat(cp::array{10, 1}, cp::array{{1, 2}, {3, 4}}), "[13 24]");
  // kron
  shows(cp::kron(cp::array{1, 10}, cp::array{1, 2, 3}), "[ 1  2  3 10 20 30]");
  // cross
  shows(cp::cross(cp::array{1, 0, 0}, cp::array{0, 1, 0}), "[0 0 1]");
  // tensordot
  {
    const cp::array a = cp::arange(6.0).reshape({1, 2, 3}), b = cp::ones({2, 3, 2});
    shows(cp::tensordot(a, b), "[[15. 15.]]");
  }
  // einsum
  {
    const cp::array a{{1, 2}, {3, 4}};
    shows(cp::einsum("ij,jk->ik", {a, a}),
          "[[ 7 10]\n"
          " [15 22]]");
    shows(cp::einsum("ii", {a}), "5");
  }
  // einsum_path
  {
    const cp::array a = cp::ones({2, 10}), b = cp::ones({10, 10}), c = cp::ones({10, 3});
    shows(cp::einsum_path("ij,jk,kl->il", {a, b, c}), "{{0, 1}, {0, 1}}");
  }
  // linalg::solve
  shows(cp::linalg::solve(cp::array{{2.0, 0.0}, {0.0, 4.0}}, cp::array{6.0, 2.0}), "[3.  0.5]");
  // linalg::inv
  shows(cp::round(cp::linalg::inv(cp::array{{1.0, 2.0}, {3.0, 4.0}}), 6),
        "[[-2.   1. ]\n"
        " [ 1.5 -0.5]]");
  // linalg::tensorsolve
  {
    const cp::array a = cp::eye(6).reshape({2, 3, 2, 3}) * 2.0, b = cp::ones({2, 3});
    shows(cp::linalg::tensorsolve(a, b),
          "[[0.5 0.5 0.5]\n"
          " [0.5 0.5 0.5]]");
  }
  // linalg::tensorinv
  {
    const cp::array a = cp::eye(4).reshape({2, 2, 4}) * 2.0;
    shows(cp::linalg::tensorinv(a).shape(), "{4, 2, 2}");
  }
  // linalg::pinv
  shows(cp::linalg::pinv(cp::array{{2.0, 0.0}, {0.0, 4.0}, {0.0, 0.0}}) + 0.0,
        "[[0.5  0.   0.  ]\n"
        " [0.   0.25 0.  ]]");
  // linalg::matrix_power
  shows(cp::linalg::matrix_power(cp::array{{1, 1}, {1, 0}}, 10),
        "[[89 55]\n"
        " [55 34]]");
  // linalg::cholesky
  {
    const cp::array a{{4.0, 2.0}, {2.0, 5.0}};
    shows(cp::linalg::cholesky(a),
          "[[2. 0.]\n"
          " [1. 2.]]");
    shows(cp::linalg::cholesky(a, true),
          "[[2. 1.]\n"
          " [0. 2.]]");
  }
  // linalg::det
  shows(cp::round(cp::linalg::det(cp::array{{1.0, 2.0}, {3.0, 4.0}}), 6), "-2.0");
  // linalg::slogdet
  {
    const auto [sign, logabsdet] = cp::linalg::slogdet(cp::array{{0.0, 1.0}, {1.0, 0.0}});
    shows(sign, "-1.0");
    shows(logabsdet, "0.0");
  }
  // linalg::lstsq
  {
    const cp::array x{{0.0, 1.0}, {1.0, 1.0}, {2.0, 1.0}}, y{1.0, 3.0, 5.0};
    const auto [line, residuals, rank, singular_values] = cp::linalg::lstsq(x, y);
    shows(cp::round(line, 6), "[2. 1.]");
    shows(rank, "2");
  }
  // linalg::qr
  {
    const cp::array a{{3.0, 1.0}, {4.0, 2.0}};
    const auto [q, r] = cp::linalg::qr(a);
    shows(cp::allclose(cp::matmul(q, r), a), "true");
    shows(cp::abs(cp::round(r, 6)),
          "[[5.  2.2]\n"
          " [0.  0.4]]");
  }
  // linalg::qr_r
  shows(cp::abs(cp::round(cp::linalg::qr_r(cp::array{{3.0, 1.0}, {4.0, 2.0}}), 6)),
        "[[5.  2.2]\n"
        " [0.  0.4]]");
  // linalg::svd
  {
    const cp::array a{{3.0, 0.0}, {0.0, 2.0}, {0.0, 0.0}};
    const auto [u, s, vh] = cp::linalg::svd(a, false);
    shows(s, "[3. 2.]");
    shows(cp::allclose(cp::matmul(u * s, vh), a), "true");
  }
  // linalg::svdvals
  shows(cp::linalg::svdvals(cp::array{{0.0, 2.0}, {3.0, 0.0}}), "[3. 2.]");
  // linalg::eig
  {
    const cp::array a{{2.0, 0.0}, {0.0, 3.0}};
    const auto [values, vectors] = cp::linalg::eig(a);
    shows(cp::allclose(cp::matmul(a, vectors), vectors * values), "true");
  }
  // linalg::eigvals
  shows(cp::sort_complex(cp::linalg::eigvals(cp::array{{2.0, 0.0}, {0.0, 3.0}})), "[2.+0.j 3.+0.j]");
  // linalg::eigh
  {
    const auto [values, vectors] = cp::linalg::eigh(cp::array{{2.0, 1.0}, {1.0, 2.0}});
    shows(cp::round(values, 6), "[1. 3.]");
    shows(cp::round(cp::abs(vectors), 6),
          "[[0.707107 0.707107]\n"
          " [0.707107 0.707107]]");
  }
  // linalg::eigvalsh
  shows(cp::round(cp::linalg::eigvalsh(cp::array{{2.0, 1.0}, {1.0, 2.0}}), 6), "[1. 3.]");
  // linalg::norm
  {
    const cp::array a{{3.0, 4.0}, {6.0, 8.0}};
    shows(cp::linalg::norm(a, {}, {1}), "[ 5. 10.]");
    shows(cp::linalg::norm(a, cp::inf), "14.0");
  }
  // linalg::norm_order::norm_order, linalg::norm_order::number, linalg::norm_order::word
  {
    const cp::linalg::norm_order one = 1.0, nuclear = "nuc";
    shows(cp::linalg::norm(cp::array{3.0, -4.0}, one), "7.0");
    shows(*one.number(), "1");
    shows(nuclear.word(), "nuc");
  }
  // linalg::matrix_norm
  shows(cp::linalg::matrix_norm(cp::array{{3.0, 0.0}, {0.0, 4.0}}), "5.0");
  // linalg::vector_norm
  shows(cp::linalg::vector_norm(cp::array{3.0, -4.0}, 1.0), "7.0");
  // linalg::cond
  shows(cp::linalg::cond(cp::array{{8.0, 0.0}, {0.0, 2.0}}), "4.0");
  // linalg::matrix_rank
  shows(cp::linalg::matrix_rank(cp::array{{1.0, 2.0}, {2.0, 4.0}}), "1");
  // linalg::multi_dot
  shows(cp::linalg::multi_dot({cp::ones({2, 10}), cp::ones({10, 3}), cp::ones({3, 1})}),
        "[[30.]\n"
        " [30.]]");
}
