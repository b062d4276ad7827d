#include "ops/convolution.h"

#include <utility>

#include "core/texts.h"
#include "expr/engine.h"
#include "ops/argument_checks.h"
#include "ops/elementwise.h"
#include "ops/linalg.h"
#include "ops/manipulate.h"

namespace cuprum::ops {

namespace {

void check_not_empty(const char* function, const Array& x, const char* what) {
  if (x.ndim() == 1 && x.size() == 0) throw ValueError(prefix(function) + what + " cannot be empty");
}

/// Sums of products of `v` with what lies under it while it moves along `a`, which is not shorter.
Array slide(const char* function, const Array& a, const Array& v, Overlap overlap) {
  check_vector(function, a);
  check_vector(function, v);
  const std::int64_t n = v.size();
  const std::int64_t left = overlap == Overlap::valid ? 0 : overlap == Overlap::same ? n / 2 : n - 1;
  const std::int64_t right = overlap == Overlap::valid ? 0 : overlap == Overlap::same ? n - left - 1 : n - 1;
  return sliding_dot(a, v, left, right);
}

}  // namespace

Overlap parse_overlap(const char* function, const std::string& mode) {
  if (mode == "valid") return Overlap::valid;
  if (mode == "same") return Overlap::same;
  if (mode == "full") return Overlap::full;
  throw ValueError(prefix(function) + "mode must be one of 'valid', 'same', or 'full' (got '" + mode + "')");
}

Overlap parse_overlap(const char* function, std::int64_t mode) {
  if (mode >= 0 && mode <= 2) return static_cast<Overlap>(mode);
  throw ValueError(prefix(function) + "integer convolve/correlate mode must be 0, 1, or 2, given " +
                   std::to_string(mode));
}

Array convolve(const Array& given_a, const Array& given_v, Overlap overlap) {
  Array a = atleast(given_a, 1), v = atleast(given_v, 1);
  check_not_empty("convolve", a, "a");
  check_not_empty("convolve", v, "v");
  if (v.shape()[0] > a.shape()[0]) std::swap(a, v);
  return slide("convolve", a, flip(v, Dims{0}), overlap);
}

Array correlate(const Array& a, const Array& given_v, Overlap overlap) {
  const Array v = is_complex(given_v.type()) ? unary(Op::conjugate, given_v) : given_v;
  check_not_empty("correlate", a, "first array argument");
  check_not_empty("correlate", v, "second array argument");
  if (a.ndim() != 1 || v.ndim() != 1 || a.size() >= v.size()) return slide("correlate", a, v, overlap);
  const Array turned = flip(slide("correlate", v, a, overlap));
  return record_copy(turned, turned.type(), 'C');  // contiguous, as NumPy gives it
}

}  // namespace cuprum::ops
