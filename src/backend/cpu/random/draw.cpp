// Random numbers; see runtime/primitives_random.h.
#include "backend/cpu/backend.h"
#include "backend/cpu/random/job.h"
#include "backend/cpu/random/placed.h"
#include "core/integers.h"
#include "runtime/own_streams.h"

namespace cuprum::cpu {

namespace {

/// By all threads.
bool draw_placed(Job& job) {
  if (!job.arrays.empty()) return false;
  const dtype type = job.out.type;
  const auto law = placed_law(job.draw, job.from, type);
  if (!law) return false;
  const auto size = static_cast<std::int64_t>(itemsize(type));
  parallel_for(ceil_div(job.n, law->share), [&](std::int64_t k) {
    const std::int64_t first = k * law->share;
    law->draw(first, std::min(law->share, job.n - first), job.numbers<std::byte>() + first * size);
  });
  job.after = job.from;
  skip_units(job.after, place_bits(job.draw, type, false), job.n);
  return true;
}

}  // namespace

std::unique_ptr<const PlacedLaw> placed_law(const Draw& draw, const BitState& from, dtype type) {
  if (!knows_places(draw, type, false)) return nullptr;
  std::unique_ptr<const PlacedLaw> law = simple_law(draw, from);
  return law ? std::move(law) : element_law(draw, from, type);
}

void call(const Draw& p, Operands in, Operands out) {
  BitState from;
  if (p.from) {
    from = *p.from;
  } else {
    from = unpack(p.kind, reinterpret_cast<const std::uint64_t*>(in[0].data.address()));
    in = in.subspan(1);
  }
  std::int64_t n = 1;
  for (const std::int64_t extent : out[0].shape) n *= extent;
  Job job{p, std::move(from), in, out[0], n, {}};
  if (n == 0)
    job.after = job.from;
  else
    draw_placed(job) || draw_elements(job) || draw_simple(job) || draw_continuous(job) ||
        draw_discrete(job) || draw_integers(job) || draw_vectors(job) || draw_legacy(job);
  if (out.size() > 1) pack(job.after, reinterpret_cast<std::uint64_t*>(out[1].data.address()));
}

}  // namespace cuprum::cpu
