// cuprum/conversion.h
#include <fstream>
#include <ranges>

#include "examples.h"

TEST(Examples, conversion) {
  // asarray
  shows(cp::asarray(cp::array{1, 2}, cp::dtype::float32), "[1. 2.]");
  // ascontiguousarray
  {
    const cp::array a = cp::transpose(cp::zeros({2, 3}));
    shows(a.strides(), "{8, 24}");
    shows(cp::ascontiguousarray(a).strides(), "{16, 8}");
  }
  // asfortranarray
  shows(cp::asfortranarray(cp::zeros({2, 3})).strides(), "{8, 16}");
  // frombuffer
  {
    const std::vector<std::int16_t> samples{1, 2, 3, 4};
    const auto bytes = std::as_bytes(std::span(samples));
    shows(cp::frombuffer(bytes, cp::dtype::int16, {.count = 2, .offset = 2}), "[2 3]");
  }
  // fromfile
  {
    const double values[] = {1.5, 2.5, 3.5};
    std::ofstream("values.bin", std::ios::binary)
        .write(reinterpret_cast<const char*>(values), sizeof(values));
    shows(cp::fromfile("values.bin", cp::dtype::float64, {.offset = 8}), "[2.5 3.5]");
  }
  // fromstring
  shows(cp::fromstring("1, 2, 3", ",", cp::dtype::int64), "[1 2 3]");
  // fromiter
  shows(cp::fromiter(std::views::iota(1, 5)), "[1 2 3 4]");
}
