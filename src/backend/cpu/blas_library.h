// How functions of OpenBLAS are called: CUPRUM_BLAS(cblas_dgemm)(...), of one that was declared as CUPRUM_BLAS_NAME(cblas_dgemm).
//
// A program that has no product does not open the library: it starts threads when it is loaded, one per processor, which spin for
// a while (a quarter of the processor time of a program of 60 ms). So it is opened when a function is first needed; one that is an
// archive is in the program (CUPRUM_BLAS_LINKED).
#pragma once

#ifdef CUPRUM_HAS_CBLAS

#include <string>

#define CUPRUM_JOIN2(a, b) a##b
#define CUPRUM_JOIN(a, b) CUPRUM_JOIN2(a, b)
#define CUPRUM_BLAS_NAME(name) CUPRUM_JOIN(CUPRUM_CBLAS_PREFIX, name)

namespace cuprum::cpu {

/// Opens the library at the first call. Empty: it is there; else why not.
const std::string& blas_problem();

#ifdef CUPRUM_BLAS_LINKED

#define CUPRUM_BLAS(name) CUPRUM_BLAS_NAME(name)

#else

/// The function of the library that has this name; DeviceError if there is none.
void* blas_function(const char* name);

#define CUPRUM_BLAS_TEXT2(name) #name
#define CUPRUM_BLAS_TEXT(name) CUPRUM_BLAS_TEXT2(name)
#define CUPRUM_BLAS(name)                                                             \
  ([] {                                                                               \
    static const auto function = reinterpret_cast<decltype(&CUPRUM_BLAS_NAME(name))>( \
        cuprum::cpu::blas_function(CUPRUM_BLAS_TEXT(CUPRUM_BLAS_NAME(name))));        \
    return function;                                                                  \
  }())

#endif

}  // namespace cuprum::cpu

#endif
