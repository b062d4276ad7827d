// The functions and types of CUDA's language on the host, each against what CUDA's manual says of it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "user_kernels.h"

namespace cuprum {
namespace {

using testing::launch;

const char* const kNumbers = R"(
__global__ void integers(unsigned* u, long long* l) {
  int k = 0;
  u[k++] = __popc(0xf0f0u);            u[k++] = __clz(1);            u[k++] = __clz(0);
  u[k++] = __ffs(8);                   u[k++] = __ffs(0);            u[k++] = __brev(1u);
  u[k++] = __mul24(0x01000003, 5);     u[k++] = __umulhi(1u << 31, 6u);
  u[k++] = __mulhi(-2, 3);             u[k++] = __byte_perm(0x33221100u, 0x77665544u, 0x7531);
  u[k++] = __byte_perm(0x80u, 0, 0x8888);
  u[k++] = __dp4a(0x01020304, 0x01010101, 100);                      u[k++] = __dp4a(0x000000ffu, 2u, 0u);
  u[k++] = __dp4a((int)0xff, 2, 0);    u[k++] = __dp2a_lo(0x00020003, 0x04050607, 0);
  u[k++] = __funnelshift_l(0x80000000u, 1u, 1);                      u[k++] = __funnelshift_r(0u, 1u, 1);
  u[k++] = __sad(3, -4, 10u);          u[k++] = __hadd(-3, 2);       u[k++] = __urhadd(3u, 4u);
  u[k++] = __vadd4(0x01ff01ffu, 0x01010101u);                        u[k++] = __vmaxs2(0xffff0002u, 0x00010001u);
  u[k++] = __vaddus4(0xff010101u, 0x02020202u);                      u[k++] = __fns(0x50u, 0, 2);
  u[k++] = max(-1, 1u);                u[k++] = min(-1, 1u);         u[k++] = max(3, 4);
  k = 0;
  l[k++] = __popcll(~0ull);            l[k++] = __clzll(1);          l[k++] = __ffsll(1ll << 40);
  l[k++] = __brevll(2);                l[k++] = __mul64hi(-4, 1ll << 62);
  l[k++] = __umul64hi(1ull << 63, 6);  l[k++] = max(1ll << 40, 3ll);
}
__global__ void conversions(long long* out) {
  int k = 0;
  out[k++] = __float2int_rn(2.5f);     out[k++] = __float2int_rz(-2.7f);  out[k++] = __float2int_ru(2.1f);
  out[k++] = __float2int_rd(-2.1f);    out[k++] = __float2int_rn(3e9f);   out[k++] = __float2int_rn(-3e9f);
  out[k++] = __float2uint_rn(-1.0f);   out[k++] = __float2uint_rz(5e9f);  out[k++] = __double2ll_rn(3.5);
  out[k++] = __float2int_rn(nanf("")); out[k++] = __double2ull_rz(1e30) == ~0ull;
  out[k++] = __float_as_int(1.0f);     out[k++] = __double_as_longlong(2.0);
  out[k++] = __double2hiint(2.0);      out[k++] = __hiloint2double(0x40080000, 0) == 3.0;
  out[k++] = __int2float_rz(16777217) == 16777216.0f;
  out[k++] = __int2float_ru(16777217) == 16777218.0f;
  out[k++] = __double2float_rd(0.1) < 0.1 && __double2float_ru(0.1) > 0.1;
  out[k++] = __fadd_ru(1.0f, 1e-10f) > 1.0f && __fadd_rd(1.0f, 1e-10f) == 1.0f && __fadd_rn(1.0f, 1e-10f) == 1.0f;
  out[k++] = __ddiv_rd(1.0, 3.0) < __ddiv_ru(1.0, 3.0);
}
__global__ void mathematics(double* out) {
  int k = 0;
  out[k++] = rsqrt(4.0);        out[k++] = rcbrt(8.0);          out[k++] = sinpi(0.5);    out[k++] = cospi(1.0);
  out[k++] = erfinv(erf(0.3));  out[k++] = erfcinv(erfc(2.5));  out[k++] = normcdf(0.0);  out[k++] = normcdfinv(0.975);
  out[k++] = erfcx(30.0);       out[k++] = norm3d(1.0, 2.0, 2.0);                         out[k++] = rhypot(3.0, 4.0);
  out[k++] = cyl_bessel_i0(1.0);                                out[k++] = exp10(2.0);    out[k++] = cyl_bessel_i1(1.0);
  out[k++] = erfinv(-0.9999999);                                out[k++] = sinpi(1e15 + 1);
  out[k++] = cospi(0.5);        out[k++] = normcdfinv(1e-20);
}
__global__ void mathematics_of_floats(float* out, float x) {
  int k = 0;
  out[k++] = __expf(x);         out[k++] = __fdividef(x, 2);    out[k++] = __saturatef(x); out[k++] = rsqrtf(4.0f);
  out[k++] = __powf(2.0f, 3.0f);                                out[k++] = fminf(nanf(""), x);
  out[k++] = fmaxf(x, nanf(""));                                out[k++] = max(x, 2.0f);   out[k++] = abs(-x);
  float s, c;
  sincosf(x, &s, &c);
  out[k++] = s * s + c * c;     out[k++] = erfinvf(0.5f);       out[k++] = fmaf(x, 2.0f, 1.0f);
  out[k++] = __frcp_rn(4.0f);   out[k++] = floor(2.7f);         out[k++] = norm4df(1, 1, 1, 1);
}
__global__ void vectors(const float4* in, float4* out, uchar4* bytes) {
  float4 v = __ldg(in + threadIdx.x);
  out[threadIdx.x] = make_float4(v.w, v.z, v.y, v.x);
  bytes[threadIdx.x] = make_uchar4(1, 2, 3, 4);
  static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(double2) == 16 && sizeof(long3) == 24);
  dim3 d(3);
  if (d.y != 1 || d.x != 3) __trap();
}
)";

const std::shared_ptr<UserModule>& numbers() {
  static const auto module = testing::compile(kNumbers);
  return module;
}

TEST(Language, Integers) {
  std::vector<std::uint32_t> u(27);
  std::vector<long long> l(7);
  launch(numbers(), "integers", {1}, {1}, u.data(), l.data());
  const auto bits = [](int x) { return static_cast<std::uint32_t>(x); };
  EXPECT_EQ(u, (std::vector<std::uint32_t>{8,           31,          32,
                                           4,           0,           0x80000000u,
                                           15,          3,           bits(-1),
                                           0x77553311u, 0xffffffffu, 110,
                                           510,         bits(-2),    2 * 6 + 3 * 7,
                                           3,           0x80000000u, 17,
                                           bits(-1),    4,           0x02000200u,
                                           0x00010002u, 0xff030303u, 6,
                                           0xffffffffu, 1,           4}));
  EXPECT_EQ(l, (std::vector<long long>{64, 63, 41, 1ll << 62, -1, 3, 1ll << 40}));
}

TEST(Language, Conversions) {
  std::vector<long long> out(20);
  launch(numbers(), "conversions", {1}, {1}, out.data());
  EXPECT_EQ(out, (std::vector<long long>{2, -2, 3, -3,         INT32_MAX,          INT32_MIN,  0, UINT32_MAX,
                                         4, 0,  1, 0x3f800000, 0x4000000000000000, 0x40000000, 1, 1,
                                         1, 1,  1, 1}));
}

TEST(Language, Mathematics) {
  std::vector<double> out(18);
  launch(numbers(), "mathematics", {1}, {1}, out.data());
  const double expected[] = {0.5,
                             0.5,
                             1,
                             -1,
                             0.3,
                             2.5,
                             0.5,
                             1.959963984540054,
                             0.018795888861416751,
                             3,
                             0.2,
                             1.2660658777520084,
                             100,
                             0.565159103992485,
                             -3.7665625816,
                             0,
                             0,
                             -9.262340089798408};
  for (int i = 0; i < 18; ++i)
    EXPECT_NEAR(out[i], expected[i], std::abs(expected[i]) * (i == 14 ? 1e-8 : 1e-13)) << i;
  std::vector<float> f(15);
  launch(numbers(), "mathematics_of_floats", {1}, {1}, f.data(), 1.5f);
  const float floats[] = {4.4816891f, 0.75f,        1, 0.5f,  8, 1.5f, 1.5f, 2, 1.5f,
                          1,          0.476936276f, 4, 0.25f, 2, 2};
  for (int i = 0; i < 15; ++i) EXPECT_NEAR(f[i], floats[i], std::abs(floats[i]) * 1e-6f) << i;
}

TEST(Language, Vectors) {
  struct alignas(16) Four {
    float x, y, z, w;
  };
  std::vector<Four> in(64), out(64);
  std::vector<std::uint32_t> bytes(64);
  for (int i = 0; i < 64; ++i) in[i] = {1.0f * i, 2, 3, 4};
  launch(numbers(), "vectors", {1}, {64}, in.data(), out.data(), bytes.data());
  EXPECT_EQ(out[63].w, 63);
  EXPECT_EQ(out[63].x, 4);
  EXPECT_EQ(bytes[9], 0x04030201u);
}

const char* const kAtomics = R"(
#include <cuda_fp16.h>
template <class T> __global__ void arithmetic(T* out) {
  T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&out[0], static_cast<T>(1));
  atomicSub(&out[1], static_cast<T>(1));
  atomicMin(&out[2], i);
  atomicMax(&out[3], i);
  atomicAdd_block(&out[4], 1);
  atomicExch(&out[5], static_cast<T>(9));
}
template <class T> __global__ void bits(T* out) {
  T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAnd(&out[0], ~(static_cast<T>(1) << i % 16));
  atomicOr(&out[1], static_cast<T>(1) << i % 16);
  atomicXor_system(&out[2], i);
  T seen = out[3], assumed;
  do {
    assumed = seen;
    seen = atomicCAS(&out[3], assumed, assumed + 2);
  } while (assumed != seen);
}
__global__ void wrapping(unsigned* out) {
  atomicInc(&out[0], 9);
  atomicDec(&out[1], 9);
}
__global__ void halves(__half* sum, __half2* pair) {
  atomicAdd(sum, __float2half(1.0f));
  atomicAdd(pair, __floats2half2_rn(1.0f, 2.0f));
}
__device__ double own_add(double* p, double v) {
  unsigned long long* bits = (unsigned long long*)p, old = *bits, seen;
  do {
    seen = old;
    old = atomicCAS(bits, seen, __double_as_longlong(v + __longlong_as_double(seen)));
  } while (seen != old);
  return __longlong_as_double(old);
}
__global__ void by_hand(double* sum) { own_add(sum, 0.5); }
)";

template <class T>
void check_arithmetic(const std::shared_ptr<UserModule>& module, const char* name) {
  std::vector<T> out{0, 2000, 500, 500, 0, 0};
  launch(module, name, {10}, {100}, out.data());
  EXPECT_EQ(out, (std::vector<T>{1000, 1000, 0, 999, 1000, 9})) << name;
}

template <class T>
void check_bits(const std::shared_ptr<UserModule>& module, const char* name) {
  std::vector<T> out{static_cast<T>(0xffff), 0, 0, 5};
  launch(module, name, {8}, {128}, out.data());
  EXPECT_EQ(out, (std::vector<T>{0, static_cast<T>(0xffff), 0, 2053})) << name;
}

TEST(Language, Atomics) {
  const auto module =
      testing::compile(kAtomics, {"arithmetic<int>", "arithmetic<unsigned>", "arithmetic<long long>",
                                  "arithmetic<unsigned long long>", "arithmetic<float>", "arithmetic<double>",
                                  "bits<int>", "bits<unsigned long long>"});
  check_arithmetic<int>(module, "arithmetic<int>");
  check_arithmetic<unsigned>(module, "arithmetic<unsigned>");
  check_arithmetic<long long>(module, "arithmetic<long long>");
  check_arithmetic<unsigned long long>(module, "arithmetic<unsigned long long>");
  check_arithmetic<float>(module, "arithmetic<float>");
  check_arithmetic<double>(module, "arithmetic<double>");
  check_bits<int>(module, "bits<int>");
  check_bits<unsigned long long>(module, "bits<unsigned long long>");
  std::vector<unsigned> wrapped{0, 0};
  launch(module, "wrapping", {5}, {21}, wrapped.data());
  EXPECT_EQ(wrapped, (std::vector<unsigned>{5, 5}));
  std::vector<std::uint16_t> half{0, 0, 0, 0};
  launch(module, "halves", {4}, {64}, half.data(), half.data() + 2);
  EXPECT_EQ(half, (std::vector<std::uint16_t>{0x5c00, 0, 0x5c00, 0x6000}));  // 256, 512
  double sum = 0;
  launch(module, "by_hand", {10}, {100}, &sum);
  EXPECT_EQ(sum, 500);
}

const char* const kSmall = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <math_constants.h>
#include <cuda/std/limits>
#include <cmath>
template <class H> __device__ void both(H a, H b, float* out) {
  int k = 0;
  out[k++] = float(a + b);      out[k++] = float(a - b);     out[k++] = float(a * b);   out[k++] = float(a / b);
  out[k++] = float(__hadd(a, b));                            out[k++] = float(__hfma(a, b, a));
  out[k++] = a < b;             out[k++] = __hge(a, b);      out[k++] = float(hsqrt(b * b));
  out[k++] = float(__hmax(a, b));                            out[k++] = float(-a);      out[k++] = float(__habs(-b));
  a += b;
  out[k++] = float(a);          out[k++] = __hisnan(a);      out[k++] = float(hexp(H(0.0f)));
}
__global__ void half_numbers(float* out) { both<__half>(__float2half(1.5f), __half(2), out); }
__global__ void bfloat_numbers(float* out) { both<__nv_bfloat16>(__float2bfloat16(1.5f), __nv_bfloat16(2), out); }
__global__ void half_conversions(float* out) {
  int k = 0;
  half2 pair = __floats2half2_rn(1.0f, 3.0f);
  half2 sum = __hfma2(pair, pair, __float2half2_rn(0.5f));
  out[k++] = __low2float(sum);                      out[k++] = __high2float(sum);
  out[k++] = __half22float2(__lowhigh2highlow(sum)).x;
  out[k++] = __half2int_rn(__float2half(2.5f));     out[k++] = __half2float(__int2half_rn(7));
  out[k++] = __half_as_ushort(__float2half(1.0f));  out[k++] = __half2float(__ushort_as_half(0x4000));
  out[k++] = __half2float(__float2half_rd(0.1f)) <= 0.1f && __half2float(__float2half_ru(0.1f)) >= 0.1f;
  out[k++] = __half2float(__float2half(65520.0f)) == CUDART_INF_F;
  out[k++] = sizeof(half) + sizeof(half2);          out[k++] = __bfloat162float(__float2bfloat16(257.0f));
  out[k++] = cuda::std::numeric_limits<float>::max() == CUDART_MAX_NORMAL_F;
}
)";

TEST(Language, SmallFloats) {
  const auto module = testing::compile(kSmall);
  const std::vector<float> expected{3.5f, -0.5f, 3, 0.75f, 3.5f, 4.5f, 1, 0, 2, 2, -1.5f, 2, 3.5f, 0, 1};
  for (const char* name : {"half_numbers", "bfloat_numbers"}) {
    std::vector<float> out(15);
    launch(module, name, {1}, {1}, out.data());
    EXPECT_EQ(out, expected) << name;
  }
  std::vector<float> out(12);
  launch(module, "half_conversions", {1}, {1}, out.data());
  EXPECT_EQ(out, (std::vector<float>{1.5f, 9.5f, 9.5f, 2, 7, 15360, 2, 1, 1, 6, 256, 1}));
}

}  // namespace
}  // namespace cuprum
