// Arrays from what a program has, in the public C++ API.
#include <cuprum/cuprum.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <ranges>

namespace cp = cuprum;
using Doubles = std::vector<double>;
using Longs = std::vector<std::int64_t>;
using cp::dtype;

TEST(Conversion, AsArray) {
  const cp::array a = cp::arange(6).reshape({2, 3});
  EXPECT_TRUE(cp::shares_memory(cp::asarray(a), a));
  EXPECT_EQ(cp::asarray(a, dtype::float32).type(), dtype::float32);
  EXPECT_FALSE(cp::shares_memory(cp::ascontiguousarray(cp::transpose(a)), a));
  EXPECT_TRUE(cp::isfortran(cp::asfortranarray(a)));
  EXPECT_EQ(cp::asfortranarray(a).to_host<std::int64_t>(), a.to_host<std::int64_t>());
  EXPECT_EQ(cp::ascontiguousarray(cp::array(5)).shape(), cp::shape_type{1});
}

TEST(Conversion, BytesAndFiles) {
  const Doubles values{1.5, 2.5, 3.5};
  const auto bytes = std::as_bytes(std::span(values));
  EXPECT_EQ(cp::frombuffer(bytes).to_host<double>(), values);
  EXPECT_EQ(cp::frombuffer(bytes, dtype::float64, {.count = 1, .offset = 8}).item<double>(), 2.5);
  EXPECT_THROW(cp::frombuffer(bytes.first(7)), cp::ValueError);
  EXPECT_THROW(cp::frombuffer(bytes, dtype::float64, {.count = 9}), cp::ValueError);
  EXPECT_THROW(cp::frombuffer(bytes, dtype::float64, {.offset = 99}), cp::ValueError);
  const std::string path = (std::filesystem::temp_directory_path() / "cuprum_fromfile.bin").string();
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(bytes.data()), 24);
  EXPECT_EQ(cp::fromfile(path).to_host<double>(), values);
  std::remove(path.c_str());
  EXPECT_THROW(cp::fromfile(path), cp::ValueError);
}

TEST(Conversion, TextAndRanges) {
  EXPECT_EQ(cp::fromstring("1 2\n 3", " ").to_host<double>(), (Doubles{1, 2, 3}));
  EXPECT_EQ(cp::fromstring("1, 2,-3", ",", dtype::int64).to_host<std::int64_t>(), (Longs{1, 2, -3}));
  EXPECT_THROW(cp::fromstring("1; 2", ","), cp::ValueError);
  EXPECT_THROW(cp::fromstring("one", " "), cp::ValueError);
  const auto squares = std::views::iota(0, 4) | std::views::transform([](int i) { return 1.0 * i * i; });
  EXPECT_EQ(cp::fromiter(squares).to_host<double>(), (Doubles{0, 1, 4, 9}));
  EXPECT_EQ(cp::fromiter(std::vector<bool>{true, false}).type(), dtype::bool_);
}

TEST(Conversion, EinsumPath) {
  const cp::array a = cp::ones({2, 10}), b = cp::ones({10, 10}), c = cp::ones({10, 3});
  const std::vector<std::vector<std::size_t>> path = cp::einsum_path("ij,jk,kl->il", {a, b, c});
  EXPECT_EQ(path, (std::vector<std::vector<std::size_t>>{{0, 1}, {0, 1}}));
}
