// The public Fourier transforms: those of src/ops.
#include "cuprum/fft.h"

#include "api/handle.h"
#include "ops/fft.h"
#include "runtime/devices.h"

namespace cuprum::fft {

namespace {

using Kind = Fft::Kind;

ops::FftNorm norm_of(norm by) { return static_cast<ops::FftNorm>(by); }
static_assert(static_cast<int>(norm::ortho) == static_cast<int>(ops::FftNorm::ortho) &&
              static_cast<int>(norm::forward) == static_cast<int>(ops::FftNorm::forward));

array along_one(const ops::FftFunction& f, const array& a, length_type n, std::int64_t axis, norm by) {
  return array(ops::fft(f, a.implementation(), n.value_or(ops::kDefaultLength), axis, norm_of(by)));
}

array along_many(const ops::FftFunction& f, const array& a, const shape_type& lengths, const axes_type& axes,
                 norm by) {
  return array(ops::fftn(f, a.implementation(), to_axes(lengths), to_axes(axes), norm_of(by)));
}

}  // namespace

#define CUPRUM_ALONG_ONE(name, kind, backward)                              \
  array name(const array& a, length_type n, std::int64_t axis, norm by) {   \
    return along_one({"fft." #name, Kind::kind, backward}, a, n, axis, by); \
  }
#define CUPRUM_ALONG_MANY(name, kind, backward)                                           \
  array name(const array& a, const shape_type& lengths, const axes_type& axes, norm by) { \
    return along_many({"fft." #name, Kind::kind, backward}, a, lengths, axes, by);        \
  }
CUPRUM_ALONG_ONE(fft, points, false)
CUPRUM_ALONG_ONE(ifft, points, true)
CUPRUM_ALONG_ONE(rfft, from_real, false)
CUPRUM_ALONG_ONE(irfft, to_real, true)
CUPRUM_ALONG_ONE(hfft, to_real, false)
CUPRUM_ALONG_ONE(ihfft, from_real, true)
CUPRUM_ALONG_MANY(fftn, points, false)
CUPRUM_ALONG_MANY(ifftn, points, true)
CUPRUM_ALONG_MANY(rfftn, from_real, false)
CUPRUM_ALONG_MANY(irfftn, to_real, true)
CUPRUM_ALONG_MANY(fft2, points, false)
CUPRUM_ALONG_MANY(ifft2, points, true)
CUPRUM_ALONG_MANY(rfft2, from_real, false)
CUPRUM_ALONG_MANY(irfft2, to_real, true)
#undef CUPRUM_ALONG_ONE
#undef CUPRUM_ALONG_MANY

array fftfreq(std::int64_t n, double d) {
  return array(ops::fftfreq(n, 1 / (static_cast<double>(n) * d), default_backend()));
}
array rfftfreq(std::int64_t n, double d) {
  return array(ops::rfftfreq(n, 1 / (static_cast<double>(n) * d), default_backend()));
}
array fftshift(const array& a, const axes_type& axes) {
  return array(ops::fftshift("fft.fftshift", a.implementation(), to_axes(axes), false));
}
array ifftshift(const array& a, const axes_type& axes) {
  return array(ops::fftshift("fft.ifftshift", a.implementation(), to_axes(axes), true));
}

}  // namespace cuprum::fft
