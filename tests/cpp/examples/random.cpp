// cuprum/random.h
#include "examples.h"

using cp::random::generator;

TEST(Examples, random) {
  // random::generator::generator
  {
    const cp::random::generator rng(42);  // numpy.random.default_rng(42)
    shows(rng.random({3}), "[0.77395605 0.43887844 0.85859792]");
    const cp::random::generator fast(42, cp::random::bits::philox4x32), other;
    shows(fast.random({2, 2}).shape(), "{2, 2}");
    shows(other.random({2, 2}).type(), "float64");
  }
  // random::default_rng
  shows(cp::random::default_rng(42).random({2}), "[0.77395605 0.43887844]");
  shows(cp::random::default_rng().random({2}).shape(), "{2}");
  // random::generator::random
  shows(generator(42).random({2}), "[0.77395605 0.43887844]");
  shows(generator(42).random({2}, cp::dtype::float32), "[0.08925092 0.773956  ]");
  // random::generator::uniform
  shows(generator(42).uniform(-1.0, 1.0, {3}), "[ 0.5479121  -0.12224312  0.71719584]");
  // random::generator::standard_normal
  shows(generator(42).standard_normal({3}), "[ 0.30471708 -1.03998411  0.7504512 ]");
  // random::generator::normal
  shows(generator(42).normal(10.0, 2.0, {3}), "[10.60943416  7.92003179 11.50090239]");
  // random::generator::standard_exponential
  shows(generator(42).standard_exponential({3}), "[2.4042086  2.33618966 2.384761  ]");
  // random::generator::exponential
  shows(generator(42).exponential(10.0, {3}), "[24.04208604 23.36189656 23.84761   ]");
  // random::generator::gamma
  shows(generator(42).gamma(2.0, 10.0, {3}), "[20.9181727 28.3534559 18.3721558]");
  // random::generator::beta
  shows(generator(42).beta(2.0, 3.0, {3}), "[0.33841184 0.41040973 0.52590011]");
  // random::generator::poisson
  shows(generator(42).poisson(4.0, {5}), "[6 3 6 8 1]");
  // random::generator::binomial
  shows(generator(42).binomial(10, 0.5, {5}), "[6 5 7 6 3]");
  // random::generator::standard_cauchy
  shows(generator(42).standard_cauchy({3}), "[-0.29300167  0.797873    1.49828436]");
  // random::generator::standard_t
  shows(generator(42).standard_t(5.0, {3}), "[ 0.48968078  0.96799059 -0.02490263]");
  // random::generator::standard_gamma
  shows(generator(42).standard_gamma(2.0, {3}), "[2.09181727 2.83534559 1.83721558]");
  // random::generator::chisquare
  shows(generator(42).chisquare(3.0, {3}), "[3.05543949 4.35892866 2.6205389 ]");
  // random::generator::noncentral_chisquare
  shows(generator(42).noncentral_chisquare(3.0, 1.0, {3}), "[4.81001594 8.53531342 0.26418725]");
  // random::generator::f
  shows(generator(42).f(3.0, 8.0, {3}), "[0.76872616 0.96133344 1.68495376]");
  // random::generator::noncentral_f
  shows(generator(42).noncentral_f(3.0, 8.0, 1.0, {3}), "[1.21016472 0.08992957 0.04273684]");
  // random::generator::geometric
  shows(generator(42).geometric(0.25, {5}), "[9 9 9 1 1]");
  // random::generator::gumbel
  shows(generator(42).gumbel(0.0, 1.0, {3}), "[-0.39677803  0.54849684 -0.67097714]");
  // random::generator::hypergeometric
  shows(generator(42).hypergeometric(10, 5, 6, {5}), "[5 4 4 4 6]");
  // random::generator::laplace
  shows(generator(42).laplace(0.0, 1.0, {3}), "[ 0.79387864 -0.13038563  1.26300063]");
  // random::generator::logistic
  shows(generator(42).logistic(0.0, 1.0, {3}), "[ 1.23078563 -0.24571509  1.80369327]");
  // random::generator::lognormal
  shows(generator(42).lognormal(0.0, 1.0, {3}), "[1.35624124 0.3534603  2.11795541]");
  // random::generator::logseries
  shows(generator(42).logseries(0.6, {5}), "[1 2 1 5 1]");
  // random::generator::negative_binomial
  shows(generator(42).negative_binomial(3, 0.5, {5}), "[5 5 7 4 0]");
  // random::generator::pareto
  shows(generator(42).pareto(3.0, {3}), "[1.22866526 1.1787033  1.21426459]");
  // random::generator::power
  shows(generator(42).power(3.0, {3}), "[0.96893248 0.96666964 0.9683022 ]");
  // random::generator::rayleigh
  shows(generator(42).rayleigh(1.0, {3}), "[2.19281034 2.16156872 2.18392353]");
  // random::generator::triangular
  shows(generator(42).triangular(0.0, 1.0, 4.0, {3}), "[2.35302477 1.40510911 2.69737766]");
  // random::generator::vonmises
  shows(generator(42).vonmises(0.0, 4.0, {3}), "[-0.10171522 -0.18556391  1.11678729]");
  // random::generator::wald
  shows(generator(42).wald(3.0, 2.0, {3}), "[ 2.06999077  1.23258829 22.7335314 ]");
  // random::generator::weibull
  shows(generator(42).weibull(5.0, {3}), "[1.19177543 1.18495435 1.18984112]");
  // random::generator::zipf
  shows(generator(42).zipf(3.0, {5}), "[2 1 1 1 1]");
  // random::generator::law
  shows(generator(42).law("standard_t", {5.0}, {3}), "[ 0.48968078  0.96799059 -0.02490263]");
  // random::generator::integers
  shows(generator(42).integers(0, 10, {5}), "[0 7 6 4 4]");
  // random::generator::permutation
  shows(generator(42).permutation(5), "[4 2 3 1 0]");
  shows(generator(42).permutation(cp::array{10, 20, 30}), "[30 20 10]");
  // random::generator::shuffle
  {
    const cp::array a{10, 20, 30, 40};
    generator(42).shuffle(a);
    shows(a, "[40 30 20 10]");
  }
  // random::generator::permuted
  shows(generator(42).permuted(cp::array{{1, 2, 3}, {4, 5, 6}}, 1),
        "[[3 2 1]\n"
        " [4 6 5]]");
  // random::generator::choice
  shows(generator(42).choice(10, 3), "[9 0 6]");
  // random::generator::dirichlet
  shows(generator(42).dirichlet(cp::array{1.0, 2.0, 3.0}), "[0.31747629 0.08613713 0.59638659]");
  // random::generator::multinomial
  shows(generator(42).multinomial(10, cp::array{0.2, 0.3, 0.5}), "[3 2 5]");
  // random::generator::multivariate_hypergeometric
  shows(generator(42).multivariate_hypergeometric(cp::array{4, 6, 10}, 5), "[2 1 2]");
  // random::generator::multivariate_normal
  shows(generator(42).multivariate_normal(cp::array{0.0, 0.0}, cp::array{{1.0, 0.0}, {0.0, 4.0}}),
        "[-1.03998411  0.60943416]");
}
