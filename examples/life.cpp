// Conway's game of life: a kernel in CUDA C++ between plain array code. Nothing has to be synchronized: the launch comes behind what
// writes its operands, and the sum behind the launch.
//
//   c++ -std=c++20 life.cpp -lcuprum     (or find_package(cuprum) and target cuprum::cuprum)
#include <cuprum/cuprum.h>

#include <cstdio>
#include <utility>

namespace cp = cuprum;

int main() {
  const std::int64_t n = 512;
  const cp::raw_kernel step(R"(
    extern "C" __global__ void step(const unsigned char* now, unsigned char* next, int n) {
      const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
      if (x >= n || y >= n) return;
      int neighbours = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0) neighbours += now[(y + dy + n) % n * n + (x + dx + n) % n];
      next[y * n + x] = neighbours == 3 || (neighbours == 2 && now[y * n + x]);
    })",
                            "step");

  cp::random::generator random(1);
  cp::array now = (random.random({n, n}) < 0.3).astype(cp::dtype::uint8);
  cp::array next = cp::zeros({n, n}, cp::dtype::uint8);
  const cp::dim3 block(32, 8), grid(n / 32, n / 8);
  for (int generation = 0; generation < 200; ++generation) {
    step(grid, block, now, next, n);
    std::swap(now, next);
  }
  const auto live = cp::sum(now).item<std::int64_t>();
  std::printf("%lld cells live\n", static_cast<long long>(live));
  return live > 0 && live < n * n / 10 ? 0 : 1;
}
