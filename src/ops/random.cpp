#include "ops/random.h"

#include <array>

#include "ops/creation.h"
#include "ops/manipulate.h"
#include "ops/support.h"

namespace cuprum::ops {

BitGenerator::Guard::Guard(BitGenerator& g) : mutex_(g.mutex_) {
  if (mutex_.try_lock()) return;
  const EngineLock lock;  // which the section lets go, with the GIL
  const BlockingSection section;
  mutex_.lock();
}

void BitGenerator::settle() {
  if (!pending_) return;
  std::vector<std::uint64_t> words(packed_size(kind_));
  copy_to_host(pending_, words.data());
  state_ = unpack(kind_, words.data());
  pending_ = Array();
}

BitState BitGenerator::state() {
  const Guard guard(*this);
  settle();
  return state_;
}

void BitGenerator::set_state(BitState state) {
  const Guard guard(*this);
  pending_ = Array();
  state_ = std::move(state);
}

namespace {

/// Moves the state behind n numbers of a law that takes a fixed part of the stream for each; false: it does not.
bool move_behind(BitState& state, Law law, std::int64_t n) {
  const bool twister = state.kind == BitKind::mt19937;
  switch (law) {
    case Law::random:
    case Law::inverse_exponential:
    case Law::triangular:
    case Law::raw:
      if (!can_skip(state.kind)) return false;  // would be as much work as drawing them
      skip(state, static_cast<std::uint64_t>(n));
      return true;
    case Law::random_f:
    case Law::inverse_exponential_f:
    case Law::half: {
      if (twister || !can_skip(state.kind)) return false;
      if (n > 0 && state.half_is_held) {
        state.half_is_held = false;
        --n;
      }
      if (n == 0) return true;
      skip(state, static_cast<std::uint64_t>((n + 1) / 2 - 1));
      state.half = static_cast<std::uint32_t>(draw(state) >> 32);
      state.half_is_held = n % 2 != 0;
      return true;
    }
    default: return false;
  }
}

}  // namespace

Array BitGenerator::draw(Draw&& draw, std::span<const Array* const> arrays, dtype type, const Dims& shape,
                         Backend& backend) {
  check_shape("random", shape, type);
  const Guard guard(*this);
  if (pending_ && (&pending_.backend() != &backend || !backend.asynchronous)) settle();
  draw.kind = kind_;
  const std::array results = {
      ResultSpec{type, shape, contiguous_strides(shape, static_cast<std::int64_t>(itemsize(type)))},
      ResultSpec{dtype::uint64, Dims{static_cast<std::int64_t>(packed_size(kind_))}, Dims{8}}};
  std::vector<const Array*> in;
  if (pending_)
    in.push_back(&pending_);
  else
    draw.from = std::make_shared<const BitState>(state_);
  in.insert(in.end(), arrays.begin(), arrays.end());
  std::int64_t n = 1;
  for (const std::int64_t extent : shape) n *= extent;
  if (n == 0) return make_array(backend, type, shape);
  if (!pending_ && move_behind(state_, draw.law, n))
    return record_calls(backend, std::move(draw), in, std::span(results).first(1))[0];
  std::vector<Array> made = record_calls(backend, std::move(draw), in, results);
  if (backend.asynchronous) {
    pending_ = made[1];
  } else {
    evaluate(made, Reason::not_fusable);
    pending_ = made[1];
    settle();
  }
  return made[0];
}

BitState seed_state(BitKind kind, const SeedPool& pool) {
  return seeded(kind, pool.generate_wide(static_cast<std::size_t>(seed_words(kind))));
}

Array random_raw(BitGenerator& g, const Dims& shape, Backend& backend) {
  return g.draw({Law::raw, {}, {}}, {}, dtype::uint64, shape, backend);
}

Array random_words(BitGenerator& g, std::int64_t count, Backend& backend) {
  return g.draw({Law::half, {}, {}}, {}, dtype::uint32, Dims{count}, backend);
}

namespace {

std::uint64_t bits(std::int64_t x) { return static_cast<std::uint64_t>(x); }

Dims with_last(const Dims& rows, std::int64_t n) {
  Dims shape = rows;
  shape.push_back(n);
  return shape;
}

}  // namespace

Array shuffled_positions(BitGenerator& g, const Dims& rows, std::int64_t n, Backend& backend) {
  return g.draw({Law::shuffle, {}, {}, {1, 1, 0}}, {}, dtype::int64, with_last(rows, n), backend);
}

Array sampled_positions(BitGenerator& g, std::int64_t population, std::int64_t count, bool shuffled,
                        Backend& backend) {
  return g.draw({Law::sample, {}, {}, {bits(population), shuffled, 0}}, {}, dtype::int64, Dims{count},
                backend);
}

Array multinomial(BitGenerator& g, const Array& counts, const Array& probabilities, bool legacy) {
  const std::array<const Array*, 2> in = {&counts, &probabilities};
  return g.draw({legacy ? Law::legacy_multinomial : Law::multinomial, {}, {}}, in, dtype::int64,
                probabilities.shape(), probabilities.backend());
}

Array dirichlet(BitGenerator& g, const Array& alpha, const Dims& size, bool legacy) {
  const std::array<const Array*, 1> in = {&alpha};
  return g.draw({legacy ? Law::legacy_dirichlet : Law::dirichlet, {}, {}}, in, dtype::float64,
                with_last(size, alpha.shape()[0]), alpha.backend());
}

Array multivariate_hypergeometric(BitGenerator& g, const Array& colors, std::int64_t taken, const Dims& size,
                                  bool counts) {
  const std::array<const Array*, 1> in = {&colors};
  return g.draw({Law::multivariate_hypergeometric, {}, {}, {bits(taken), counts, 0}}, in, dtype::int64,
                with_last(size, colors.shape()[0]), colors.backend());
}

}  // namespace cuprum::ops
