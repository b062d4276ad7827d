// Gravity between bodies, all pairs: forces by broadcasting, steps by leapfrog. The energy shows how well it goes.
//
//   c++ -std=c++20 nbody.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>

namespace cp = cuprum;

constexpr double kSoftening = 0.05;

// Vectors from each body to each other one, a matrix for every coordinate.
cp::array offsets(const cp::array& x) { return x(cp::newaxis) - x(cp::slice(), cp::newaxis); }

struct bodies {
  cp::array x, y, z;  // coordinates
  cp::array mass;

  cp::array distance() const {
    const cp::array dx = offsets(x), dy = offsets(y), dz = offsets(z);
    return cp::sqrt(dx * dx + dy * dy + dz * dz + kSoftening * kSoftening);
  }
  double potential() const {
    const cp::array pairs = cp::outer(mass, mass) / distance();
    return -0.5 * (cp::sum(pairs) - cp::trace(pairs)).item<double>();
  }
};

int main() {
  const std::int64_t n = 500;
  const double dt = 0.005;
  const cp::random::generator rng(3);
  const auto drawn = [&](double scale) { return scale * rng.standard_normal({n}); };
  bodies b{drawn(1), drawn(1), drawn(1), cp::ones({n}) / static_cast<double>(n)};
  cp::array u = drawn(0.3), v = drawn(0.3), w = drawn(0.3);  // velocities

  const auto energy = [&] {
    return 0.5 * cp::sum(b.mass * (u * u + v * v + w * w)).item<double>() + b.potential();
  };
  const auto kick = [&](double step) {
    const cp::array pull = step * b.mass / cp::power(b.distance(), 3);
    u += cp::sum(pull * offsets(b.x), 1);
    v += cp::sum(pull * offsets(b.y), 1);
    w += cp::sum(pull * offsets(b.z), 1);
  };
  const double before = energy();
  for (int step = 0; step < 50; ++step) {
    kick(dt / 2);
    b.x += dt * u;
    b.y += dt * v;
    b.z += dt * w;
    kick(dt / 2);
  }
  const double after = energy();
  std::printf("energy %.6f, after 50 steps %.6f\n", before, after);
  return std::fabs(after / before - 1) < 1e-3 ? 0 : 1;
}
