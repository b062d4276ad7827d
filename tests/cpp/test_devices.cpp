// Devices by name, the device of a thread, and arrays of two devices in one call.
#include "runtime/devices.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <vector>

#include "cuprum/cuprum.h"
#include "engine_fixture.h"
#include "expr/host_copy.h"
#include "ops/index.h"
#include "ops/linalg.h"
#include "ops/support.h"

namespace cuprum {
namespace {

TEST(Devices, ByName) {
  EXPECT_EQ(&backend_named("cpu"), &cpu_backend());
  EXPECT_EQ(&backend_named("far"), &far_backend());
  for (const char* name : {"", "gpu", "cuda:", "cuda:x", "cuda:1x", "cuda:-1", "CPU"})
    EXPECT_THROW(backend_named(name), ValueError) << name;
}

TEST(Devices, WhatCannotBeHadHasAReason) {
  if (cuda_device_count() > 0) GTEST_SKIP() << "there is a CUDA device";
  EXPECT_FALSE(cuda_problem().empty());
  EXPECT_THROW(backend_named("cuda"), Error);
  bool told = false;
  for (const DeviceReport& report : device_reports())
    told |= report.name == "cuda" && !report.problem.empty();
  EXPECT_TRUE(told);
}

TEST(Devices, APlugInIsNotLookedForInTheCurrentFolder) {
  // This program holds the library. Called by a bare name, as a shell does with what PATH names, it knows itself by that.
  const bool child = std::getenv("CUPRUM_TEST_CHILD") != nullptr;
  if (child) {
    for (const std::string& folder : package_folders()) EXPECT_TRUE(folder.starts_with('/')) << folder;
    EXPECT_FALSE(package_folders().empty());
    EXPECT_EQ(cuda_problem().find("in ./"), std::string::npos) << cuda_problem();
    return;
  }
  const pid_t process = ::fork();
  if (process == 0) {
    ::setenv("CUPRUM_TEST_CHILD", "1", 1);
    ::execl("/proc/self/exe", "program", "--gtest_filter=Devices.APlugIn*", nullptr);
    ::_exit(127);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(process, &status, 0), process);
  EXPECT_EQ(status, 0);
}

TEST(Devices, OfAThread) {
  Backend* before = set_thread_backend(&far_backend());
  EXPECT_EQ(&default_backend(), &far_backend());
  std::thread([] { EXPECT_NE(&default_backend(), &far_backend()); }).join();
  EXPECT_EQ(set_thread_backend(before), &far_backend());
}

TEST(Devices, PublicInterface) {
  set_device("far");
  EXPECT_EQ(device(), "far");
  const array a = arange(3) + 1;
  synchronize();
  EXPECT_EQ(sum(a).item<double>(), 6);
  EXPECT_THROW(set_device("nowhere"), ValueError);
  set_thread_backend(nullptr);
}

TEST(Devices, IntegersFromTheHostAreKnownUntilTheyAreWritten) {
  set_thread_backend(&far_backend());
  const std::vector<std::int64_t> given = {2, 9, -8};
  const Array i = ops::from_integers(given, far_backend());
  EXPECT_EQ(known_integers(i), given);
  EXPECT_EQ(known_integers(ops::slice_first(i, 2, -4, -1)), (std::vector<std::int64_t>{-8, 9, 2}));
  EXPECT_TRUE(known_integers(record_copy(i, dtype::int64)).empty());
  EXPECT_TRUE(
      known_integers(ops::from_integers(given, cpu_backend())).empty());  // the backend checks at once
  EXPECT_THROW(arange(4).at(cuprum::array::from_host(given)).get(), IndexError);
  assign(ops::slice_first(i, 0, 1, 1), Input(Scalar::of(dtype::int64, 1)));
  EXPECT_TRUE(known_integers(i).empty());
  const Array exported = ops::from_integers(given, far_backend());
  export_pointer(exported);
  EXPECT_TRUE(known_integers(exported).empty());
  set_thread_backend(nullptr);
}

TEST(Devices, ABadIndexIsToldToTheThreadThatGaveIt) {
  const auto bad_index = [](std::int64_t value) {
    const Array a = test::iota(far_backend(), {3});
    const Array i = record_copy(ops::from_integers(std::array{value}, far_backend()), dtype::int64);
    const Array got = ops::get_item(a, std::array{ops::IndexItem::by(i)});
    evaluate({&got, 1});
  };
  std::thread([&] {
    bad_index(7);
    std::thread([] { EXPECT_NO_THROW(far_backend().synchronize()); }).join();
    EXPECT_THROW(far_backend().synchronize(), IndexError);
    EXPECT_NO_THROW(far_backend().synchronize());
    bad_index(8);
  }).join();
  EXPECT_THROW(far_backend().synchronize(), IndexError);  // the thread has ended
  EXPECT_NO_THROW(far_backend().synchronize());
}

TEST(Devices, NoBackendSeesAnAddressOfAnother) {
  const Array here = test::iota(cpu_backend(), {2, 2}), there = test::iota(far_backend(), {2, 2});
  EXPECT_THROW(ops::matmul(here, there), TypeError);
  EXPECT_THROW(assign(here, Input(there)), TypeError);
  const Array sum = record_cast(there, dtype::float32);
  EXPECT_THROW(assign(here, Input(sum)), TypeError);
}

TEST(Devices, EverythingPendingOnOneIsFound) {
  // More than the few elements that a call converts itself.
  const Array a = test::iota(cpu_backend(), {400}), b = test::iota(far_backend(), {400});
  const Array x = record_cast(a, dtype::float32), y = record_cast(b, dtype::float32),
              z = record_cast(x, dtype::int32);
  evaluate_all(far_backend());
  EXPECT_TRUE(is_pending(x) && is_pending(z));
  EXPECT_FALSE(is_pending(y));
  evaluate_all(cpu_backend());
  EXPECT_FALSE(is_pending(x) || is_pending(z));
}

}  // namespace
}  // namespace cuprum
