// The tones in a noisy signal: a window, a transform of reals, and the strongest frequencies. The window is one kernel with the
// sum of the tones; the power of the points is one more.
//
//   c++ -std=c++20 spectrum.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cmath>
#include <cstdio>
#include <numbers>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 1 << 20;
  const double rate = 44100, turn = 2 * std::numbers::pi;
  const cp::array count = cp::arange(0.0, static_cast<double>(n)), time = count / rate;
  const cp::array noise = cp::sin(count * count * 12.9898) * 0.5;  // not of any frequency
  const cp::array signal = cp::sin(time * (turn * 440.0)) + 0.7 * cp::sin(time * (turn * 1250.0)) + noise;

  const cp::array window = 0.5 - 0.5 * cp::cos(count * (turn / static_cast<double>(n)));
  const cp::array points = cp::fft::rfft(signal * window), frequencies = cp::fft::rfftfreq(n, 1 / rate);
  const cp::array power = cp::square(cp::absolute(points));

  const cp::array order = cp::argsort(-power);
  const auto hertz = cp::take(frequencies, order, 0).to_host<double>();
  double last = -100;
  for (std::size_t i = 0, found = 0; found < 2; ++i) {
    if (std::abs(hertz[i] - last) < 5) continue;  // the other side of the same peak
    std::printf("%7.1f Hz\n", last = hertz[i]);
    ++found;
  }
  return std::abs(last - 1250) < 1 ? 0 : 1;
}
