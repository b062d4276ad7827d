// How arrays are written in a C++ program: braced lists, elements as operands, iteration, printing, shared memory, files.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <sstream>

#include "temporary_folder.h"

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;

TEST(ApiArrays, BracedListsAreNested) {
  const cp::array m{{1.0, 2.0}, {3.0, 4.0}};
  EXPECT_EQ(m.shape(), (cp::shape_type{2, 2}));
  EXPECT_EQ(m.to_host<double>(), (Doubles{1, 2, 3, 4}));
  const cp::array i{1, 2, 3};
  EXPECT_EQ(i.type(), cp::dtype::int64);
  EXPECT_EQ((cp::array{1.0f, 2.0f}.type()), cp::dtype::float32);
  EXPECT_EQ((cp::array{{{1, 2}}, {{3, 4}}, {{5, 6}}}.shape()), (cp::shape_type{3, 1, 2}));
  EXPECT_EQ((cp::array{true, false}.type()), cp::dtype::bool_);
  EXPECT_EQ((cp::array({1, 2}, cp::dtype::float32).to_host<float>()), (std::vector<float>{1, 2}));
  EXPECT_EQ((cp::array{{7}}.shape()), (cp::shape_type{1, 1}));
  EXPECT_EQ(cp::array(7).shape(), cp::shape_type{});
  EXPECT_THROW((cp::array{{1.0, 2.0}, {3.0}}), cp::ValueError);
}

TEST(ApiArrays, SpansAndVectorsAreCopied) {
  std::vector<float> values{1, 2, 3};
  const cp::array a(values), b{std::span<const float>(values)};
  values[0] = 9;
  EXPECT_EQ(a.to_host<float>(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(b.to_host<float>(), (std::vector<float>{1, 2, 3}));
}

TEST(ApiArrays, SpansOfAnyKindAreCopied) {
  double values[] = {1, 2, 3, 4};
  EXPECT_EQ(cp::array(std::span<double>(values)).to_host<double>(), (Doubles{1, 2, 3, 4}));
  EXPECT_EQ(cp::array(std::span(values)).to_host<double>(), (Doubles{1, 2, 3, 4}));  // of fixed extent
  EXPECT_EQ(cp::array(std::array{1.0f, 2.0f}).to_host<float>(), (std::vector<float>{1, 2}));
}

/// What std::mdspan has, with strides of any kind.
struct Grid {
  using element_type = double;
  using index_type = int;
  static constexpr std::size_t rank() { return 2; }
  Grid(double* data, const std::array<int, 2>& extents) : Grid(data, extents, {extents[1], 1}) {}
  Grid(double* data, const std::array<int, 2>& extents, const std::array<int, 2>& strides)
      : data(data), extents(extents), strides(strides) {}
  double* data_handle() const { return data; }
  int extent(std::size_t i) const { return extents[i]; }
  int stride(std::size_t i) const { return strides[i]; }
  double* data;
  std::array<int, 2> extents, strides;
};
struct ColumnGrid : Grid {  // layout_left
  ColumnGrid(double* data, const std::array<int, 2>& extents) : Grid(data, extents, {1, extents[0]}) {}
};

TEST(ApiArrays, MultidimensionalSpansAreCopied) {
  double values[] = {1, 2, 3, 4, 5, 6};
  EXPECT_EQ(cp::array(Grid(values, {2, 3})).shape(), (cp::shape_type{2, 3}));
  EXPECT_EQ(cp::array(Grid(values, {2, 3})).to_host<double>(), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(cp::array(ColumnGrid(values, {2, 3})).to_host<double>(), (Doubles{1, 3, 5, 2, 4, 6}));
  EXPECT_EQ(cp::array(Grid(values, {3, 1}, {2, 1})).to_host<double>(), (Doubles{1, 3, 5}));
  EXPECT_EQ(cp::array(Grid(values, {0, 3}, {2, 1})).size(), 0);
}

TEST(ApiArrays, MultidimensionalSpansShareTheElements) {
  const cp::device_scope host("cpu");
  const cp::array a = cp::zeros({2, 3});
  const Grid grid = cp::host_mdspan<Grid>(a);
  EXPECT_EQ(grid.extent(1), 3);
  grid.data_handle()[grid.stride(0)] = 7;
  EXPECT_EQ(a(1, 0).item<double>(), 7);
  EXPECT_THROW(cp::host_mdspan<ColumnGrid>(a), cp::ValueError);
  EXPECT_THROW(cp::host_mdspan<Grid>(a(0)), cp::ValueError);
  EXPECT_THROW(cp::host_mdspan<Grid>(a.transpose()), cp::ValueError);
  EXPECT_THROW(cp::host_mdspan<Grid>(a.astype(cp::dtype::float32)), cp::TypeError);
}

TEST(ApiArrays, ValuesConvertAsInPython) {
  const cp::array a = cp::arange(6.0).reshape({2, 3});
  EXPECT_EQ(double(a(1, 2)), 5);
  EXPECT_EQ(static_cast<int>(cp::max(a)), 5);
  EXPECT_TRUE(cp::any(a > 4.0));
  EXPECT_FALSE(bool(cp::all(a > 4.0)));
  EXPECT_EQ(cp::any(a > 4.0) && cp::any(a < 1.0) ? 1 : 0, 1);
  EXPECT_THROW(static_cast<bool>(a), cp::ValueError);
  EXPECT_THROW(static_cast<bool>(cp::zeros({0})), cp::ValueError);
  static_assert(!std::is_convertible_v<cp::array, double> && !std::is_convertible_v<cp::array, bool>);
}

TEST(ApiArrays, NumbersAreTakenWhereArraysAre) {
  const cp::array a({1, 2, 3}, cp::dtype::float32);
  cp::putmask(a, a > 1.5f, 0.5);
  EXPECT_EQ(a.to_host<float>(), (std::vector<float>{1, 0.5, 0.5}));
  cp::put(a, cp::array{0}, 7);
  cp::place(a, a < 1.0f, -1);
  EXPECT_EQ(a.to_host<float>(), (std::vector<float>{7, -1, -1}));
  EXPECT_EQ(cp::full({2}, 1u << 31).to_host<std::int64_t>(), (Longs{1L << 31, 1L << 31}));
  EXPECT_EQ(cp::full({1}, true).type(), cp::dtype::bool_);
  EXPECT_EQ(cp::full_like(a, cp::array{1, 2, 3}).to_host<float>(), (std::vector<float>{1, 2, 3}));
  EXPECT_THROW(cp::full({2}, cp::array{1, 2, 3}), cp::ValueError);
}

TEST(ApiArrays, TruthIsElementByElement) {
  const cp::array a = cp::arange(4.0);
  EXPECT_EQ(cp::sum(a > 0.5 && a < 2.5).item<int>(), 2);
  EXPECT_EQ(cp::sum(a < 0.5 || a > 2.5).item<int>(), 2);
  EXPECT_EQ(cp::sum(!a).item<int>(), 1);
  EXPECT_TRUE(cp::array_equal(a, a) && cp::any(a > 2.0));  // of bool and a value: C++'s own
}

TEST(ApiArrays, ComplexNumbersOfEitherPrecisionAreOperands) {
  const cp::array a({1, 2}, cp::dtype::float32);
  EXPECT_EQ((a * std::complex<float>(0, 1)).type(), cp::dtype::complex64);
  EXPECT_EQ((std::complex<double>(0, 1) + a).type(),
            cp::dtype::complex64);  // takes the precision of its company
  EXPECT_EQ((a * std::complex<float>(0, 1))(1).item<std::complex<float>>(), std::complex<float>(0, 2));
}

TEST(ApiArrays, ElementsAreOperands) {
  const cp::array x = cp::arange(12.0).reshape({3, 4});
  EXPECT_EQ(x(cp::slice(0, 2)).copy().shape(), (cp::shape_type{2, 4}));
  EXPECT_EQ(cp::square(x(cp::ellipsis, cp::newaxis)).shape(), (cp::shape_type{3, 4, 1}));
  const cp::slice before({}, -2), inner(1, -1), after(2, {});
  const cp::array p = cp::arange(16.0).reshape({4, 4});
  const cp::array mean = 0.25 * (p(before, inner) + p(after, inner) + p(inner, before) + p(inner, after));
  EXPECT_EQ(mean.to_host<double>(), (Doubles{5, 6, 9, 10}));
  EXPECT_EQ((x(0) + x(1) - x(2)).to_host<double>(), (Doubles{-4, -3, -2, -1}));
  EXPECT_EQ((-x(0, 1)).item<double>(), -1);
  EXPECT_EQ(cp::maximum(x(0), x[1]).to_host<double>(), (Doubles{4, 5, 6, 7}));
  EXPECT_EQ(cp::concatenate({x(0), x(1)}).size(), 8);
  EXPECT_EQ(cp::matmul(x(cp::slice(), cp::slice(0, 3)), x(0, cp::slice(0, 3))).size(), 3);
}

TEST(ApiArrays, ElementsAreWritten) {
  const cp::array x = cp::zeros({3, 3});
  x(0) = 1.0;
  x(1, 1) += 5;
  x(cp::slice(), 2) = x(cp::slice(), 0) * 2;
  EXPECT_EQ(x.to_host<double>(), (Doubles{1, 1, 2, 0, 5, 0, 0, 0, 0}));
  x(0) = x(1);  // elements, not a second name
  EXPECT_EQ(x(0, 1).item<double>(), 5);
  const auto corner = x(0, 0);
  EXPECT_EQ(corner.item<double>(), 0);
  corner = 3;
  EXPECT_EQ(corner.item<double>(), 3);  // read anew after the write
  const cp::array i{4, 6};
  i(cp::slice()) %= 4;
  i(1) <<= 3;
  i(0) |= 5;
  EXPECT_EQ(i.to_host<std::int64_t>(), (Longs{5, 16}));
}

TEST(ApiArrays, AReferenceKeepsItsIndex) {
  const cp::array x = cp::arange(4);
  const auto chosen = x(x > 1);  // the mask is a temporary
  chosen = 0;
  EXPECT_EQ(x.to_host<std::int64_t>(), (Longs{0, 1, 0, 0}));
  const auto again = chosen;
  again = 7;
  EXPECT_EQ(x.to_host<std::int64_t>(), (Longs{0, 1, 7, 7}));
}

TEST(ApiArrays, RowsAreIterated) {
  double sum = 0;
  for (const cp::array row : cp::array{{1.0, 2.0}, {3.0, 4.0}}) sum += row(1).item<double>();
  EXPECT_EQ(sum, 6);
  const cp::array m = cp::zeros({2, 2});
  for (const cp::array row : m) row += 1;  // rows are views
  EXPECT_EQ(m.to_host<double>(), Doubles(4, 1.0));
  EXPECT_THROW(cp::array(1.0).begin(), cp::TypeError);
}

TEST(ApiArrays, AMovedFromArraySaysSo) {
  cp::array a = cp::ones({2});
  const cp::array b = std::move(a);
  EXPECT_THROW(a.shape(), cp::ValueError);
  a = b;
  EXPECT_EQ(a.size(), 2);
}

namespace {

std::string text(const cp::array& a) {
  std::ostringstream stream;
  stream << a;
  return stream.str();
}

}  // namespace

// The texts are NumPy's.
TEST(ApiArrays, PrintsAsNumPy) {
  EXPECT_EQ(text(cp::array{1.0, 2.5, -3.0}), "[ 1.   2.5 -3. ]");
  EXPECT_EQ(text(cp::array{{1, 20}, {300, -4}}), "[[  1  20]\n [300  -4]]");
  EXPECT_EQ(text(cp::array{true, false}), "[ True False]");
  EXPECT_EQ(text(cp::array{1e10, 1.0}), "[1.e+10 1.e+00]");
  EXPECT_EQ(text(cp::array{1.0 / 3, double{NAN}, double{INFINITY}}), "[0.33333333        nan        inf]");
  EXPECT_EQ(text(cp::array{1e-5, -2.25}), "[ 1.00e-05 -2.25e+00]");
  EXPECT_EQ(text(cp::array{1.0f / 3, 2.0f}), "[0.33333334 2.        ]");
  EXPECT_EQ(text(cp::array{std::complex<double>(1, -2), std::complex<double>(0.5, 3)}), "[1. -2.j 0.5+3.j]");
  EXPECT_EQ(text(cp::arange(2000)), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(text(cp::arange(8).reshape({2, 2, 2})), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
  EXPECT_EQ(text(cp::array(2.0)), "2.0");
  EXPECT_EQ(text(cp::array(1.0 / 3)), "0.3333333333333333");
  EXPECT_EQ(text(cp::zeros({0})), "[]");
  EXPECT_EQ(text(cp::arange(30) * 1001),
            "[    0  1001  2002  3003  4004  5005  6006  7007  8008  9009 10010 11011\n"
            " 12012 13013 14014 15015 16016 17017 18018 19019 20020 21021 22022 23023\n"
            " 24024 25025 26026 27027 28028 29029]");
  EXPECT_EQ(cp::array_repr(cp::array{1.0, 2.0}), "array([1., 2.])");
  EXPECT_EQ(cp::array_repr(cp::array{1.0f}), "array([1.], dtype=float32)");
  EXPECT_EQ(cp::array_repr(cp::array{{1, 2}, {3, 4}}), "array([[1, 2],\n       [3, 4]])");
}

TEST(ApiArrays, MemoryOfTheProgramIsShared) {
  std::vector<double> values{1, 2, 3, 4};
  bool released = false;
  {
    const cp::array a = cp::from_memory(values.data(), {2, 2}, [&] { released = true; });
    a += 1;
    cp::synchronize();
    EXPECT_EQ(values, (Doubles{2, 3, 4, 5}));
    values[3] = 50;
    EXPECT_EQ(cp::sum(a).item<double>(), 59);
    const cp::array row = a(1);
    EXPECT_EQ(cp::data_pointer(row), values.data() + 2);
  }
  EXPECT_TRUE(released);
  EXPECT_THROW(cp::from_memory<double>(nullptr, {2}), cp::ValueError);
  EXPECT_THROW(cp::from_memory(values.data(), {-1}), cp::ValueError);
  auto* odd = reinterpret_cast<double*>(reinterpret_cast<char*>(values.data()) + 1);
  EXPECT_THROW(cp::from_memory(odd, {2}), cp::ValueError);
}

TEST(ApiArrays, SpansReachElements) {
  const cp::array a = cp::arange(6.0) * 2;
  const std::span<double> span = cp::host_span<double>(a);
  EXPECT_EQ(span[3], 6);
  span[0] = 100;
  EXPECT_EQ(a(0).item<double>(), 100);
  EXPECT_THROW(cp::host_span<float>(a), cp::TypeError);
  EXPECT_THROW(cp::host_span<double>(a(cp::slice({}, {}, 2))), cp::ValueError);
}

TEST(ApiArrays, DlpackRoundTrip) {
  const cp::array a = cp::arange(6).reshape({2, 3});
  const cp::array b = cp::from_dlpack(cp::to_dlpack(a(cp::slice(), cp::slice({}, {}, -1))));
  EXPECT_EQ(b.to_host<std::int64_t>(), (Longs{2, 1, 0, 5, 4, 3}));
  b(0, 0) = 7;  // one memory
  EXPECT_EQ(a(0, 2).item<int>(), 7);
  EXPECT_THROW(cp::from_dlpack(nullptr), cp::ValueError);
}

TEST(ApiArrays, FilesOfNumPy) {
  const cp::testing_support::TemporaryFolder folder;
  const std::string path = folder / "array.npy", npz = folder / "arrays.npz";
  const cp::array m = cp::arange(6.0f).astype(cp::dtype::float32).reshape({2, 3});
  cp::save(path, cp::transpose(m));
  EXPECT_EQ(cp::load(path).shape(), (cp::shape_type{3, 2}));
  EXPECT_EQ(cp::load(path).to_host<float>(), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  cp::save(path, cp::array(2.5));
  EXPECT_EQ(cp::load(path).item<double>(), 2.5);
  cp::savez(npz, {{"m", m}, {"mask", m > 2}, {"a name of more than eight bytes", m}});
  const auto arrays = cp::load_npz(npz);
  EXPECT_EQ(arrays.at("m").shape(), (cp::shape_type{2, 3}));
  EXPECT_TRUE(arrays.contains("a name of more than eight bytes"));
  EXPECT_EQ(cp::count_nonzero(arrays.at("mask")).item<int>(), 3);
  EXPECT_THROW(cp::load(npz), cp::ValueError);
  EXPECT_THROW(cp::load(path + ".none"), cp::Error);
  EXPECT_THROW(cp::save(path, m.astype(cp::dtype::bfloat16)), cp::TypeError);
}

TEST(ApiArrays, OptionsAreGivenByName) {
  const cp::array m = cp::arange(6.0).reshape({2, 3});
  EXPECT_EQ(cp::sum(m, {.axis = 1, .keepdims = true}).shape(), (cp::shape_type{2, 1}));
  EXPECT_EQ(cp::sum(m, {.axis = 1}).to_host<double>(), (Doubles{3, 12}));
  EXPECT_EQ(cp::sum(m, {.axis = {0, 1}}).item<double>(), 15);
  EXPECT_EQ(cp::sum(m, {.keepdims = true}).shape(), (cp::shape_type{1, 1}));
  EXPECT_EQ(cp::std(m, {.axis = 1}).shape(), (cp::shape_type{2}));
  EXPECT_EQ(cp::amax(m, {.axis = 0}).to_host<double>(), (Doubles{3, 4, 5}));
  EXPECT_EQ(cp::median(m, {.axis = 1}).to_host<double>(), (Doubles{1, 4}));
  EXPECT_EQ(cp::sum(m, {}).item<double>(), 15);
  EXPECT_EQ(cp::sum(m, 0).to_host<double>(), (Doubles{3, 5, 7}));
  EXPECT_EQ(cp::sum(m, {1}).to_host<double>(), (Doubles{3, 12}));
  EXPECT_EQ(cp::sum(m, {0, 1}).item<double>(), 15);  // axes, not options
  EXPECT_EQ(cp::sum(m, {.initial = 100.0}).item<double>(), 115);
  EXPECT_EQ(cp::sum(m, {.axis = {0, -1}, .where = m > 1}).item<double>(), 14);
  EXPECT_EQ(cp::sum(m, {.dtype = cp::dtype::float32}).type(), cp::dtype::float32);
  const cp::array out = cp::zeros({3});
  cp::max(m, {.axis = 0, .out = out});
  EXPECT_EQ(out.to_host<double>(), (Doubles{3, 4, 5}));
  EXPECT_EQ(cp::var(m, {.axis = 1, .ddof = 1}).to_host<double>(), (Doubles{1, 1}));
  EXPECT_EQ(cp::argmax(m, {.axis = 1, .keepdims = true}).shape(), (cp::shape_type{2, 1}));
  EXPECT_EQ(cp::cumsum(m, {.axis = 0}).to_host<double>().back(), 7);
  const auto [values, index, inverse, counts] = cp::unique(cp::array{3, 1, 3}, {.return_inverse = true});
  EXPECT_EQ(values.to_host<std::int64_t>(), (Longs{1, 3}));
  EXPECT_EQ(inverse->to_host<std::int64_t>(), (Longs{1, 0, 1}));
  EXPECT_FALSE(counts.has_value());
}

TEST(ApiArrays, ExpressionsOverWhatTheyWrite) {
  const cp::array a = cp::arange(8.0);
  const cp::slice inner(1, -1), before({}, -2), after(2, {});
  a(inner) = 0.5 * (a(before) + a(after)) + a(inner);
  EXPECT_EQ(a.to_host<double>(), (Doubles{0, 2, 4, 6, 8, 10, 12, 7}));
  // A value with a name keeps what it was, whatever becomes of the elements.
  const cp::array sum = a(before) + a(after);
  a(inner) = sum;
  a(inner) = 2.0 * sum - a(inner);
  a += 1.0;
  EXPECT_EQ(sum.to_host<double>(), (Doubles{4, 8, 12, 16, 20, 17}));
  EXPECT_EQ(a.to_host<double>(), (Doubles{1, 5, 9, 13, 17, 21, 18, 8}));
}

TEST(ApiArrays, OperandsThatGoWithTheStatementNeedNoMemory) {
  const cp::array x = cp::arange(4.0);
  cp::array y = x + 1.0;
  const cp::array z = std::move(y) * 2.0 - -(x + x) % (3.0 + x);
  EXPECT_EQ(z.to_host<double>(), ((x + 1.0) * 2.0 - cp::remainder(-2.0 * x, x + 3.0)).to_host<double>());
  EXPECT_THROW(y.to_host<double>(), cp::ValueError);  // it was moved from
  y = x;
  EXPECT_TRUE(cp::all(x < x + 1.0).item<bool>());
}
