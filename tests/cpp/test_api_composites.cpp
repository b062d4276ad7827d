// Functions of the public C++ API that are made of others: editing and joining, positions, sets, products. Expected values are
// NumPy's.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <complex>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;

namespace {

Longs longs(const cp::array& a) { return a.to_host<std::int64_t>(); }
Doubles doubles(const cp::array& a) { return a.to_host<double>(); }
cp::array matrix() { return cp::arange(6).reshape({2, 3}); }

template <class E, class F>
std::string thrown(F&& call) {
  try {
    call();
  } catch (const E& e) {
    return e.what();
  }
  return "nothing was thrown";
}

}  // namespace

// -- Editing --------------------------------------------------------------------------------------------

TEST(Padding, Modes) {
  const cp::array a{1, 2, 3};
  EXPECT_EQ(longs(cp::pad(a, {1, 2})), (Longs{0, 1, 2, 3, 0, 0}));
  EXPECT_EQ(longs(cp::pad(a, 1, {.constant_values = {7, 8}})), (Longs{7, 1, 2, 3, 8}));
  EXPECT_EQ(longs(cp::pad(a, 2, {.mode = "edge"})), (Longs{1, 1, 1, 2, 3, 3, 3}));
  EXPECT_EQ(longs(cp::pad(a, 5, {.mode = "reflect"})), (Longs{2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2}));
  EXPECT_EQ(longs(cp::pad(a, 2, {.mode = "reflect", .reflect_type = "odd"})), (Longs{-1, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(longs(cp::pad(a, 2, {.mode = "symmetric"})), (Longs{2, 1, 1, 2, 3, 3, 2}));
  EXPECT_EQ(longs(cp::pad(a, 4, {.mode = "wrap"})), (Longs{3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1}));
  EXPECT_EQ(longs(cp::pad(a, 1, {.mode = "maximum"})), (Longs{3, 1, 2, 3, 3}));
  EXPECT_EQ(longs(cp::pad(a, 1, {.mode = "mean", .stat_length = 2})), (Longs{2, 1, 2, 3, 2}));
  EXPECT_EQ(longs(cp::pad(a, 1, {.mode = "median"})), (Longs{2, 1, 2, 3, 2}));
  EXPECT_EQ(doubles(cp::pad(cp::array{4.0}, 2, {.mode = "linear_ramp"})), (Doubles{0, 2, 4, 2, 0}));
}

TEST(Padding, PairsOfAxes) {
  const cp::array b = cp::pad(matrix(), {{1, 0}, {0, 2}}, {.constant_values = {{9, 0}, {0, -1}}});
  EXPECT_EQ(b.shape(), (cp::shape_type{3, 5}));
  EXPECT_EQ(longs(b), (Longs{9, 9, 9, -1, -1, 0, 1, 2, -1, -1, 3, 4, 5, -1, -1}));
  EXPECT_THROW(cp::pad(matrix(), {{1, 0}, {0, 2}, {1, 1}}), cp::ValueError);
  EXPECT_THROW(cp::pad(matrix(), -1), cp::ValueError);
  EXPECT_EQ(thrown<cp::ValueError>([] { cp::pad(matrix(), 1, {.mode = "nothing"}); }),
            "cuprum.pad: mode 'nothing' is not supported");
  EXPECT_THROW(cp::pad(cp::zeros({0}), 1, {.mode = "edge"}), cp::ValueError);
}

TEST(Editing, DeleteTakesIndicesSlicesAndMasks) {
  const cp::array a = cp::arange(10, 16);
  EXPECT_EQ(longs(cp::delete_(a, -1)), (Longs{10, 11, 12, 13, 14}));
  EXPECT_EQ(longs(cp::delete_(a, cp::slice({}, {}, 2))), (Longs{11, 13, 15}));
  EXPECT_EQ(longs(cp::delete_(a, cp::slice(4, {}, -3))), (Longs{10, 12, 13, 15}));
  EXPECT_EQ(longs(cp::delete_(a, cp::array{1, 1, -1})), (Longs{10, 12, 13, 14}));
  EXPECT_EQ(longs(cp::delete_(a, a > 12)), (Longs{10, 11, 12}));
  EXPECT_EQ(longs(cp::delete_(matrix(), 1, 1)), (Longs{0, 2, 3, 5}));
  EXPECT_EQ(thrown<cp::IndexError>([&] { cp::delete_(a, 9); }),
            "cuprum.delete: index 9 is out of bounds for axis 0 with size 6");
  EXPECT_THROW(cp::delete_(a, cp::newaxis), cp::IndexError);
}

TEST(Editing, Insert) {
  const cp::array a = cp::arange(4);
  EXPECT_EQ(longs(cp::insert(a, 1, 9)), (Longs{0, 9, 1, 2, 3}));
  EXPECT_EQ(longs(cp::insert(a, cp::array{3, 1}, cp::array{7, 8})), (Longs{0, 8, 1, 2, 7, 3}));
  EXPECT_EQ(longs(cp::insert(a, cp::slice(1, 3), -1)), (Longs{0, -1, 1, -1, 2, 3}));
  EXPECT_EQ(longs(cp::insert(matrix(), 1, cp::array{7, 8}, 1)), (Longs{0, 7, 1, 2, 3, 8, 4, 5}));
  EXPECT_THROW(cp::insert(a, 5, 9), cp::IndexError);
}

TEST(Editing, TrimZeros) {
  const cp::array a{0, 0, 1, 0, 2, 0};
  EXPECT_EQ(longs(cp::trim_zeros(a)), (Longs{1, 0, 2}));
  EXPECT_EQ(longs(cp::trim_zeros(a, "b")), (Longs{0, 0, 1, 0, 2}));
  EXPECT_EQ(cp::trim_zeros(cp::zeros({3})).size(), 0);
  const cp::array m = cp::pad(cp::ones({2, 2}), {{1, 2}, {0, 3}});
  EXPECT_EQ(cp::trim_zeros(m).shape(), (cp::shape_type{2, 2}));
  EXPECT_EQ(cp::trim_zeros(m, "fb", 0).shape(), (cp::shape_type{2, 5}));
  cp::trim_zeros(m)(0, 0) = 5.0;  // a view
  EXPECT_EQ(m(1, 0).item<double>(), 5.0);
}

TEST(Editing, Block) {
  const cp::array a = cp::eye(2), b = cp::zeros({2, 1});
  EXPECT_EQ(doubles(cp::block({{a, b}, {cp::transpose(b), 5.0}})), (Doubles{1, 0, 0, 0, 1, 0, 0, 0, 5}));
  EXPECT_EQ(longs(cp::block({cp::arange(2), 7})), (Longs{0, 1, 7}));
  EXPECT_EQ(thrown<cp::ValueError>([&] {
              cp::block({{a, b}, a});
            }),
            "cuprum.block: List depths are mismatched. First element was at depth 2, but there is an element "
            "at depth 1 (arrays[1])");
  EXPECT_THROW(cp::block({{a, b}, {a}}), cp::ValueError);
}

TEST(Editing, Diagonals) {
  EXPECT_EQ(longs(cp::diagflat(cp::array{{1, 2}})), (Longs{1, 0, 0, 2}));
  EXPECT_EQ(longs(cp::diag(cp::array{1, 2}, -1)), (Longs{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  const cp::array tall = cp::zeros({5, 2}, cp::dtype::int64);
  cp::fill_diagonal(tall, cp::array{1, 2, 3}, true);
  EXPECT_EQ(longs(tall), (Longs{1, 0, 0, 2, 0, 0, 3, 0, 0, 1}));
  cp::fill_diagonal(tall, 9);
  EXPECT_EQ(longs(tall), (Longs{9, 0, 0, 9, 0, 0, 3, 0, 0, 1}));
  EXPECT_THROW(cp::fill_diagonal(cp::zeros({3}), 1), cp::ValueError);
  EXPECT_EQ(longs(cp::vander(cp::array{2, 3}, 3)), (Longs{4, 2, 1, 9, 3, 1}));
  EXPECT_EQ(longs(cp::vander(cp::array{2, 3}, 3, true)), (Longs{1, 2, 4, 1, 3, 9}));
}

TEST(Joining, PartsAndStacks) {
  const cp::array m = cp::arange(24).reshape({2, 3, 4});
  EXPECT_EQ(cp::hsplit(m, 3).size(), 3u);
  EXPECT_EQ(cp::vsplit(m, 2)[1].shape(), (cp::shape_type{1, 3, 4}));
  EXPECT_EQ(cp::dsplit(m, {1, 3})[1].shape(), (cp::shape_type{2, 3, 2}));
  EXPECT_EQ(cp::split(m, 2, 2)[0].shape(), (cp::shape_type{2, 3, 2}));
  EXPECT_THROW(cp::hsplit(m, 2), cp::ValueError);
  EXPECT_THROW(cp::dsplit(matrix(), 1), cp::ValueError);
  EXPECT_EQ(longs(cp::unstack(matrix(), 1)[2]), (Longs{2, 5}));
  EXPECT_EQ(cp::rollaxis(m, 2).shape(), (cp::shape_type{4, 2, 3}));
  EXPECT_THROW(cp::rollaxis(m, 2, 5), cp::AxisError);
  EXPECT_EQ(longs(cp::row_stack({cp::array{1, 2}, cp::array{3, 4}})), (Longs{1, 2, 3, 4}));
}

// -- Positions ------------------------------------------------------------------------------------------

TEST(Positions, DiagonalsAndTriangles) {
  EXPECT_EQ(longs(cp::diag_indices(3)[1]), (Longs{0, 1, 2}));
  EXPECT_EQ(cp::diag_indices_from(cp::zeros({2, 2, 2})).size(), 3u);
  EXPECT_THROW(cp::diag_indices_from(matrix()), cp::ValueError);
  EXPECT_EQ(longs(cp::tril_indices(3, -1)[0]), (Longs{1, 2, 2}));
  EXPECT_EQ(longs(cp::triu_indices(2, 1, 3)[1]), (Longs{1, 2, 2}));
  EXPECT_EQ(longs(cp::triu_indices_from(matrix())[0]), (Longs{0, 0, 0, 1, 1}));
  EXPECT_EQ(longs(cp::tril_indices_from(matrix())[1]), (Longs{0, 0, 1}));
  EXPECT_THROW(cp::tril_indices_from(cp::arange(3)), cp::ValueError);
  const auto upper = [](const cp::array& a, std::int64_t k) { return cp::triu(a, k); };
  EXPECT_EQ(longs(cp::mask_indices(2, upper)[1]), (Longs{0, 1, 1}));
}

TEST(Positions, Grids) {
  EXPECT_EQ(longs(cp::indices({2, 2})), (Longs{0, 0, 1, 1, 0, 1, 0, 1}));
  EXPECT_EQ(cp::sparse_indices({2, 3})[1].shape(), (cp::shape_type{1, 3}));
  EXPECT_THROW(cp::indices({-1}), cp::ValueError);
  const auto cross = cp::ix_({cp::array{0, 1}, cp::array{false, true, true}});
  EXPECT_EQ(longs(matrix()(cross[0], cross[1])), (Longs{1, 2, 4, 5}));
  const cp::array f =
      cp::fromfunction([](const cp::array& i, const cp::array& j) { return i + 10 * j; }, {2, 2});
  EXPECT_EQ(doubles(f), (Doubles{0, 10, 1, 11}));
}

TEST(Positions, CoordinatesAndNumbers) {
  EXPECT_EQ(longs(cp::ravel_multi_index({cp::array{0, 1}, cp::array{2, 0}}, {2, 3})), (Longs{2, 3}));
  EXPECT_EQ(longs(cp::ravel_multi_index({cp::array{0, 1}, cp::array{2, 0}}, {2, 3}, "raise", 'F')),
            (Longs{4, 1}));
  EXPECT_EQ(longs(cp::ravel_multi_index({cp::array{5}, cp::array{-1}}, {2, 3}, "wrap")), (Longs{5}));
  EXPECT_EQ(longs(cp::ravel_multi_index({cp::array{5}, cp::array{-1}}, {2, 3}, "clip")), (Longs{3}));
  EXPECT_EQ(thrown<cp::ValueError>([] {
              cp::ravel_multi_index({cp::array{5}, cp::array{0}}, {2, 3});
            }),
            "cuprum.ravel_multi_index: invalid entry in coordinates array");
  const auto places = cp::unravel_index(cp::array{2, 3}, {2, 3});
  EXPECT_EQ(longs(places[0]), (Longs{0, 1}));
  EXPECT_EQ(longs(places[1]), (Longs{2, 0}));
  EXPECT_EQ(thrown<cp::ValueError>([] {
              cp::unravel_index(cp::array{1, 6}, {2, 3});
            }),
            "cuprum.unravel_index: index 6 is out of bounds for array with size 6");
  EXPECT_THROW(cp::unravel_index(cp::array{1.5}, {2}), cp::TypeError);
}

TEST(Positions, SelectAndPiecewise) {
  const cp::array x = cp::arange(6);
  EXPECT_EQ(longs(cp::select({x<2, x> 3}, {x, x * 10}, -1)), (Longs{0, 1, -1, -1, 40, 50}));
  EXPECT_EQ(cp::select({x < 2}, {0.5}).type(), cp::dtype::float64);
  EXPECT_THROW(cp::select({x}, {1}), cp::TypeError);
  const auto minus = [](const cp::array& v) { return -v; };
  EXPECT_EQ(longs(cp::piecewise(x - 2, {x<2, x> 2}, {minus, 10})), (Longs{2, 1, 0, 10, 10, 10}));
  EXPECT_EQ(longs(cp::piecewise(x, {x < 2}, {7, 8})), (Longs{7, 7, 8, 8, 8, 8}));
  EXPECT_THROW(cp::piecewise(x, {x < 2}, {7, 8, 9}), cp::ValueError);
}

// -- Sets -----------------------------------------------------------------------------------------------

TEST(Sets, OfTwoArrays) {
  const cp::array a{3, 1, 2, 1}, b{2, 3, 4};
  EXPECT_EQ(longs(cp::union1d(a, b)), (Longs{1, 2, 3, 4}));
  EXPECT_EQ(longs(cp::intersect1d(a, b)), (Longs{2, 3}));
  EXPECT_EQ(longs(cp::setxor1d(a, b)), (Longs{1, 4}));
  EXPECT_EQ(longs(cp::setdiff1d(a, b)), (Longs{1}));
  EXPECT_EQ(longs(cp::setdiff1d(a, b, true)), (Longs{1, 1}));
  const auto [values, in_a, in_b] = cp::intersect1d_indices(a, b);
  EXPECT_EQ(longs(in_a), (Longs{2, 0}));
  EXPECT_EQ(longs(in_b), (Longs{0, 1}));
}

TEST(Sets, MembersOfOtherDtypes) {
  const cp::array half{0.5, 1.0};
  EXPECT_EQ(cp::isin(cp::arange(3), half).astype(cp::dtype::int64).to_host<std::int64_t>(), (Longs{0, 1, 0}));
  const cp::array large = cp::array{std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1};  // one double
  EXPECT_EQ(cp::count_nonzero(cp::isin(large, cp::array{-1, 1})).item<int>(), 0);
  EXPECT_EQ(cp::count_nonzero(cp::isin(cp::array{-1, 1}, large, true)).item<int>(), 2);
}

TEST(Sets, Unique) {
  const cp::array m{{2, 1}, {1, 3}, {2, 1}};
  EXPECT_EQ(longs(cp::unique_values(m)), (Longs{1, 2, 3}));
  EXPECT_EQ(longs(cp::unique_counts(m).counts), (Longs{3, 2, 1}));
  EXPECT_EQ(longs(cp::unique_inverse(m).inverse_indices), (Longs{1, 0, 0, 2, 1, 0}));
  EXPECT_EQ(longs(cp::unique_all(m).indices), (Longs{1, 0, 3}));
  const auto [rows, index, inverse, counts] =
      cp::unique(m, {.return_index = true, .return_inverse = true, .return_counts = true, .axis = 0});
  EXPECT_EQ(longs(rows), (Longs{1, 3, 2, 1}));
  EXPECT_EQ(longs(*index), (Longs{1, 0}));
  EXPECT_EQ(longs(*inverse), (Longs{1, 0, 1}));
  EXPECT_EQ(longs(*counts), (Longs{1, 2}));
}

// -- Products -------------------------------------------------------------------------------------------

TEST(Products, OfStacks) {
  const cp::array m{{1, 2}, {3, 4}}, v{1, 10};
  EXPECT_EQ(longs(cp::vecdot(m, v)), (Longs{21, 43}));
  EXPECT_EQ(longs(cp::matvec(m, v)), (Longs{21, 43}));
  EXPECT_EQ(longs(cp::vecmat(v, m)), (Longs{31, 42}));
  EXPECT_EQ(longs(cp::kron(v, cp::array{1, 2})), (Longs{1, 2, 10, 20}));
  EXPECT_EQ(cp::vdot(m, m).item<int>(), 30);
  const cp::array z{std::complex<double>(0, 1), std::complex<double>(2, 0)};
  EXPECT_EQ(cp::vecdot(z, z).item<std::complex<double>>(), 5.0);
  EXPECT_EQ(thrown<cp::ValueError>([&] { cp::matvec(m, cp::arange(3)); }),
            "cuprum.matvec: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            "(m,n),(n)->(m) (size 3 is different from 2)");
  EXPECT_THROW(cp::vecmat(cp::array(1), m), cp::ValueError);
}

TEST(Products, Cross) {
  const cp::array a{1, 2, 3}, b{4, 5, 6};
  EXPECT_EQ(longs(cp::cross(a, b)), (Longs{-3, 6, -3}));
  EXPECT_EQ(cp::cross(cp::array{1, 2}, cp::array{3, 4}).item<int>(), -2);
  const cp::array columns = cp::stack({a, b}, 1);
  EXPECT_EQ(cp::cross(columns, columns, {.axis = 0}).shape(), (cp::shape_type{3, 2}));
  EXPECT_THROW(cp::cross(a, cp::arange(4)), cp::ValueError);
}
