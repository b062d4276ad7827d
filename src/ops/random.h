// Random numbers: NumPy's laws over NumPy's bit generators, with NumPy's parameters, shapes and errors.
//
// The numbers of a generator are one stream, and a call takes the next part of it, wherever the array is made. Where the length of that part
// is known beforehand the call is recorded as any other, and the state moves on at once. Where it depends on the numbers, a
// synchronous device computes them in the call; on an asynchronous one the state becomes a result of the call, which the next call
// takes as operand, and the host waits only when it asks for the state.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/random_bits.h"
#include "expr/array.h"
#include "ops/value.h"
#include "runtime/primitives.h"

namespace cuprum::ops {

class BitGenerator {
 public:
  explicit BitGenerator(BitState state) : kind_(state.kind), state_(std::move(state)) {}

  BitKind kind() const { return kind_; }
  /// Waits for a device that has yet to find it.
  BitState state();
  void set_state(BitState state);
  /// Changes the state by `change(state)`.
  template <class F>
  void update(F&& change) {
    const Guard guard(*this);
    settle();
    change(state_);
  }

  /// The next numbers, of a primitive whose state is left to this. `arrays` are its parameters.
  Array draw(Draw&& draw, std::span<const Array* const> arrays, dtype type, const Dims& shape,
             Backend& backend);

 private:
  /// The lock is not waited for with the GIL: whoever has it may be waiting for that.
  class Guard {
   public:
    explicit Guard(BitGenerator& g);
    ~Guard() { mutex_.unlock(); }

   private:
    std::mutex& mutex_;
  };

  void settle();

  const BitKind kind_;
  std::mutex mutex_;
  BitState state_;  // unless
  Array pending_;   // the packed state, on a device
};

/// A generator of a kind from a seed sequence.
BitState seed_state(BitKind kind, const SeedPool& pool);

/// How a call of a law is made.
struct DrawArgs {
  std::optional<Dims> size;    // unset: the shape of the parameters
  const Array* out = nullptr;  // written and returned
  bool legacy = false;         // RandomState's numbers
  std::optional<dtype> type;   // float32, where the law has it
};

/// `name` is that of numpy.random.Generator's method; parameters in its order: random, standard_normal, standard_exponential,
/// exponential, normal, uniform, standard_gamma, gamma, beta, ..., poisson, binomial, hypergeometric, ...
Array draw_law(BitGenerator& g, std::string_view name, std::span<const Value> parameters,
               const DrawArgs& args, Backend& backend);

/// Integers of [low, high), or of [low, high] with `endpoint`; arrays broadcast. `masked` as RandomState bounds them.
struct IntegerArgs {
  std::optional<Dims> size;
  dtype type = dtype::int64;
  bool endpoint = false;
  bool masked = false;
};
Array integers(BitGenerator& g, const Value& low, const Value& high, const IntegerArgs& args,
               Backend& backend);

/// Draws of 64 bits as they come; of 32 bits where the generator (MT19937) has no more.
Array random_raw(BitGenerator& g, const Dims& shape, Backend& backend);
/// Draws of 32 bits.
Array random_words(BitGenerator& g, std::int64_t count, Backend& backend);

/// The positions 0..n-1 of each row of `rows`... in random order: shape (*rows, n).
Array shuffled_positions(BitGenerator& g, const Dims& rows, std::int64_t n, Backend& backend);
/// `count` of `population` positions, none twice.
Array sampled_positions(BitGenerator& g, std::int64_t population, std::int64_t count, bool shuffled,
                        Backend& backend);

// -- Laws of vectors (random_vectors.cpp): a row of numbers for each element of `size`. `legacy`: RandomState's.

/// How often each outcome comes among n trials: shape (*size, d) for probabilities (..., d). `size` unset: the shape of the
/// parameters.
Array multinomial(BitGenerator& g, const Value& n, const Array& pvals, const std::optional<Dims>& size,
                  bool legacy = false);
/// Shares that sum to one.
Array dirichlet(BitGenerator& g, const Array& alpha, const Dims& size, bool legacy = false);
/// Colors of balls that are taken from an urn; `method` "marginals" or "count".
Array multivariate_hypergeometric(BitGenerator& g, const Array& colors, std::int64_t nsample,
                                  const Dims& size, std::string_view method);
/// Throws what that law says of colors that are none.
[[noreturn]] void refuse_colors();

struct NormalVectorArgs {
  Dims size;
  std::string_view check_valid = "warn";  // "raise", "ignore"
  double tol = 1e-8;
  std::string_view method = "svd";  // "eigh", "cholesky"
  bool legacy = false;
};
/// Normal vectors with a covariance. The host factors it, and the call waits for that.
Array multivariate_normal(BitGenerator& g, const Array& mean, const Array& cov, const NormalVectorArgs& args);

}  // namespace cuprum::ops
