#include "ops/linalg_checks.h"

#include "core/promotion.h"
#include "ops/creation.h"
#include "ops/manipulate.h"

namespace cuprum::ops {

std::string linalg_prefix(const char* function) { return std::string("cuprum.") + function + ": "; }

void check_stacked(const char* function, const Array& a) {
  if (a.ndim() >= 2) return;
  throw LinAlgError(linalg_prefix(function) + std::to_string(a.ndim()) +
                    "-dimensional array given. Array must be at least two-dimensional");
}

void check_square(const char* function, const Array& a) {
  check_stacked(function, a);
  if (a.shape()[a.ndim() - 2] == a.shape().back()) return;
  throw LinAlgError(linalg_prefix(function) + "Last 2 dimensions of the array must be square, given shape " +
                    to_string(a.shape()));
}

void check_matrix(const char* function, const Array& a) {
  if (a.ndim() == 2) return;
  throw LinAlgError(linalg_prefix(function) + std::to_string(a.ndim()) +
                    "-dimensional array given. Array must be two-dimensional");
}

dtype linalg_type(const char* function, std::initializer_list<const Array*> arrays) {
  dtype type = dtype::float32;
  for (const Array* a : arrays) {
    const dtype given = a->type();
    if (given == dtype::float16 || given == dtype::bfloat16) {
      throw TypeError(linalg_prefix(function) + "array type " + name(given) +
                      " is unsupported in linalg; write a.astype(cp.float32)");
    }
    const bool inexact = is_floating(given) || is_complex(given);
    type = promote_types(type, inexact ? given : dtype::float64);
  }
  return type;
}

Dims stack_shape(const Array& a, int core) { return Dims(a.shape().begin(), a.shape().end() - core); }

Dims with_core(Dims stack, std::initializer_list<std::int64_t> core) {
  for (std::int64_t n : core) stack.push_back(n);
  return stack;
}

Array identities(const Dims& stack, std::int64_t n, dtype type, Backend& backend) {
  const Array one = eye(n, n, 0, type, 'C', backend);
  return stack.empty() ? one : record_copy(broadcast_to(one, with_core(stack, {n, n})), type, 'C');
}

MatrixSite site_of(const char* function, const char* message, const Array& a) {
  return {function, message, a.backend().known_as().asynchronous ? Caller::current() : Ref<Caller>()};
}

}  // namespace cuprum::ops
