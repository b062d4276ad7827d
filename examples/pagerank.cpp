// PageRank: the weight of every page of a random web, by products of its matrix with a vector until nothing moves.
//
//   c++ -std=c++20 pagerank.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>
#include <iostream>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 2000;
  const double damping = 0.85;
  const cp::random::generator rng(11);
  // Page j links to page i: few pages get most links.
  const cp::array fame = 1.0 / cp::arange(1.0, static_cast<double>(n + 1));
  const cp::array links = rng.random({n, n}) < 8.0 * fame(cp::slice(), cp::newaxis);
  const cp::array out = cp::maximum(cp::sum(links, 0), 1);
  const cp::array step = links / out;  // columns add up to one

  cp::array rank = cp::ones({n}) / static_cast<double>(n);
  double moved = 1;
  int rounds = 0;
  for (; moved > 1e-10 && rounds < 100; ++rounds) {
    cp::array next = damping * cp::matmul(step, rank);
    next = next + (1.0 - cp::sum(next)) / static_cast<double>(n);
    moved = cp::sum(cp::absolute(next - rank)).item<double>();
    rank = next;
  }
  const cp::array best = cp::argsort(-rank)(cp::slice(0, 5));
  std::cout << "after " << rounds << " rounds the first pages are " << best << '\n';
  return cp::sum(rank).item<double>() - 1 < 1e-9 && cp::max(best).item<std::int64_t>() < 20 ? 0 : 1;
}
