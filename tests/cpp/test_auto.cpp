// The device `auto`: small arrays on the host's side of an accelerator, which they leave for good when they meet large ones.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "cuprum/cuprum.h"
#include "engine_fixture.h"
#include "expr/place.h"
#include "runtime/devices.h"
#include "runtime/far.h"

namespace cuprum {
namespace {

class Auto : public ::testing::Test {
 protected:
  static constexpr std::size_t kLimit = 1024;

  std::size_t before_ = set_host_side_limit(kLimit);
  device_scope scope_{"auto:far"};

  ~Auto() override { set_host_side_limit(before_); }
};

bool on_host(const array& a) { return a.implementation().backend().accelerator != nullptr; }

TEST_F(Auto, PlacesGoBySizeAndTheProgramKnowsOneDevice) {
  const array a = zeros({128}), b = zeros({129}), c = a + 1;
  EXPECT_TRUE(on_host(a) && on_host(c));
  EXPECT_FALSE(on_host(b));
  for (const array& each : {a, b, c}) EXPECT_EQ(device_of(each), "far");
  EXPECT_EQ(device(), "far");
  EXPECT_EQ(&host_side_of(cpu_backend()), &cpu_backend());
  EXPECT_EQ(&backend_named("auto:far"), &host_side_of(far_backend()));
}

TEST_F(Auto, AStorageMovesWithItsViewsAndItsPendingReadersStay) {
  const array a = arange(10.0), part = a[slice(2, 5)];
  const array early = a * 10.0;
  const array sum = a + arange(1000.0)[slice(0, 10)];
  part += 1.0;
  EXPECT_FALSE(on_host(a) || on_host(part) || on_host(sum));
  EXPECT_TRUE(on_host(early));
  EXPECT_EQ(early.to_host<double>()[3], 30);
  EXPECT_EQ(sum.to_host<double>()[3], 6);
  EXPECT_EQ(a.to_host<double>(), (std::vector<double>{0, 1, 3, 4, 5, 5, 6, 7, 8, 9}));
}

TEST_F(Auto, NumbersNeedNoMemoryOfTheAccelerator) {
  const array a = arange(10.0), x = arange(1000.0);
  const array product = x * sum(a);
  EXPECT_TRUE(on_host(a));
  EXPECT_EQ(product.to_host<double>()[2], 90);
}

TEST_F(Auto, AnAddressIsTheAccelerators) {
  const array a = arange(10.0);
  const Array& inner = a.implementation();
  std::byte* const address = export_pointer(inner);
  EXPECT_FALSE(on_host(a));
  EXPECT_EQ(address, inner.storage()->buffer->data);
  EXPECT_THROW(host_span<double>(arange(3.0)), ValueError);
}

TEST_F(Auto, TheCpuIsAnotherDevice) {
  const array a = arange(3.0);
  array b;
  {
    const device_scope cpu("cpu");
    b = arange(3.0);
  }
  EXPECT_THROW(a + b, TypeError);
  EXPECT_EQ((to_device(b, "auto:far") + a).to_host<double>()[2], 4);
}

TEST_F(Auto, WhatACallComputesWithStaysWhereItIs) {
  const array a = zeros({100});
  const Array& inner = a.implementation();
  std::thread other;
  {
    const OnePlace here({&inner});
    other = std::thread([&] { move_over(inner); });
    const BlockingSection others_run;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(on_host(a));
  }
  other.join();
  EXPECT_FALSE(on_host(a));
}

}  // namespace
}  // namespace cuprum
