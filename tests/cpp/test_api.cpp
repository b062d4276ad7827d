// The public C++ API, used as a program outside would use it: only <cuprum/cuprum.h>.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;

namespace {

cp::array doubles(const Doubles& values) { return cp::array::from_host(values); }

}  // namespace

TEST(Api, HostToArrayAndBack) {
  const std::vector<float> values{1.5f, 2.5f, -3};
  const cp::array a = cp::array::from_host(values);
  EXPECT_EQ(a.type(), cp::dtype::float32);
  EXPECT_EQ(a.shape(), cp::shape_type{3});
  EXPECT_EQ(a.to_host<float>(), values);
  EXPECT_THROW(a.to_host<double>(), cp::TypeError);
  EXPECT_EQ(cp::array(7).item<double>(), 7.0);
  EXPECT_THROW(a.item<float>(), cp::ValueError);
}

TEST(Api, ArithmeticIsRecordedAndFused) {
  const cp::array x = cp::linspace(0.0, 1.0, 1000);
  const cp::array y = cp::exp(cp::sin(x) * cp::cos(x)) + 1.0;
  EXPECT_TRUE(y.is_pending());
  EXPECT_NE(cp::show_graph(y).find("1 kernel"), std::string::npos) << cp::show_graph(y);
  const Doubles host = y.to_host<double>();
  EXPECT_FALSE(y.is_pending());
  for (int i = 0; i < 1000; ++i) {
    const double v = i / 999.0;
    EXPECT_NEAR(host[i], std::exp(std::sin(v) * std::cos(v)) + 1, 1e-14);
  }
}

TEST(Api, NumbersTakeTheDtypeOfTheirCompany) {
  const cp::array f = cp::ones({2}, cp::dtype::float32);
  EXPECT_EQ((f * 2.0).type(), cp::dtype::float32);
  EXPECT_EQ((2 * f).type(), cp::dtype::float32);
  EXPECT_EQ((cp::arange(3) * 2).type(), cp::dtype::int64);
  EXPECT_EQ((cp::arange(3) * 0.5).type(), cp::dtype::float64);
  EXPECT_EQ((cp::arange(3) / 2).to_host<double>(), (Doubles{0, 0.5, 1}));
  EXPECT_EQ((f * std::complex<double>(0, 1)).type(), cp::dtype::complex64);
}

TEST(Api, ComparisonsAndWhere) {
  const cp::array a = doubles({1, 5, 3});
  EXPECT_EQ((a > 2).type(), cp::dtype::bool_);
  EXPECT_EQ(cp::where(a > 2, a, -a).to_host<double>(), (Doubles{-1, 5, 3}));
  EXPECT_EQ(cp::count_nonzero(a == 5).item<int>(), 1);
}

TEST(Api, SlicesAreViews) {
  const cp::array a = cp::arange(10);
  const cp::array b = a.at(cp::slice({}, {}, 2));
  b += 100;
  EXPECT_EQ(a.to_host<std::int64_t>(), (Longs{100, 1, 102, 3, 104, 5, 106, 7, 108, 9}));
  a.at(cp::slice(1, {})) += cp::array(a.at(cp::slice({}, -1)));
  EXPECT_EQ(a.at(1).get().item<int>(), 101);
  a.at(0) = 7;
  EXPECT_EQ(a.at(cp::slice({}, {}, -1)).get().to_host<std::int64_t>().back(), 7);
}

TEST(Api, IndexingWithArraysMasksAndNewAxes) {
  const cp::array m = cp::arange(6).reshape({2, 3});
  EXPECT_EQ(m.at(1, 2).get().item<int>(), 5);
  EXPECT_EQ(m.at(cp::ellipsis, 0).get().to_host<std::int64_t>(), (Longs{0, 3}));
  EXPECT_EQ(m.at(cp::newaxis).get().shape(), (cp::shape_type{1, 2, 3}));
  EXPECT_EQ(m.at(m > 2).get().to_host<std::int64_t>(), (Longs{3, 4, 5}));
  m.at(m > 2) = 0;
  EXPECT_EQ(cp::sum(m).item<int>(), 3);
  EXPECT_EQ(m.at(cp::arange(2), cp::arange(2)).get().to_host<std::int64_t>(), (Longs{0, 0}));
  EXPECT_THROW(m.at(2).get(), cp::IndexError);
}

TEST(Api, ReductionsOverAxes) {
  const cp::array m = cp::arange(6.0).reshape({2, 3});
  EXPECT_EQ(cp::sum(m).item<double>(), 15);
  EXPECT_EQ(cp::mean(m, {0}).to_host<double>(), (Doubles{1.5, 2.5, 3.5}));
  EXPECT_EQ(cp::max(m, {-1}, true).shape(), (cp::shape_type{2, 1}));
  EXPECT_EQ(cp::argmax(m, 1).to_host<std::int64_t>(), (Longs{2, 2}));
  EXPECT_NEAR(cp::std(m).item<double>(), std::sqrt(35.0 / 12), 1e-15);
  EXPECT_THROW(cp::sum(m, {2}), cp::AxisError);
}

TEST(Api, InPlaceWritesKeepWhatWasRecordedBefore) {
  const cp::array a = doubles({1, 2, 3});
  const cp::array b = a * 10;
  a += 1;
  a *= a;
  EXPECT_EQ(a.to_host<double>(), (Doubles{4, 9, 16}));
  EXPECT_EQ(b.to_host<double>(), (Doubles{10, 20, 30}));
}

TEST(Api, ManipulationSortingProducts) {
  const cp::array a = doubles({3, 1, 2});
  EXPECT_EQ(cp::sort(a).to_host<double>(), (Doubles{1, 2, 3}));
  EXPECT_EQ(cp::argsort(a).to_host<std::int64_t>(), (Longs{1, 2, 0}));
  EXPECT_EQ(cp::cumsum(a, 0).to_host<double>(), (Doubles{3, 4, 6}));
  const cp::array order = cp::argsort(a);
  EXPECT_EQ(cp::bincount(order, 4).to_host<std::int64_t>(), (Longs{1, 1, 1, 0}));
  EXPECT_EQ(cp::bincount(order, a).to_host<double>(), (Doubles{2, 3, 1}));
  EXPECT_EQ(cp::interp(doubles({0, 1.5, 9}), cp::sort(a), a).to_host<double>(), (Doubles{3, 2, 2}));
  EXPECT_EQ(cp::concatenate({a, a.at(cp::slice(0, 1))}).to_host<double>(), (Doubles{3, 1, 2, 3}));
  EXPECT_EQ(cp::stack({a, a}).shape(), (cp::shape_type{2, 3}));
  const cp::array m = cp::arange(6.0).reshape({2, 3});
  EXPECT_EQ(cp::matmul(m, a).to_host<double>(), (Doubles{5, 23}));
  EXPECT_EQ(cp::transpose(m).to_host<double>(), (Doubles{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(cp::dot(a, a).item<double>(), 14);
}

TEST(Api, Einsum) {
  const cp::array m = cp::arange(6).reshape({2, 3}), v = cp::arange(3), w = cp::arange(2);
  EXPECT_EQ(cp::einsum("ij,j", {m, v}).to_host<std::int64_t>(), (std::vector<std::int64_t>{5, 14}));
  EXPECT_EQ(cp::einsum("i,ij,j->", {w, m, v}).item<std::int64_t>(), 14);  // three: in pairs
  EXPECT_EQ(cp::einsum("ij->ji", {m}).shape(), (cp::shape_type{3, 2}));
  EXPECT_THROW(cp::einsum("ij,k", {m}), cp::ValueError);
  EXPECT_THROW(cp::einsum("ij,jk", {m, m}), cp::ValueError);
}

TEST(Api, ErrorsNameTheFunction) {
  try {
    cp::add(cp::zeros({3}), cp::zeros({4}));
    FAIL();
  } catch (const cp::ValueError& e) {
    EXPECT_NE(std::string(e.what()).find("cuprum.add"), std::string::npos) << e.what();
  }
  EXPECT_THROW(cp::zeros({-1}), cp::ValueError);
  EXPECT_THROW(cp::zeros({std::int64_t{1} << 60}).fill(1.0), cp::Error);
}

TEST(Api, FourierTransforms) {
  const cp::array x = doubles({1, 2, 0, -1, 3, 5});
  const cp::array points = cp::fft::rfft(x);
  EXPECT_TRUE(points.is_pending());
  EXPECT_EQ(points.shape(), (cp::shape_type{4}));
  EXPECT_EQ(points.type(), cp::dtype::complex128);
  const Doubles back = cp::fft::irfft(points).to_host<double>();
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(back[i], x.to_host<double>()[i], 1e-14);
  const auto all = cp::fft::fft(x, 4, 0, cp::fft::norm::forward).to_host<std::complex<double>>();
  EXPECT_NEAR(all[0].real(), 0.5, 1e-15);
  EXPECT_EQ(cp::fft::fftn(cp::ones({2, 3}), {4, 5}).shape(), (cp::shape_type{4, 5}));
  EXPECT_EQ(cp::fft::irfft2(cp::fft::rfft2(cp::ones({4, 6}))).to_host<double>(), Doubles(24, 1.0));
  EXPECT_EQ(cp::fft::fftshift(cp::fft::fftfreq(4)).to_host<double>(), (Doubles{-0.5, -0.25, 0, 0.25}));
  EXPECT_THROW(cp::fft::fft(x, 0), cp::ValueError);
  EXPECT_THROW(cp::fft::rfft(points), cp::TypeError);
}
