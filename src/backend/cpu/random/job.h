// A call of Draw on the CPU, and the ways to do it: all threads, or one reader where the law or the generator wants it, or where each number
// has parameters of its own.
#pragma once

#include <bit>
#include <cstring>

#include "backend/cpu/random/chain.h"
#include "runtime/primitives.h"

namespace cuprum::cpu {

/// Parameters by their place in the law's signature.
struct Parameters {
  LawParameters bits;

  double real(std::size_t i) const { return std::bit_cast<double>(bits[i]); }
  std::int64_t integer(std::size_t i) const { return static_cast<std::int64_t>(bits[i]); }
};

struct Job {
  const Draw& draw;
  BitState from;
  Operands arrays;  // of parameters
  const View& out;
  std::int64_t n;
  BitState after;

  template <class T>
  T* numbers() const {
    return reinterpret_cast<T*>(out.data.address());
  }
};

/// Walks over arrays of parameters in C order.
class ParameterWalk {
 public:
  explicit ParameterWalk(const Job& job) : arrays_(job.arrays), at_(job.out.shape.size(), 0) {
    for (std::size_t k = 0; k < arrays_.size(); ++k) data_[k] = arrays_[k].data;
  }
  /// From number `begin` on.
  ParameterWalk(const Job& job, std::int64_t begin) : ParameterWalk(job) {
    for (std::size_t d = at_.size(); d-- > 0 && begin > 0;) {
      const std::int64_t extent = arrays_[0].shape[d];
      at_[d] = begin % extent;
      begin /= extent;
      for (std::size_t k = 0; k < arrays_.size(); ++k) data_[k] += at_[d] * arrays_[k].strides[d];
    }
  }
  Parameters here() const {
    Parameters p = {};
    for (std::size_t k = 0; k < arrays_.size(); ++k) std::memcpy(&p.bits[k], data_[k], 8);
    return p;
  }
  void move_on() {
    for (std::size_t d = at_.size(); d-- > 0;) {
      ++at_[d];
      for (std::size_t k = 0; k < arrays_.size(); ++k) data_[k] += arrays_[k].strides[d];
      if (at_[d] < arrays_[0].shape[d]) return;
      for (std::size_t k = 0; k < arrays_.size(); ++k) data_[k] -= at_[d] * arrays_[k].strides[d];
      at_[d] = 0;
    }
  }

 private:
  Operands arrays_;
  std::array<const std::byte*, 3> data_ = {};
  std::vector<std::int64_t> at_;
};

inline constexpr std::int64_t kFewNumbers = 4096;  // that one thread draws as soon as several

/// `make(Parameters)` is the law, whose numbers are stored as T.
template <class T, Reads kReads, int kMostPerDraw, class Make>
void draw_numbers(Job& job, Make&& make) {
  T* const out = job.numbers<T>();
  if (!job.arrays.empty()) {
    Reader reader(job.from, job.n);
    ParameterWalk walk(job);
    for (std::int64_t i = 0; i < job.n; ++i, walk.move_on())
      out[i] = static_cast<T>(make(walk.here())(reader));
    job.after = reader.state();
    return;
  }
  const auto law = make(Parameters{job.draw.parameters});
  std::int64_t i = 0;
  Reader reader(job.from, job.n / kMostPerDraw + 1);
  if constexpr (kReads != Reads::mixed) {
    if (can_skip(job.from.kind) && job.n > kFewNumbers) {
      out[i++] = static_cast<T>(law(reader));
      if (!reader.place().same_as(Reader(job.from, 1).place())) {  // else it draws nothing, ever
        Chain<T, kReads, kMostPerDraw, decltype(law)> chain(job.from, law, job.n, out);
        job.after = chain.run();
        return;
      }
    }
  }
  read_numbers<kReads>(reader, law, kEver, job.n - i, out + i);
  job.after = reader.state();
}

template <class Law>
struct Scaled {
  Law law;
  double loc, scale;

  double operator()(Reader& r) const { return loc + scale * law(r); }
};
template <class Law>
requires requires { typename Law::Unit; }
struct Scaled<Law> {
  using Unit = typename Law::Unit;
  Law law;
  double loc, scale;

  double operator()(Reader& r) const { return loc + scale * law(r); }
  Run run(const Unit* units, std::int64_t n, double* out) const {
    const Run result = law.run(units, n, out);
    for (std::int64_t i = 0; i < result.numbers; ++i) out[i] = loc + scale * out[i];
    return result;
  }
};
template <class Law>
Scaled(Law, double, double) -> Scaled<Law>;

/// Laws of float64: as above, with loc and scale.
template <Reads kReads, class Make>
void draw_scaled(Job& job, Make&& make) {
  if (!job.draw.scaled) return draw_numbers<double, kReads, 1>(job, make);
  draw_numbers<double, kReads, 1>(job, [&](const Parameters& p) {
    return Scaled{make(p), job.draw.loc, job.draw.scale};
  });
}

/// Generators with a stream for each number.
bool draw_elements(Job& job);
// The families; each knows the laws of its file, and says whether this is one.
bool draw_simple(Job& job);
bool draw_continuous(Job& job);
bool draw_discrete(Job& job);
bool draw_legacy(Job& job);
bool draw_integers(Job& job);
bool draw_vectors(Job& job);

}  // namespace cuprum::cpu
