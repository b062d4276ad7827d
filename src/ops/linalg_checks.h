// What the functions of numpy.linalg share: their checks with NumPy's texts, their dtypes, and the recording of factorizations.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "expr/array.h"
#include "expr/engine.h"
#include "ops/support.h"

namespace cuprum::ops {

/// "cuprum.linalg.solve: "
std::string linalg_prefix(const char* function);

void check_stacked(const char* function, const Array& a);  // at least two dimensions
void check_square(const char* function, const Array& a);   // and the last two alike
void check_matrix(const char* function, const Array& a);   // two dimensions

/// The dtype to compute in: float32, float64, complex64 or complex128. Throws TypeError for float16 and bfloat16.
dtype linalg_type(const char* function, std::initializer_list<const Array*> arrays);

/// The dimensions before the matrix.
Dims stack_shape(const Array& a, int core = 2);
/// `stack` with further dimensions.
Dims with_core(Dims stack, std::initializer_list<std::int64_t> core);

/// Elements that a stack with empty matrices still has to have: the identity of `n`, for every matrix of the stack.
Array identities(const Dims& stack, std::int64_t n, dtype type, Backend& backend);

/// Who is told of a matrix that cannot be treated; literals.
MatrixSite site_of(const char* function, const char* message, const Array& a);

/// One result of a call, in C order.
struct Made {
  dtype type;
  Dims shape;
};

/// Records a call over operands that have the dtype of the calculation. Where the first result has no elements nothing is computed.
/// One that can fail is settled at once where the device computes at once.
template <class P>
std::vector<Array> record_factors(P&& primitive, std::initializer_list<const Array*> in,
                                  std::initializer_list<Made> results) {
  Backend& backend = (*in.begin())->backend();
  std::vector<Array> arrays;
  std::vector<ResultSpec> specs;
  for (const Made& made : results) {
    specs.push_back({made.type, made.shape,
                     contiguous_strides(made.shape, static_cast<std::int64_t>(itemsize(made.type)))});
  }
  if (element_count(specs[0].shape) == 0) {
    for (const ResultSpec& spec : specs) arrays.push_back(make_array(backend, spec.type, spec.shape));
    return arrays;
  }
  constexpr bool checks = kChecks<std::remove_cvref_t<P>>;
  arrays =
      record_calls(backend, Primitive(std::forward<P>(primitive)), std::span(in.begin(), in.size()), specs);
  if constexpr (checks) settle_on_host(arrays);
  return arrays;
}

}  // namespace cuprum::ops
