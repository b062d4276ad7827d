// CUPRUM_DEBUG=1: the device is waited for after every kernel and every call, and an error names the operations and their
// places in the program. A backend that counts and fails stands for a device.
#include "runtime/debug.h"
#include "runtime/pool.h"

#include <gtest/gtest.h>

#include "engine_fixture.h"
#include "ops/index_mask.h"
#include "ops/linalg.h"
#include "ops/sort.h"

namespace cuprum {
namespace {

using namespace test;

/// The CPU, but that it counts waits, and that its kernels and sorts fail when told to.
class Device final : public Backend {
 public:
  Device() : Backend(true) { set_first_stream(new CountedStream(*this)); }
  int waits = 0, runs = 0;
  bool failing = false;

  const char* name() const override { return "counted"; }
  Ref<Buffer> allocate(Stream&, std::size_t nbytes) override {
    return make_ref<Buffer>(this, cpu_.pool().allocate(nbytes), nbytes);
  }
  bool host_accessible() const override { return true; }
  void copy_to_host(Stream& stream, void* to, const std::byte* from, std::size_t n) override {
    cpu_.copy_to_host(stream, to, from, n);
  }
  void copy_from_host(Stream& stream, std::byte* to, const void* from, std::size_t n) override {
    cpu_.copy_from_host(stream, to, from, n);
  }
  void run(Stream& stream, const Kernel& kernel) override {
    ++runs;
    fail();
    cpu_.run(stream, kernel);
  }
  std::string tier(const Kernel& kernel) const override {
    return "aligned to " + std::to_string(alignment(kernel));
  }
  Fault call(Stream& stream, const Call& call) override {
    ++runs;
    fail();
    return cpu_.call(stream, call);
  }
  std::shared_ptr<const CountedMask> count_true(Stream& stream, const View& mask) override {
    return cpu_.count_true(stream, mask);
  }

 private:
  struct CountedStream final : Stream {
    explicit CountedStream(Device& counted) : Stream(counted), counted(counted) {}
    void synchronize() override { ++counted.waits; }
    Device& counted;
  };
  void fail() const {
    if (failing) throw Error("the kernel failed");
  }
  /// The largest power of two that divides every address the kernel writes to.
  static std::uintptr_t alignment(const Kernel& kernel) {
    std::uintptr_t bits = 4096;
    for (const Store& store : kernel.stores) bits |= reinterpret_cast<std::uintptr_t>(store.data.address());
    for (const Reduction& r : kernel.reductions) bits |= reinterpret_cast<std::uintptr_t>(r.data.address());
    return bits & (~bits + 1);
  }
  Backend& cpu_ = cpu_backend();
};

Device& device() {
  static auto* const instance = new Device;  // buffers may outlive the test
  return *instance;
}

std::string place;  // where the program is

class Debug : public testing::Test {
 protected:
  void SetUp() override {
    set_debugging(true);
    set_place_hook([] { return place; });
    device().failing = false;
  }
  void TearDown() override {
    set_debugging(false);
    set_place_hook(nullptr);
    place.clear();
  }
};

std::string failure_of(const Array& a) {
  device().failing = true;
  try {
    evaluate({&a, 1});
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST_F(Debug, EveryKernelIsWaitedFor) {
  const Array a = iota(device(), {100});
  const int waits = device().waits, runs = device().runs;
  const Array b = a + a, c = sum(b * b, 1);
  evaluate({&c, 1});
  const Array d = ops::sort(a);
  evaluate({&d, 1});
  EXPECT_GT(device().runs, runs + 1);
  EXPECT_GE(device().waits - waits, device().runs - runs);
  set_debugging(false);
  const int before = device().waits;
  const Array e = ops::sort(a + a);
  evaluate({&e, 1});
  EXPECT_EQ(device().waits, before);
}

TEST_F(Debug, FusedOperationsAreNamedWithTheirPlaces) {
  const Array a = iota(device(), {100});
  place = "one.py:3";
  Array b = apply(Op::exp, {a});
  place = "two.py:8";
  const Array c = sum(b * b, 1);
  b = Array();
  place = "elsewhere.py:1";
  EXPECT_EQ(failure_of(c),
            "the kernel failed (computing exp at one.py:3, multiply at two.py:8, sum at two.py:8)");
  device().failing = false;
  EXPECT_GT(values_of(c)[0], 0);  // it was not lost
}

TEST_F(Debug, OneOperationIsNamed) {
  const Array a = iota(device(), {10});
  place = "one.py:3";
  const Array b = a * 2.0;
  EXPECT_EQ(failure_of(b), "the kernel failed (computing multiply at one.py:3)");
}

TEST_F(Debug, CallsThatDoNotFuseTellTheirPlace) {
  const Array a = iota(device(), {10});
  place = "one.py:4";
  const Array sorted = ops::sort(a);
  EXPECT_EQ(failure_of(sorted), "the kernel failed (computing sort at one.py:4)");
  try {
    ops::select(a, apply(Op::greater, {a, a}));  // runs inside the call
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).find("at one.py:4)") != std::string::npos) << error.what();
  }
}

TEST_F(Debug, WithoutAPlaceTheOperationsAreNamedAlone) {
  const Array a = iota(device(), {10});
  set_place_hook(nullptr);
  EXPECT_EQ(failure_of(a + a), "the kernel failed (computing add)");
}

TEST_F(Debug, NothingIsRememberedOtherwise) {
  set_debugging(false);
  place = "one.py:3";
  const Array a = iota(device(), {10});
  EXPECT_EQ(failure_of(a + a), "the kernel failed");
}

TEST_F(Debug, NotesKeepTheClassOfAnError) {
  try {
    try {
      throw OutOfMemoryError("no room");
    } catch (Error& error) {
      error.add_note(" (for one)");
      error.add_note(" (for two)");
      throw;
    }
  } catch (const OutOfMemoryError& error) {
    EXPECT_STREQ(error.what(), "no room (for one) (for two)");
  }
}

TEST_F(Debug, TheGraphTellsTheTierOfKernelsAlignedAsMemoryIs) {
  const Array a = iota(device(), {100});
  const Array b = a + a;
  const Array c = sum(b * b, 1);
  const Array arrays[] = {b, c};
  const std::string text = graph_text(arrays);
  EXPECT_NE(text.find("[aligned to 256]"), std::string::npos) << text;
  EXPECT_EQ(text.find("[aligned to 1"), std::string::npos) << text;
  const Array on_cpu = iota(cpu_backend(), {3});
  const Array d = on_cpu + on_cpu;
  EXPECT_NE(graph_text({&d, 1}).find("[cpu]"), std::string::npos) << graph_text({&d, 1});
}

}  // namespace
}  // namespace cuprum
