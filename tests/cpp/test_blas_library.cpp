// OpenBLAS is opened when it is first needed, and not before: its threads spin for a while when it is loaded.
#include <gtest/gtest.h>

#include <complex>
#include <fstream>
#include <string>

#include "backend/cpu/blas.h"
#include "backend/cpu/blas_library.h"
#include "cuprum/cuprum.h"

#ifdef CUPRUM_HAS_CBLAS

namespace cp = cuprum;

namespace {

bool is_mapped() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("openblas") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST(BlasLibrary, IsOpenedByTheFirstProductThatNeedsIt) {
  const cp::array few = cp::ones({4, 4}), whole = cp::ones({40, 40}, cp::dtype::int64);
  EXPECT_EQ(cp::sum(cp::matmul(few, few)).item<double>(), 64);  // loops of our own
  EXPECT_EQ(cp::sum(cp::matmul(whole, whole)).item<std::int64_t>(), 64000);
  EXPECT_EQ(cp::sum(cp::exp(cp::zeros({1000}))).item<double>(), 1000);
  EXPECT_FALSE(is_mapped());
  const cp::array many =
      cp::ones({40, 40}, cp::dtype::complex128);  // of real ones loops of our own take care on some machines
  EXPECT_EQ(cp::sum(cp::matmul(many, many)).item<std::complex<double>>(), 64000.0);
  EXPECT_EQ(cuprum::cpu::blas_problem(), "");
  EXPECT_TRUE(cuprum::cpu::has_blas(cp::dtype::float64));
  EXPECT_TRUE(is_mapped());
}

TEST(BlasLibrary, SaysWhichFunctionItLacks) {
  try {
    cuprum::cpu::blas_function("no_such_function");
    FAIL();
  } catch (const cp::DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("no_such_function"), std::string::npos);
  }
}

#endif
