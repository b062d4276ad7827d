#include "ops/kernel_prelude.h"

#include <algorithm>
#include <utility>

#include "ops/support.h"

namespace cuprum::ops {

namespace {

// An array as a kernel sees it, and the place of a loop in its shape. Their members are what KernelArguments packs
// (ops/kernel_arguments.cpp), in that order.
constexpr const char* kArrays = R"text(
#include <initializer_list>
template <class T, int _ndim, bool _c_contiguous = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;
  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t* shape() const { return shape_; }
  __device__ const ptrdiff_t* strides() const { return strides_; }
  template <class Int>
  __device__ T& operator[](const Int* index) { return *at(index); }
  template <class Int>
  __device__ const T& operator[](const Int* index) const { return *at(index); }
  template <class Int>
  __device__ T& operator[](std::initializer_list<Int> index) { return *at(index.begin()); }
  template <class Int>
  __device__ const T& operator[](std::initializer_list<Int> index) const { return *at(index.begin()); }
  __device__ T& operator[](ptrdiff_t i) { return *at(i); }
  __device__ const T& operator[](ptrdiff_t i) const { return *at(i); }

 private:
  template <class Int>
  __device__ T* at(const Int* index) const {
    if (_ndim == 1 && _c_contiguous) return data_ + index[0];
    ptrdiff_t offset = 0;
    for (int d = 0; d < _ndim; ++d) offset += strides_[d] * static_cast<ptrdiff_t>(index[d]);
    return reinterpret_cast<T*>(reinterpret_cast<char*>(data_) + offset);
  }
  __device__ T* at(ptrdiff_t i) const {
    if (_c_contiguous) return data_ + i;
    ptrdiff_t offset = 0;
    for (int d = _ndim - 1; d > 0; --d) {
      offset += strides_[d] * (i % shape_[d]);
      i /= shape_[d];
    }
    if (_ndim > 0) offset += strides_[0] * i;
    return reinterpret_cast<T*>(reinterpret_cast<char*>(data_) + offset);
  }

  T* data_;
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  ptrdiff_t strides_[_ndim > 0 ? _ndim : 1];
};

template <int _ndim>
class CIndexer {
 public:
  static const int ndim = _ndim;
  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t* shape() const { return shape_; }
  __device__ const ptrdiff_t* get() const { return index_; }
  __device__ void set(ptrdiff_t i) {
    for (int d = _ndim - 1; d > 0; --d) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }

 private:
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  ptrdiff_t index_[_ndim > 0 ? _ndim : 1];
};
)text";

constexpr const char* kComplex = R"text(
#include <complex>
#include <type_traits>
template <class T>
struct complex {
  typedef T value_type;
  __device__ complex(T re = T(), T im = T()) : re_(re), im_(im) {}
  template <class U>
  __device__ complex(const complex<U>& z) : re_(z.real()), im_(z.imag()) {}
  __device__ complex(const std::complex<T>& z) : re_(z.real()), im_(z.imag()) {}
  __device__ operator std::complex<T>() const { return std::complex<T>(re_, im_); }
  __device__ T real() const { return re_; }
  __device__ T imag() const { return im_; }
  __device__ void real(T re) { re_ = re; }
  __device__ void imag(T im) { im_ = im; }
  template <class U> __device__ complex& operator+=(const U& o) { return *this = complex(*this + o); }
  template <class U> __device__ complex& operator-=(const U& o) { return *this = complex(*this - o); }
  template <class U> __device__ complex& operator*=(const U& o) { return *this = complex(*this * o); }
  template <class U> __device__ complex& operator/=(const U& o) { return *this = complex(*this / o); }

 private:
  T re_, im_;
};
namespace cuprum_complex {
template <class A, class B> struct wider { typedef decltype(A() + B()) type; };
template <class T> __device__ inline complex<T> add(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() + b.real(), a.imag() + b.imag());
}
template <class T> __device__ inline complex<T> subtract(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.real() - b.real(), a.imag() - b.imag());
}
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12  // contracts products in vectors, else (kernels/complex.h)
#define CUPRUM_PRODUCT(a, b) __builtin_assoc_barrier((a) * (b))
#else
#define CUPRUM_PRODUCT(a, b) ((a) * (b))
#endif
template <class T> __device__ inline complex<T> multiply(const complex<T>& a, const complex<T>& b) {
  return complex<T>(CUPRUM_PRODUCT(a.real(), b.real()) - CUPRUM_PRODUCT(a.imag(), b.imag()),
                    CUPRUM_PRODUCT(a.real(), b.imag()) + CUPRUM_PRODUCT(a.imag(), b.real()));
}
template <class T> __device__ inline complex<T> divide(const complex<T>& a, const complex<T>& b) {
  return std::complex<T>(a) / std::complex<T>(b);
}
template <class T> __device__ inline bool equal(const complex<T>& a, const complex<T>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T> __device__ inline bool not_equal(const complex<T>& a, const complex<T>& b) {
  return !equal(a, b);
}
template <bool yes, class R> struct only {};
template <class R> struct only<true, R> { typedef R type; };
}  // namespace cuprum_complex
#define CUPRUM_COMPLEX_OPERATOR(sign, function)                                                              \
  template <class A, class B>                                                                              \
  __device__ inline auto operator sign(const complex<A>& a, const complex<B>& b) {                         \
    typedef complex<typename cuprum_complex::wider<A, B>::type> C;                                         \
    return cuprum_complex::function(C(a), C(b));                                                           \
  }                                                                                                        \
  template <class A, class B, typename cuprum_complex::only<std::is_arithmetic<B>::value, int>::type = 0>  \
  __device__ inline auto operator sign(const complex<A>& a, B b) {                                         \
    return cuprum_complex::function(a, complex<A>(static_cast<A>(b)));                                     \
  }                                                                                                        \
  template <class A, class B, typename cuprum_complex::only<std::is_arithmetic<B>::value, int>::type = 0>  \
  __device__ inline auto operator sign(B b, const complex<A>& a) {                                         \
    return cuprum_complex::function(complex<A>(static_cast<A>(b)), a);                                     \
  }
CUPRUM_COMPLEX_OPERATOR(+, add)
CUPRUM_COMPLEX_OPERATOR(-, subtract)
CUPRUM_COMPLEX_OPERATOR(*, multiply)
CUPRUM_COMPLEX_OPERATOR(/, divide)
CUPRUM_COMPLEX_OPERATOR(==, equal)
CUPRUM_COMPLEX_OPERATOR(!=, not_equal)
template <class T> __device__ inline complex<T> operator+(const complex<T>& z) { return z; }
template <class T> __device__ inline complex<T> operator-(const complex<T>& z) {
  return complex<T>(-z.real(), -z.imag());
}
#define CUPRUM_COMPLEX_FUNCTION(name)                         \
  template <class T>                                          \
  __device__ inline complex<T> name(const complex<T>& z) {    \
    return complex<T>(std::name(std::complex<T>(z)));         \
  }
CUPRUM_COMPLEX_FUNCTION(exp) CUPRUM_COMPLEX_FUNCTION(log) CUPRUM_COMPLEX_FUNCTION(log10)
CUPRUM_COMPLEX_FUNCTION(sqrt) CUPRUM_COMPLEX_FUNCTION(sin) CUPRUM_COMPLEX_FUNCTION(cos)
CUPRUM_COMPLEX_FUNCTION(tan) CUPRUM_COMPLEX_FUNCTION(sinh) CUPRUM_COMPLEX_FUNCTION(cosh)
CUPRUM_COMPLEX_FUNCTION(tanh) CUPRUM_COMPLEX_FUNCTION(asin) CUPRUM_COMPLEX_FUNCTION(acos)
CUPRUM_COMPLEX_FUNCTION(atan) CUPRUM_COMPLEX_FUNCTION(asinh) CUPRUM_COMPLEX_FUNCTION(acosh)
CUPRUM_COMPLEX_FUNCTION(atanh) CUPRUM_COMPLEX_FUNCTION(proj)
template <class T> __device__ inline T abs(const complex<T>& z) { return std::hypot(z.real(), z.imag()); }
template <class T> __device__ inline T arg(const complex<T>& z) { return std::atan2(z.imag(), z.real()); }
template <class T> __device__ inline T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T> __device__ inline complex<T> conj(const complex<T>& z) {
  return complex<T>(z.real(), -z.imag());
}
template <class T> __device__ inline complex<T> polar(const T& size, const T& angle = T()) {
  return complex<T>(size * std::cos(angle), size * std::sin(angle));
}
template <class A, class B>
__device__ inline complex<typename cuprum_complex::wider<A, B>::type> pow(const complex<A>& a,
                                                                          const complex<B>& b) {
  typedef typename cuprum_complex::wider<A, B>::type R;
  return complex<R>(std::pow(std::complex<R>(complex<R>(a)), std::complex<R>(complex<R>(b))));
}
template <class A, class B, typename cuprum_complex::only<std::is_arithmetic<B>::value, int>::type = 0>
__device__ inline complex<A> pow(const complex<A>& a, B b) {
  return complex<A>(std::pow(std::complex<A>(a), static_cast<A>(b)));
}
template <class A, class B, typename cuprum_complex::only<std::is_arithmetic<B>::value, int>::type = 0>
__device__ inline complex<A> pow(B b, const complex<A>& a) {
  return complex<A>(std::pow(static_cast<A>(b), std::complex<A>(a)));
}
template <class T> __device__ inline bool isnan(const complex<T>& z) {
  return z.real() != z.real() || z.imag() != z.imag();
}
template <class T> __device__ inline bool isinf(const complex<T>& z) {
  return std::isinf(z.real()) || std::isinf(z.imag());
}
template <class T> __device__ inline bool isfinite(const complex<T>& z) {
  return std::isfinite(z.real()) && std::isfinite(z.imag());
}
)text";

// Halves compute as float and round where they are stored.
constexpr const char* kHalf = R"text(
#include <cuda_fp16.h>
struct float16 {
  float16() = default;
  __device__ float16(float x) : half_(__float2half(x)) {}
  __device__ operator float() const { return __half2float(half_); }
  template <class U> __device__ float16& operator+=(const U& o) { return *this = float16(float(*this) + o); }
  template <class U> __device__ float16& operator-=(const U& o) { return *this = float16(float(*this) - o); }
  template <class U> __device__ float16& operator*=(const U& o) { return *this = float16(float(*this) * o); }
  template <class U> __device__ float16& operator/=(const U& o) { return *this = float16(float(*this) / o); }

 private:
  __half half_;
};
)text";

constexpr const char* kBfloat = R"text(
#include <cuda_bf16.h>
struct bfloat16 {
  bfloat16() = default;
  __device__ bfloat16(float x) : half_(__float2bfloat16(x)) {}
  __device__ operator float() const { return __bfloat162float(half_); }
  template <class U> __device__ bfloat16& operator+=(const U& o) { return *this = bfloat16(float(*this) + o); }
  template <class U> __device__ bfloat16& operator-=(const U& o) { return *this = bfloat16(float(*this) - o); }
  template <class U> __device__ bfloat16& operator*=(const U& o) { return *this = bfloat16(float(*this) * o); }
  template <class U> __device__ bfloat16& operator/=(const U& o) { return *this = bfloat16(float(*this) / o); }

 private:
  __nv_bfloat16 half_;
};
)text";

bool has_type(const ParameterTypes& types, bool (*is)(dtype)) {
  return std::any_of(types.in.begin(), types.in.end(), is) ||
         std::any_of(types.out.begin(), types.out.end(), is);
}

}  // namespace

std::string kernel_prelude(const ParameterTypes& types, std::string_view text) {
  struct Part {
    const char* word;
    bool (*is)(dtype);
    const char* text;
  };
  static constexpr Part parts[] = {
      {"complex", is_complex, kComplex},
      {"float16", [](dtype t) { return t == dtype::float16; }, kHalf},
      {"bfloat16", [](dtype t) { return t == dtype::bfloat16; }, kBfloat},
  };
  std::string prelude;
  for (const Part& part : parts) {
    if (has_type(types, part.is) || mentions(text, {&part.word, 1})) prelude += part.text;
  }
  return prelude + kArrays;
}

ModuleSpec loop_module(std::string text, const std::vector<std::string>& options) {
  ModuleSpec spec;
  spec.code = std::move(text);
  spec.options.emplace_back("--fmad=false");
  spec.options.insert(spec.options.end(), options.begin(), options.end());
  return spec;
}

std::shared_ptr<UserModule> host_image(Backend& device, const ModuleSpec& spec) {
  const BlockingSection others_run;
  device.compile(spec);
  return compile_on_host(spec);  // the same module: equal texts are compiled once
}

}  // namespace cuprum::ops
