// The overload sets of src/kernels as types, for templates over operations.
#pragma once

#include "core/op.h"
#include "kernels/all.h"

namespace cuprum {

/// kernels::name, for Op::name.
template <Op op>
struct Meaning;
#define CUPRUM_OP(name, ...)           \
  template <>                          \
  struct Meaning<Op::name> {           \
    template <class... T>              \
    static CUPRUM_FN auto of(T... x) { \
      return kernels::name(x...);      \
    }                                  \
  };
#include "core/op_table.def"
#undef CUPRUM_OP

}  // namespace cuprum
