#include <Eigen/Dense>
#include <cmath>
#include <cstdio>
#include <random>

constexpr double kSoftening = 0.05;
using Vector = Eigen::ArrayXd;
using Matrix = Eigen::ArrayXXd;

Matrix offsets(const Vector& x) {
  const Eigen::Index n = x.size();
  return x.transpose().replicate(n, 1) - x.replicate(1, n);
}

struct bodies {
  Vector x, y, z;
  Vector mass;

  Matrix distance() const {
    return (offsets(x).square() + offsets(y).square() + offsets(z).square() + kSoftening * kSoftening).sqrt();
  }
  double potential() const {
    const Matrix pairs = (mass.matrix() * mass.matrix().transpose()).array() / distance();
    return -0.5 * (pairs.sum() - pairs.matrix().trace());
  }
};

int main() {
  const Eigen::Index n = 500;
  const double dt = 0.005;
  std::mt19937_64 engine(3);
  std::normal_distribution<double> normal;
  const auto drawn = [&](double scale) -> Vector {
    return Vector::NullaryExpr(n, [&] { return scale * normal(engine); });
  };
  bodies b{drawn(1), drawn(1), drawn(1), Vector::Constant(n, 1.0 / static_cast<double>(n))};
  Vector u = drawn(0.3), v = drawn(0.3), w = drawn(0.3);
  const auto energy = [&] {
    return 0.5 * (b.mass * (u.square() + v.square() + w.square())).sum() + b.potential();
  };
  const auto kick = [&](double step) {
    const Matrix pull = step * b.mass.transpose().replicate(n, 1) / b.distance().cube();
    u += (pull * offsets(b.x)).rowwise().sum();
    v += (pull * offsets(b.y)).rowwise().sum();
    w += (pull * offsets(b.z)).rowwise().sum();
  };
  const double before = energy();
  for (int step = 0; step < 50; ++step) {
    kick(dt / 2);
    b.x += dt * u;
    b.y += dt * v;
    b.z += dt * w;
    kick(dt / 2);
  }
  std::printf("energy %.6f, after 50 steps %.6f\n", before, energy());
}
