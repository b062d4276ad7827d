// The overlap test against brute force: every byte of small random views is enumerated.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "expr/overlap.h"

using namespace cuprum;

namespace {

std::map<std::int64_t, int> touched(const Array& a) {
  std::map<std::int64_t, int> bytes;
  if (a.size() == 0) return bytes;
  Dims at(a.shape().size());
  for (;;) {
    std::int64_t address = a.offset();
    for (std::size_t d = 0; d < at.size(); ++d) address += at[d] * a.strides()[d];
    for (std::size_t i = 0; i < a.itemsize(); ++i) ++bytes[address + static_cast<std::int64_t>(i)];
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == a.shape()[d - 1]) at[--d] = 0;
    if (d == 0) return bytes;
  }
}

class Views {
 public:
  explicit Views(std::uint32_t seed) : random_(seed), storage_(make_ref<Storage>(nullptr, 1 << 20)) {}

  Array next() {
    static const dtype types[] = {dtype::int8, dtype::int16, dtype::float32, dtype::float64,
                                  dtype::complex128};
    Dims shape, strides;
    for (int d = number(0, 3); d > 0; --d) {
      shape.push_back(number(0, 5));
      strides.push_back(number(-40, 40));
    }
    return Array(storage_, types[number(0, 4)], shape, strides, number(400, 600));
  }

 private:
  std::int64_t number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::mt19937 random_;
  Ref<Storage> storage_;
};

}  // namespace

TEST(Overlap, AgreesWithEnumeration) {
  Views views(20240601);
  int shared = 0;
  for (int i = 0; i < 20000; ++i) {
    const Array a = views.next(), b = views.next();
    const auto bytes_a = touched(a), bytes_b = touched(b);
    bool expected = false;
    for (const auto& [address, times] : bytes_a) expected |= bytes_b.count(address) != 0;
    shared += expected;
    ASSERT_EQ(memory_overlap(a, b, -1) == Overlap::yes, expected)
        << to_string(a.shape()) << to_string(a.strides()) << a.offset() << " and " << to_string(b.shape())
        << to_string(b.strides()) << b.offset();
    if (expected) {
      ASSERT_NE(memory_overlap(a, b, 0), Overlap::no);
      ASSERT_NE(memory_overlap(a, b, 1), Overlap::no);
    }
  }
  EXPECT_GT(shared, 1000);
}

TEST(Overlap, InternalAgreesWithEnumeration) {
  Views views(7);
  int overlapping = 0;
  for (int i = 0; i < 20000; ++i) {
    const Array a = views.next();
    bool expected = false;
    for (const auto& [address, times] : touched(a)) expected |= times > 1;
    overlapping += expected;
    ASSERT_EQ(internal_overlap(a, -1) == Overlap::yes, expected)
        << to_string(a.shape()) << to_string(a.strides()) << a.itemsize();
  }
  EXPECT_GT(overlapping, 1000);
}

TEST(Overlap, CoversStorage) {
  Ref<Storage> storage = make_ref<Storage>(nullptr, 48);
  EXPECT_TRUE(Array(storage, dtype::float64, {2, 3}, {24, 8}).covers_storage());
  EXPECT_TRUE(Array(storage, dtype::float64, {3, 2}, {8, 24}).covers_storage());
  EXPECT_TRUE(Array(storage, dtype::int32, {1, 12}, {99, 4}).covers_storage());
  EXPECT_TRUE(Array(storage, dtype::float32, {3, 2, 2}, {8, 24, 4}).covers_storage());
  EXPECT_FALSE(Array(storage, dtype::float64, {5}, {8}, 8).covers_storage());
  EXPECT_FALSE(Array(storage, dtype::float64, {6}, {-8}, 40).covers_storage());
  EXPECT_FALSE(Array(storage, dtype::float64, {6}, {0}).covers_storage());
  EXPECT_FALSE(Array(storage, dtype::float64, {2, 3}, {8, 8}).covers_storage());
}
