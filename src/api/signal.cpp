#include "cuprum/signal.h"

#include "api/handle.h"
#include "ops/convolution.h"
#include "ops/numeric.h"
#include "ops/windows.h"
#include "runtime/devices.h"

namespace cuprum {

namespace {

const Array& of(const array& a) { return a.implementation(); }

}  // namespace

array convolve(const array& a, const array& v, const std::string& mode) {
  return array(ops::convolve(of(a), of(v), ops::parse_overlap("convolve", mode)));
}
array correlate(const array& a, const array& v, const std::string& mode) {
  return array(ops::correlate(of(a), of(v), ops::parse_overlap("correlate", mode)));
}

#define CUPRUM_WINDOW(name) \
  array name(std::int64_t m) { return array(ops::name(static_cast<double>(m), default_backend())); }
CUPRUM_WINDOW(bartlett)
CUPRUM_WINDOW(blackman)
CUPRUM_WINDOW(hamming)
CUPRUM_WINDOW(hanning)
#undef CUPRUM_WINDOW
array kaiser(std::int64_t m, double beta) {
  return array(ops::kaiser(static_cast<double>(m), beta, default_backend()));
}

array i0(const array& x) { return array(ops::i0(of(x))); }
array sinc(const array& x) { return array(ops::sinc(of(x))); }
array angle(const array& z, bool deg) { return array(ops::angle(of(z), deg)); }

}  // namespace cuprum
