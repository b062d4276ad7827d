#include "ops/random.h"

#include <algorithm>
#include <array>
#include <bit>

#include "ops/basic_index.h"
#include "ops/creation.h"
#include "ops/manipulate.h"
#include "ops/random_support.h"
#include "ops/sort.h"
#include "ops/support.h"
#include "runtime/own_streams.h"

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

Array BitGenerator::draw(Draw&& draw, std::span<const Array* const> arrays, dtype type, const Dims& shape,
                         Backend& asked) {
  check_shape("random", shape, type);
  static_cast<void>(OnePlace(arrays, bytes_of(shape, type)));
  Backend& backend = place_of_call(asked, arrays, bytes_of(shape, type));
  const Guard guard(*this);
  draw.kind = kind_;
  const bool known = has_own_streams(kind_, draw.law) || is_order(draw);  // needs the state, and tells it
  if (pending_ && (known || &pending_.backend() != &backend || !backend.asynchronous)) settle();
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
  if (const int bits = pending_ ? 0 : place_bits(draw, type, !arrays.empty()); bits != 0) {
    skip_units(state_, bits, n);
    return record_calls(backend, std::move(draw), in, std::span(results).first(1))[0];
  }
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

/// 0..n-1 of each row in the order of random keys: the upper bits of a draw, with the position below them, which is the answer and decides
/// between equal keys. Of 4M positions two have equal keys.
Array in_order_of_keys(BitGenerator& g, const Dims& rows, std::int64_t n, Backend& backend) {
  constexpr dtype type = dtype::uint64;
  const std::uint64_t below = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1))) - 1;
  const Array draws = random_raw(g, with_last(rows, n), backend),
              places = arange(n, Scalar::of(type, 0), Scalar::of(type, 1), type, backend);
  const Array keys =
      apply(Op::bitwise_or, type, apply(Op::bitwise_and, type, draws, Scalar::of(type, ~below)), places);
  return record_cast(apply(Op::bitwise_and, type, sort(keys), Scalar::of(type, below)), dtype::int64);
}

/// Draws in turn would keep a device waiting for the host: generators of the fastest kind have an order of their own.
bool orders_by_keys(const BitGenerator& g) { return g.kind() == BitKind::philox4x32; }

}  // namespace

Array shuffled_positions(BitGenerator& g, const Dims& rows, std::int64_t n, Backend& backend) {
  if (orders_by_keys(g) && rows.empty() && bits(n) > kOrdered)
    return g.draw({Law::sample, {}, {}, {bits(n), true, 0}}, {}, dtype::int64, Dims{n}, backend);
  if (orders_by_keys(g)) return in_order_of_keys(g, rows, n, backend);
  return g.draw({Law::shuffle, {}, {}, {1, 1, 0}}, {}, dtype::int64, with_last(rows, n), backend);
}

Array sampled_positions(BitGenerator& g, std::int64_t population, std::int64_t count, bool shuffled,
                        Backend& backend) {
  constexpr std::int64_t many = 50;  // NumPy's bound too: above, positions are drawn until they are enough
  if (orders_by_keys(g) && bits(population) <= kOrdered && population / many <= count)
    return slice_first(in_order_of_keys(g, Dims{}, population, backend), 0, count, 1);
  return g.draw({Law::sample, {}, {}, {bits(population), shuffled, 0}}, {}, dtype::int64, Dims{count},
                backend);
}

}  // namespace cuprum::ops
