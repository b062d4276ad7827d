#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>
#include <unsupported/Eigen/FFT>
#include <vector>

int main() {
  const Eigen::Index n = 1 << 20;
  const double rate = 44100, turn = 2 * std::numbers::pi;
  const Eigen::ArrayXd count = Eigen::ArrayXd::LinSpaced(n, 0, static_cast<double>(n - 1)),
                       time = count / rate;
  const Eigen::ArrayXd noise = (count * count * 12.9898).sin() * 0.5;
  const Eigen::ArrayXd signal = (time * (turn * 440.0)).sin() + 0.7 * (time * (turn * 1250.0)).sin() + noise;
  const Eigen::ArrayXd window = 0.5 - 0.5 * (count * (turn / static_cast<double>(n))).cos();
  Eigen::FFT<double> fft;
  fft.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  Eigen::VectorXcd points;
  fft.fwd(points, Eigen::VectorXd(signal * window));
  const Eigen::ArrayXd power = points.array().abs2();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(power.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return power(a) > power(b); });
  double last = -100;
  for (std::size_t i = 0, found = 0; found < 2; ++i) {
    const double hertz = static_cast<double>(order[i]) * rate / static_cast<double>(n);
    if (std::abs(hertz - last) < 5) continue;
    std::printf("%7.1f Hz\n", last = hertz);
    ++found;
  }
}
