#include "cuprum/polynomials.h"

#include "ops/fitting.h"
#include "ops/polynomial.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

ops::PolyFit fitted(const array& x, const array& y, std::int64_t deg, const polyfit_options& o) {
  return ops::polyfit(of(x), of(y), deg, o.rcond, o.w ? &of(*o.w) : nullptr);
}

}  // namespace

array polyadd(const array& a, const array& b) { return array(ops::polyadd(of(a), of(b))); }
array polysub(const array& a, const array& b) { return array(ops::polysub(of(a), of(b))); }
array polymul(const array& a, const array& b) { return array(ops::polymul(of(a), of(b))); }
polydiv_result polydiv(const array& u, const array& v) {
  const ops::PolyQuotient result = ops::polydiv(of(u), of(v));
  return {array(result.quotient), array(result.remainder)};
}
array polyder(const array& p, std::int64_t m) { return array(ops::polyder(of(p), m)); }
array polyint(const array& p, std::int64_t m) { return array(ops::polyint(of(p), m)); }
array polyint(const array& p, std::int64_t m, const array& k) {
  return array(ops::polyint(of(p), m, &of(k)));
}
array polyval(const array& p, const array& x) { return array(ops::polyval(of(p), of(x))); }
array roots(const array& p) { return array(ops::roots(of(p))); }
array poly(const array& zeros) { return array(ops::poly(of(zeros))); }

array polyfit(const array& x, const array& y, std::int64_t deg, const polyfit_options& options) {
  return array(fitted(x, y, deg, options).fit.c);
}
polyfit_result polyfit_full(const array& x, const array& y, std::int64_t deg,
                            const polyfit_options& options) {
  const ops::PolyFit f = fitted(x, y, deg, options);
  return {array(f.fit.c), array(f.fit.residuals),           array(f.fit.rank), array(f.fit.singular_values),
          f.rcond,        array(ops::polyfit_covariance(f))};
}

}  // namespace cuprum
