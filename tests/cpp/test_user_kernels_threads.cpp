// Threads that wait for each other: barriers, warps, cooperative groups.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "cuprum/error.h"
#include "user_kernels.h"

namespace cuprum {
namespace {

using testing::launch;
using testing::Shared;

const char* const kBarriers = R"(
__global__ void sum_of_block(const int* x, int* sums, int n) {
  __shared__ int partial[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
__device__ __noinline__ void rotate(float (&tile)[8][9], int x, int y) {
  float mine = tile[y][x];
  __syncthreads();
  tile[x][7 - y] = mine;
  __syncthreads();
}
__global__ void rotated(const float* in, float* out) {
  __shared__ float tile[8][9];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];
  __syncthreads();
  rotate(tile, threadIdx.x, threadIdx.y);
  out[threadIdx.y * 8 + threadIdx.x] = tile[threadIdx.y][threadIdx.x];
}
__global__ void early_return(int* out) {
  __shared__ int count;
  if (threadIdx.x == 40) count = 0;
  if (threadIdx.x < 40 || threadIdx.x >= 90) return;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}
__global__ void counted(int* out) {
  int odd = threadIdx.x % 2;
  int count = __syncthreads_count(odd);
  int all = __syncthreads_and(threadIdx.x < blockDim.x), none = __syncthreads_and(odd);
  int any = __syncthreads_or(threadIdx.x == 3), nobody = __syncthreads_or(0);
  out[threadIdx.x] = count + 1000 * all + 2000 * none + 4000 * any + 8000 * nobody;
}
__global__ void two_places(int* out) {
  if (threadIdx.x < 5) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    __syncthreads();
    out[threadIdx.x] = out[threadIdx.x - 5] + 1;
  }
}
__global__ void stuck(int* out) {
  if (threadIdx.x == 0) __syncwarp();
  __syncthreads();
}
__global__ void foreign_mask(int* out) { __syncwarp(1u << (threadIdx.x + 1) % 32); }
template <class T> __global__ void dynamic(const T* in, T* out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* values = reinterpret_cast<T*>(raw);
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] = in[i];
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = values[n - 1 - i];
}
__global__ void waits_for_flag(volatile int* flag, int* out) {
  if (threadIdx.x == 0) while (*flag == 0) __nanosleep(10);
  if (threadIdx.x == 70) *flag = 1;
  out[threadIdx.x] = 1;
}
__global__ void traps(int* out) {
  __syncthreads();
  if (threadIdx.x == 33) __trap();
  __syncthreads();
}
)";

class Barriers : public ::testing::Test {
 protected:
  static const std::shared_ptr<UserModule>& module() {
    static const auto module = testing::compile(kBarriers, {"dynamic<double>", "dynamic<short>"});
    return module;
  }
};

TEST_F(Barriers, SumsOfBlocks) {
  std::vector<int> x(10000), sums(40);
  for (int i = 0; i < 10000; ++i) x[i] = i % 17;
  launch(module(), "sum_of_block", {40}, {256}, x.data(), sums.data(), 10000);
  for (int b = 0; b < 40; ++b) {
    int expected = 0;
    for (int i = b * 256; i < std::min(b * 256 + 256, 10000); ++i) expected += x[i];
    EXPECT_EQ(sums[b], expected) << b;
  }
}

TEST_F(Barriers, InFunctionsThatAreCalled) {
  std::vector<float> in(64), out(64);
  for (int i = 0; i < 64; ++i) in[i] = static_cast<float>(i);
  launch(module(), "rotated", {1}, {8, 8}, in.data(), out.data());
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x) EXPECT_EQ(out[x * 8 + 7 - y], in[y * 8 + x]);
}

TEST_F(Barriers, ThreadsThatAreDoneAreNotWaitedFor) {
  std::vector<int> out(128, -1);
  launch(module(), "early_return", {1}, {128}, out.data());
  for (int i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 40 || i >= 90 ? -1 : 50);
}

TEST_F(Barriers, CountedForms) {
  for (const unsigned threads : {1u, 33u, 100u, 1024u}) {
    std::vector<int> out(threads);
    launch(module(), "counted", {3}, {threads}, out.data());
    const int expected = static_cast<int>(threads / 2) + 1000 + (threads > 3 ? 4000 : 0);
    for (const int value : out) EXPECT_EQ(value, expected);
  }
}

TEST_F(Barriers, AreOneWhereverTheyStand) {
  std::vector<int> out(10);
  launch(module(), "two_places", {1}, {10}, out.data());
  EXPECT_EQ(out, (std::vector<int>{1, 1, 1, 1, 1, 2, 2, 2, 2, 2}));
}

TEST_F(Barriers, DynamicSharedMemory) {
  std::vector<double> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i) in[i] = i;
  launch(module(), "dynamic<double>", {2}, {96}, Shared{8000}, in.data(), out.data(), 1000);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(out[i], 999 - i);
  std::vector<short> small{1, 2, 3}, turned(3);
  launch(module(), "dynamic<short>", {1}, {2}, Shared{6}, small.data(), turned.data(), 3);
  EXPECT_EQ(turned, (std::vector<short>{3, 2, 1}));
}

TEST_F(Barriers, ThreadsThatWaitForEachOtherForEverAreAnError) {
  std::vector<int> out(64);
  for (int again = 0; again < 3; ++again) {
    try {
      launch(module(), "stuck", {2}, {64}, out.data());
      FAIL();
    } catch (const DeviceError& error) {
      EXPECT_NE(std::string(error.what()).find("wait for each other for ever"), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("in kernel stuck"), std::string::npos);
    }
    EXPECT_THROW(launch(module(), "foreign_mask", {1}, {32}, out.data()), DeviceError);
    EXPECT_THROW(launch(module(), "traps", {1}, {64}, out.data()), DeviceError);
  }
  launch(module(), "counted", {1}, {64}, out.data());  // the machine is as good as new
  EXPECT_EQ(out[5], 5032);
}

TEST_F(Barriers, ASleepingThreadGivesWay) {
  std::vector<int> out(96);
  int flag = 0;
  launch(module(), "waits_for_flag", {1}, {96}, &flag, out.data());
  EXPECT_EQ(out, std::vector<int>(96, 1));
}

const char* const kWarps = R"(
__global__ void shuffles(int width, int* out) {
  int t = threadIdx.x, n = blockDim.x;
  unsigned mask = __activemask();
  out[t] = __shfl_sync(mask, t, 3, width);
  out[n + t] = __shfl_up_sync(mask, t, 2, width);
  out[2 * n + t] = __shfl_down_sync(mask, t, 2, width);
  out[3 * n + t] = __shfl_xor_sync(mask, t, 1, width);
}
template <class T> __global__ void sum_of_warp(const T* in, T* out) {
  T value = in[threadIdx.x];
  for (int delta = 16; delta > 0; delta /= 2) value += __shfl_down_sync(0xffffffff, value, delta);
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = value;
}
__global__ void votes(unsigned* out) {
  unsigned t = threadIdx.x, mask = __ballot_sync(0xffffffff, 1);
  out[0] = mask;
  out[1] = __ballot_sync(mask, t % 3 == 0);
  out[2] = __any_sync(mask, t == 7) | __any_sync(mask, t == 99) << 1;
  out[3] = __all_sync(mask, t < 99) | __all_sync(mask, t < 9) << 1;
  out[4 + t] = __match_any_sync(mask, t % 4);
  int same;
  out[40] = __match_all_sync(mask, 5.0, &same);
  out[41] = same;
  out[42] = __match_all_sync(mask, t / 16, &same);
  out[43] = same;
  out[44] = __reduce_add_sync(mask, t);
  out[45] = __reduce_min_sync(mask, t + 3);
  out[46] = __reduce_max_sync(mask, (int)t - 5);
  out[47] = __reduce_or_sync(mask, 1u << t);
  out[48] = __reduce_and_sync(mask, t | 64);
  out[49] = __reduce_xor_sync(mask, t);
}
__global__ void halves_of_warp(int* out) {
  int t = threadIdx.x;
  if (t < 16) {
    int mine = __shfl_sync(0xffff, t, 15);
    mine += __shfl_xor_sync(0xffff, t, 2);
    out[t] = mine;
  } else {
    out[t] = __shfl_sync(0xffff0000, t, 16) + __shfl_down_sync(0xffff0000, t, 1);
  }
}
__global__ void active(unsigned* out) {
  int t = threadIdx.x;
  if (t == 5) return;
  if (t % 2) out[t] = __activemask();
  else out[t] = ~__activemask();
}
__global__ void aggregated(const int* in, int* count, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 0) {
    unsigned mask = __activemask();
    int leader = __ffs(mask) - 1, lane = threadIdx.x % 32, place;
    if (lane == leader) place = atomicAdd(count, __popc(mask));
    place = __shfl_sync(mask, place, leader) + __popc(mask & ((1u << lane) - 1));
    out[place] = in[i];
  }
}
)";

class Warps : public ::testing::Test {
 protected:
  static const std::shared_ptr<UserModule>& module() {
    static const auto module =
        testing::compile(kWarps, {"sum_of_warp<float>", "sum_of_warp<double>", "sum_of_warp<long long>"});
    return module;
  }
};

TEST_F(Warps, ShufflesOfEveryWidth) {
  for (const int width : {2, 8, 16, 32}) {
    for (const int n : {64, 32, 20}) {  // 20: a warp that is not full
      std::vector<int> out(static_cast<std::size_t>(4 * n));
      launch(module(), "shuffles", {1}, {static_cast<unsigned>(n)}, width, out.data());
      for (int t = 0; t < n; ++t) {
        const int begin = t / width * width, warp_end = std::min(n, t / 32 * 32 + 32);
        const auto got = [&](int from) {
          return from >= begin && from < begin + width && from < warp_end ? from : t;
        };
        EXPECT_EQ(out[t], got(begin + 3 % width)) << width << ' ' << n << ' ' << t;
        EXPECT_EQ(out[n + t], got(t - 2)) << width << ' ' << n << ' ' << t;
        EXPECT_EQ(out[2 * n + t], got(t + 2)) << width << ' ' << n << ' ' << t;
        EXPECT_EQ(out[3 * n + t], got(t ^ 1)) << width << ' ' << n << ' ' << t;
      }
    }
  }
}

template <class T>
void sums_of_warps(const std::shared_ptr<UserModule>& module, const char* name) {
  std::vector<T> in(128), out(4);
  for (int i = 0; i < 128; ++i) in[i] = static_cast<T>(i);
  launch(module, name, {1}, {128}, in.data(), out.data());
  for (int w = 0; w < 4; ++w) EXPECT_EQ(out[w], static_cast<T>(32 * 32 * w + 496));
}

TEST_F(Warps, ShufflesOfTypes) {
  sums_of_warps<float>(module(), "sum_of_warp<float>");
  sums_of_warps<double>(module(), "sum_of_warp<double>");
  sums_of_warps<long long>(module(), "sum_of_warp<long long>");
}

TEST_F(Warps, VotesMatchesReductions) {
  std::vector<unsigned> out(64);
  launch(module(), "votes", {1}, {32}, out.data());
  EXPECT_EQ(out[0], ~0u);
  EXPECT_EQ(out[1], 0x49249249u);
  EXPECT_EQ(out[2], 1u);
  EXPECT_EQ(out[3], 1u);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[4 + t], 0x11111111u << t % 4);
  EXPECT_EQ(out[40], ~0u);
  EXPECT_EQ(out[41], 1u);
  EXPECT_EQ(out[42], 0u);
  EXPECT_EQ(out[43], 0u);
  EXPECT_EQ(std::vector<unsigned>(out.begin() + 44, out.begin() + 50),
            (std::vector<unsigned>{496, 3, 26, ~0u, 64, 0}));
}

TEST_F(Warps, PartsOfAWarpMeetApart) {
  std::vector<int> out(32);
  launch(module(), "halves_of_warp", {1}, {32}, out.data());
  for (int t = 0; t < 16; ++t) EXPECT_EQ(out[t], 15 + (t ^ 2));
  for (int t = 16; t < 32; ++t) EXPECT_EQ(out[t], 16 + std::min(t + 1, 31));
}

TEST_F(Warps, ActiveLanesAreThoseThatComeTogether) {
  std::vector<unsigned> out(32);
  launch(module(), "active", {1}, {32}, out.data());
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(out[t], t == 5 ? 0 : t % 2 ? 0xaaaaaaaau & ~32u : ~0x55555555u);
  std::vector<int> in(1024), kept(1024);
  int count = 0;
  for (int i = 0; i < 1024; ++i) in[i] = i % 7 - 3;
  launch(module(), "aggregated", {8}, {128}, in.data(), &count, kept.data());
  int positive = 0, sum = 0;
  for (const int value : in) positive += value > 0, sum += value > 0 ? value : 0;
  EXPECT_EQ(count, positive);
  for (int i = 0; i < count; ++i) sum -= kept[i];
  EXPECT_EQ(sum, 0);
}

const char* const kGroups = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
template <class Group> __device__ int fold(const Group& g, int value) {
  for (int delta = g.size() / 2; delta > 0; delta /= 2) value += g.shfl_down(value, delta);
  return g.shfl(value, 0);
}
__global__ void tiles(int* out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  int t = block.thread_rank(), n = block.size();
  out[t] = fold(tile, t);
  out[n + t] = cg::reduce(cg::tiled_partition<16>(block), t, cg::greater<int>());
  out[2 * n + t] = cg::inclusive_scan(tile, 1);
  out[3 * n + t] = tile.meta_group_rank() * 100 + tile.thread_rank();
  block.sync();
  struct Point { double x, y, z; };
  Point p = tile.shfl(Point{1.0 * t, 2.0 * t, 3.0 * t}, 1);
  out[4 * n + t] = p.x + p.y + p.z;
}
__global__ void coalesced(int* out) {
  int t = threadIdx.x;
  if (t % 3 == 0) {
    cg::coalesced_group g = cg::coalesced_threads();
    out[t] = g.size() * 100 + g.thread_rank();
    out[t] += 10000 * cg::reduce(g, 1, cg::plus<int>());
  }
}
__global__ void over_grid(int* data, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int i = grid.thread_rank(), n = grid.size();
  for (int r = 0; r < rounds; ++r) {
    int next = data[(i + 1) % n];
    grid.sync();
    data[i] = next + 1;
    grid.sync();
  }
}
__global__ void leaves_grid(int* data) {
  if (blockIdx.x == 1) return;
  cg::this_grid().sync();
  data[blockIdx.x] = 1;
}
)";

TEST(CooperativeGroups, Tiles) {
  const auto module = testing::compile(kGroups);
  const int n = 64;
  std::vector<int> out(5 * n);
  launch(module, "tiles", {1}, {n}, out.data());
  for (int t = 0; t < n; ++t) {
    const int first = t / 8 * 8;
    EXPECT_EQ(out[t], 8 * first + 28);
    EXPECT_EQ(out[n + t], t / 16 * 16 + 15);
    EXPECT_EQ(out[2 * n + t], t % 8 + 1);
    EXPECT_EQ(out[3 * n + t], t / 8 * 100 + t % 8);
    EXPECT_EQ(out[4 * n + t], 6 * (first + 1));
  }
  std::vector<int> few(32);
  launch(module, "coalesced", {1}, {32}, few.data());
  for (int t = 0; t < 32; ++t) EXPECT_EQ(few[t], t % 3 ? 0 : 111100 + t / 3);
}

TEST(CooperativeGroups, GridsMeet) {
  const auto module = testing::compile(kGroups);
  const int n = 6 * 32;
  std::vector<int> data(n);
  for (int i = 0; i < n; ++i) data[i] = i;
  launch(module, "over_grid", {6}, {32}, Shared{0, true}, data.data(), 10);
  for (int i = 0; i < n; ++i) EXPECT_EQ(data[i], (i + 10) % n + 10);
  EXPECT_THROW(launch(module, "over_grid", {6}, {32}, data.data(), 1), DeviceError);
  launch(module, "leaves_grid", {3}, {8}, Shared{0, true}, data.data());
  EXPECT_EQ(data[2], 1);
  EXPECT_THROW(launch(module, "over_grid", {100000}, {32}, Shared{0, true}, data.data(), 1), DeviceError);
}

}  // namespace
}  // namespace cuprum
