#include "ops/argument_checks.h"

#include <string>

#include "core/promotion.h"
#include "cuprum/error.h"

namespace cuprum::ops {

void check_vector(const char* function, const Array& x) {
  if (x.ndim() == 1) return;
  throw ValueError(std::string("cuprum.") + function + ": object " +
                   (x.ndim() < 1 ? "of too small depth" : "too deep") +
                   " for desired array: one dimension is needed, given shape " + to_string(x.shape()));
}

void check_safe_cast(const char* function, const Array& x, dtype type) {
  if (can_cast(x.type(), type)) return;
  throw TypeError(std::string("cuprum.") + function + ": Cannot cast array data from dtype('" +
                  name(x.type()) + "') to dtype('" + name(type) +
                  "') according to the rule 'safe'; write x.astype('" + name(type) + "')");
}

}  // namespace cuprum::ops
