// Random numbers; see runtime/primitives_random.h.
#include "backend/cpu/backend.h"
#include "backend/cpu/random/job.h"

namespace cuprum::cpu {

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
    draw_elements(job) || draw_simple(job) || draw_continuous(job) || draw_discrete(job) ||
        draw_integers(job) || draw_vectors(job) || draw_legacy(job);
  if (out.size() > 1) pack(job.after, reinterpret_cast<std::uint64_t*>(out[1].data.address()));
}

}  // namespace cuprum::cpu
