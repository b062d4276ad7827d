// Laws whose numbers come in vectors: multinomial, Dirichlet, multivariate hypergeometric; shuffled positions and samples without
// repetition. One reader draws them.
#include <cstring>
#include <numeric>

#include "backend/cpu/random/job.h"
#include "kernels/random/binomial.h"
#include "kernels/random/legacy.h"

namespace cuprum::cpu {

namespace {

namespace random = kernels::random;

std::int64_t row_length(const Job& job) { return job.out.shape.back(); }

// -- Multinomial: one binomial number after the other, of what is left.

void draw_multinomial(Job& job, bool legacy) {
  const View& counts = job.arrays[0];
  const View& probabilities = job.arrays[1];
  const std::int64_t d = row_length(job), rows = d == 0 ? 0 : job.n / d;
  std::int64_t* row = job.numbers<std::int64_t>();
  std::memset(row, 0, static_cast<std::size_t>(job.n) * 8);
  Reader reader(job.from, job.n);
  std::vector<std::int64_t> at(counts.shape.size(), 0);
  const std::byte *count = counts.data, *p = probabilities.data;
  const std::int64_t step = probabilities.strides.back();
  for (std::int64_t i = 0; i < rows; ++i, row += d) {
    std::int64_t left;
    std::memcpy(&left, count, 8);
    double rest = 1.0;
    for (std::int64_t j = 0; j + 1 < d; ++j) {
      double share;
      std::memcpy(&share, p + j * step, 8);
      row[j] = random::Binomial(left, share / rest, legacy)(reader);
      left -= row[j];
      if (left <= 0) break;
      rest -= share;
    }
    if (left > 0) row[d - 1] = left;
    for (std::size_t k = at.size(); k-- > 0;) {
      ++at[k];
      count += counts.strides[k];
      p += probabilities.strides[k];
      if (at[k] < counts.shape[k]) break;
      count -= at[k] * counts.strides[k];
      p -= at[k] * probabilities.strides[k];
      at[k] = 0;
    }
  }
  job.after = reader.state();
}

// -- Dirichlet: gammas over their sum, or a stick that is broken by betas where all are so small that the gammas could vanish.

std::vector<double> vector_of(const View& v) {
  std::vector<double> result(static_cast<std::size_t>(v.shape[0]));
  for (std::size_t i = 0; i < result.size(); ++i)
    std::memcpy(&result[i], v.data + static_cast<std::int64_t>(i) * v.strides[0], 8);
  return result;
}

template <class Source>
void normalized_gammas(Reader& reader, const std::vector<double>& alpha, double* row) {
  double sum = 0.0;
  for (std::size_t j = 0; j < alpha.size(); ++j)
    sum += row[j] = random::standard_gamma<Source, double>(reader, alpha[j]);
  const double inverse = 1.0 / sum;
  for (std::size_t j = 0; j < alpha.size(); ++j) row[j] *= inverse;
}

void broken_stick(Reader& reader, const std::vector<double>& alpha, const std::vector<double>& rest,
                  double* row) {
  double left = 1.0;
  for (std::size_t j = 0; j + 1 < alpha.size(); ++j) {
    const double v = random::beta(reader, alpha[j], rest[j + 1]);
    row[j] = left * v;
    left *= 1.0 - v;
    if (rest[j + 1] == 0) break;
  }
  row[alpha.size() - 1] = left;
}

void draw_dirichlet(Job& job, bool legacy) {
  const std::vector<double> alpha = vector_of(job.arrays[0]);
  const std::int64_t d = row_length(job);
  double* const out = job.numbers<double>();
  std::memset(out, 0, static_cast<std::size_t>(job.n) * 8);
  std::vector<double> rest(alpha);  // sums from the right
  for (std::size_t j = rest.size(); j-- > 1;) rest[j - 1] += rest[j];
  const bool small = !legacy && d > 0 && *std::max_element(alpha.begin(), alpha.end()) < 0.1;
  Reader reader(job.from, job.n);
  for (std::int64_t i = 0; i < job.n; i += d) {
    if (legacy)
      normalized_gammas<random::legacy::Source>(reader, alpha, out + i);
    else if (!small)
      normalized_gammas<random::Modern>(reader, alpha, out + i);
    else if (rest[0] > 0)
      broken_stick(reader, alpha, rest, out + i);
  }
  job.after = reader.state();
}

// -- Multivariate hypergeometric: marginals one after the other, or a part of a shuffled urn.

void marginals(Reader& reader, const std::vector<std::int64_t>& colors, std::int64_t total,
               std::int64_t taken, std::int64_t* row) {
  std::int64_t others = total;
  for (std::size_t j = 0; taken > 0 && j + 1 < colors.size(); ++j) {
    others -= colors[j];
    row[j] = random::hypergeometric(reader, colors[j], others, taken);
    taken -= row[j];
  }
  if (taken > 0) row[colors.size() - 1] = taken;
}

void counted(Reader& reader, std::vector<std::int64_t>& urn, std::int64_t taken, std::int64_t* row) {
  for (std::int64_t j = 0; j < taken; ++j) {
    const std::uint64_t other =
        random::interval(reader, static_cast<std::uint64_t>(static_cast<std::int64_t>(urn.size()) - j - 1));
    std::swap(urn[static_cast<std::size_t>(j) + other], urn[static_cast<std::size_t>(j)]);
  }
  for (std::int64_t j = 0; j < taken; ++j) ++row[urn[static_cast<std::size_t>(j)]];
}

void draw_hypergeometrics(Job& job) {
  const View& in = job.arrays[0];
  const std::int64_t d = row_length(job);
  std::vector<std::int64_t> colors(static_cast<std::size_t>(d));
  for (std::int64_t j = 0; j < d; ++j)
    std::memcpy(&colors[static_cast<std::size_t>(j)], in.data + j * in.strides[0], 8);
  const std::int64_t total = std::accumulate(colors.begin(), colors.end(), std::int64_t{0});
  std::int64_t taken = static_cast<std::int64_t>(job.draw.parameters[0]);
  const bool counts = job.draw.parameters[1] != 0, complement = taken > total / 2,
             empty = total == 0 || taken == 0;
  if (complement) taken = total - taken;
  std::vector<std::int64_t> urn;
  if (counts) {
    for (std::int64_t j = 0; j < d; ++j)
      urn.insert(urn.end(), static_cast<std::size_t>(colors[static_cast<std::size_t>(j)]), j);
  }
  std::int64_t* row = job.numbers<std::int64_t>();
  std::memset(row, 0, static_cast<std::size_t>(job.n) * 8);
  Reader reader(job.from, job.n);
  for (std::int64_t i = 0; i < job.n && !empty; i += d, row += d) {
    if (counts)
      counted(reader, urn, taken, row);
    else
      marginals(reader, colors, total, taken, row);
    for (std::int64_t j = 0; j < d && complement; ++j) row[j] = colors[static_cast<std::size_t>(j)] - row[j];
  }
  job.after = reader.state();
}

// -- Positions.

/// From the last position to `first`, each is exchanged with one at or before it. The partners of a batch are drawn first, so that
/// their memory is on its way when they are needed: 5 ns instead of 17 for a position among ten million.
void shuffle_row(Reader& reader, std::int64_t n, std::int64_t first, bool masked, std::int64_t* row) {
  constexpr std::int64_t kBatch = 64;
  std::int64_t partners[kBatch];
  for (std::int64_t i = n - 1; i >= first;) {
    const std::int64_t batch = std::min(kBatch, i - first + 1);
    for (std::int64_t k = 0; k < batch; ++k) {
      const std::uint64_t most = static_cast<std::uint64_t>(i - k);
      partners[k] =
          static_cast<std::int64_t>(masked ? random::interval(reader, most) : random::bounded(reader, most));
      __builtin_prefetch(row + partners[k], 1);
    }
    for (std::int64_t k = 0; k < batch; ++k, --i) std::swap(row[i], row[partners[k]]);
  }
}

void draw_shuffle(Job& job) {
  const std::int64_t n = row_length(job);
  std::int64_t* const out = job.numbers<std::int64_t>();
  Reader reader(job.from, job.n);
  for (std::int64_t i = 0; i < job.n; i += n) {
    std::iota(out + i, out + i + n, std::int64_t{0});
    shuffle_row(reader, n, static_cast<std::int64_t>(job.draw.parameters[0]), job.draw.parameters[1] != 0,
                out + i);
  }
  job.after = reader.state();
}

/// Floyd's algorithm: a position that was drawn before gives way to the last one that could be drawn.
void floyd(Reader& reader, std::int64_t population, std::int64_t n, std::int64_t* out) {
  const std::uint64_t mask = random::mask_of(static_cast<std::uint64_t>(1.2 * static_cast<double>(n)));
  constexpr std::uint64_t none = ~std::uint64_t{0};
  std::vector<std::uint64_t> seen(mask + 1, none);
  const auto place_of = [&](std::uint64_t value) {
    std::uint64_t at = value & mask;
    while (seen[at] != none && seen[at] != value) at = (at + 1) & mask;
    return at;
  };
  for (std::int64_t j = population - n; j < population; ++j) {
    std::uint64_t value = random::bounded(reader, static_cast<std::uint64_t>(j)), at = place_of(value);
    if (seen[at] != none) {
      value = static_cast<std::uint64_t>(j);
      at = place_of(value);
    }
    seen[at] = value;
    *out++ = static_cast<std::int64_t>(value);
  }
}

/// NumPy's choice between two algorithms, which the numbers depend on.
void draw_sample(Job& job) {
  const std::int64_t population = static_cast<std::int64_t>(job.draw.parameters[0]), n = job.n;
  const bool shuffled = job.draw.parameters[1] != 0;
  std::int64_t* const out = job.numbers<std::int64_t>();
  Reader reader(job.from, n);
  if (population > 10000 && n > population / (shuffled ? 50 : 20)) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(population));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    shuffle_row(reader, population, std::max<std::int64_t>(population - n, 1), false, all.data());
    std::copy(all.end() - n, all.end(), out);
  } else {
    floyd(reader, population, n, out);
    if (shuffled) {
      for (std::int64_t i = n - 1; i >= 1; --i)
        std::swap(out[i], out[random::bounded(reader, static_cast<std::uint64_t>(i))]);
    }
  }
  job.after = reader.state();
}

}  // namespace

bool draw_vectors(Job& job) {
  switch (job.draw.law) {
    case Law::multinomial: draw_multinomial(job, false); return true;
    case Law::legacy_multinomial: draw_multinomial(job, true); return true;
    case Law::dirichlet: draw_dirichlet(job, false); return true;
    case Law::legacy_dirichlet: draw_dirichlet(job, true); return true;
    case Law::multivariate_hypergeometric: draw_hypergeometrics(job); return true;
    case Law::shuffle: draw_shuffle(job); return true;
    case Law::sample: draw_sample(job); return true;
    default: return false;
  }
}

}  // namespace cuprum::cpu
