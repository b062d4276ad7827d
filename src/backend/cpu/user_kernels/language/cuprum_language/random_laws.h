// Uniform, normal and log-normal numbers of cuRAND's generators. Normal numbers come in pairs (Box and Muller).
#pragma once

#include "cuprum_language/math.h"
#include "cuprum_language/random_states.h"

namespace cuprum_language {

inline constexpr float kStep = 0x1p-32f, kCircle = kStep * 6.2831855f;
inline constexpr double kFineStep = 0x1p-53, kMrgStep = 2.3283065498378288e-10;

/// In (0, 1], and of 53 bits.
inline float unit(unsigned x) { return static_cast<float>(x) * kStep + kStep / 2; }
inline double unit(unsigned x, unsigned y) {
  const unsigned long long z = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(z) * kFineStep + kFineStep / 2;
}

inline float2 circle(float radius, float angle) {
  const float r = sqrtf(-2.0f * logf(radius));
  return {r * sinf(angle), r * cosf(angle)};
}
inline double2 circle(double radius, double half_turns) {
  const double r = sqrt(-2.0 * log(radius));
  return {r * sinpi(half_turns), r * cospi(half_turns)};
}

inline float2 normal_pair(unsigned x, unsigned y) {
  return circle(unit(x), static_cast<float>(y) * kCircle + kCircle / 2);
}
inline double2 normal_pair(unsigned x0, unsigned x1, unsigned y0, unsigned y1) {
  const unsigned long long y = y0 ^ static_cast<unsigned long long>(y1) << 21;
  return circle(unit(x0, x1), static_cast<double>(y) * (2 * kFineStep) + kFineStep);
}

template <class State>
float2 normal_pair(State* s) {
  const unsigned x = curand(s), y = curand(s);
  return normal_pair(x, y);
}
template <class State>
double2 normal_pair_double(State* s) {
  const unsigned x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
  return normal_pair(x0, x1, y0, y1);
}
inline float2 normal_pair(curandStateMRG32k3a* s) {
  const float x = static_cast<float>(draw(s) * kMrgStep);
  return circle(x, static_cast<float>(draw(s) * kMrgStep) * 6.2831855f);
}
inline double2 normal_pair_double(curandStateMRG32k3a* s) {
  const double x = draw(s) * kMrgStep;
  return circle(x, draw(s) * kMrgStep * 2.0);
}

/// The first of a pair; the second is kept for the next call of the same law.
template <class Pair>
auto one_of(int& flag, decltype(Pair().x)& kept, Extra law, const auto& draw_pair) {
  if (flag == law) {
    flag = kNone;
    return kept;
  }
  const Pair both = draw_pair();
  flag = law;
  kept = both.y;
  return both.x;
}

inline float2 raised(float2 v, float mean, float stddev) {
  return {expf(mean + stddev * v.x), expf(mean + stddev * v.y)};
}
inline double2 raised(double2 v, double mean, double stddev) {
  return {exp(mean + stddev * v.x), exp(mean + stddev * v.y)};
}

template <class T>
concept RandomState = requires(T s) {
  s.boxmuller_extra_double;
};

}  // namespace cuprum_language

// -- Uniform

template <cuprum_language::RandomState State>
inline float curand_uniform(State* state) {
  return cuprum_language::unit(curand(state));
}
inline float curand_uniform(curandStateMRG32k3a* state) {
  return static_cast<float>(cuprum_language::draw(state) * cuprum_language::kMrgStep);
}

inline double curand_uniform_double(curandStateXORWOW* state) {
  const unsigned x = curand(state), y = curand(state);
  return cuprum_language::unit(x, y);
}
inline double curand_uniform_double(curandStatePhilox4_32_10* state) {  // of 32 bits, as cuRAND's
  return curand(state) * 0x1p-32 + 0x1p-32;
}
inline double curand_uniform_double(curandStateMRG32k3a* state) {
  return cuprum_language::draw(state) * cuprum_language::kMrgStep;
}

inline float4 curand_uniform4(curandStatePhilox4_32_10* state) {
  using cuprum_language::unit;
  const uint4 v = curand4(state);
  return {unit(v.x), unit(v.y), unit(v.z), unit(v.w)};
}
inline double2 curand_uniform2_double(curandStatePhilox4_32_10* state) {
  const uint4 v = curand4(state);
  return {cuprum_language::unit(v.x, v.y), cuprum_language::unit(v.z, v.w)};
}

// -- Normal

template <cuprum_language::RandomState State>
inline float2 curand_normal2(State* state) {
  return cuprum_language::normal_pair(state);
}
template <cuprum_language::RandomState State>
inline double2 curand_normal2_double(State* state) {
  return cuprum_language::normal_pair_double(state);
}
inline float4 curand_normal4(curandStatePhilox4_32_10* state) {
  const float2 a = curand_normal2(state), b = curand_normal2(state);
  return {a.x, a.y, b.x, b.y};
}

template <cuprum_language::RandomState State>
inline float curand_normal(State* state) {
  return cuprum_language::one_of<float2>(state->boxmuller_flag, state->boxmuller_extra,
                                         cuprum_language::kNormal, [&] { return curand_normal2(state); });
}
template <cuprum_language::RandomState State>
inline double curand_normal_double(State* state) {
  return cuprum_language::one_of<double2>(state->boxmuller_flag_double, state->boxmuller_extra_double,
                                          cuprum_language::kNormal,
                                          [&] { return curand_normal2_double(state); });
}

// -- Log-normal

template <cuprum_language::RandomState State>
inline float2 curand_log_normal2(State* state, float mean, float stddev) {
  return cuprum_language::raised(curand_normal2(state), mean, stddev);
}
template <cuprum_language::RandomState State>
inline double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  return cuprum_language::raised(curand_normal2_double(state), mean, stddev);
}
inline float4 curand_log_normal4(curandStatePhilox4_32_10* state, float mean, float stddev) {
  const float2 a = curand_log_normal2(state, mean, stddev), b = curand_log_normal2(state, mean, stddev);
  return {a.x, a.y, b.x, b.y};
}

template <cuprum_language::RandomState State>
inline float curand_log_normal(State* state, float mean, float stddev) {
  return cuprum_language::one_of<float2>(state->boxmuller_flag, state->boxmuller_extra,
                                         cuprum_language::kLogNormal,
                                         [&] { return curand_log_normal2(state, mean, stddev); });
}
template <cuprum_language::RandomState State>
inline double curand_log_normal_double(State* state, double mean, double stddev) {
  return cuprum_language::one_of<double2>(state->boxmuller_flag_double, state->boxmuller_extra_double,
                                          cuprum_language::kLogNormal,
                                          [&] { return curand_log_normal2_double(state, mean, stddev); });
}
