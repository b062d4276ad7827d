// Groups of threads that meet: a block, a grid, tiles of a warp, and the lanes that come to a place together.
#pragma once

#include "cuprum_language/warp.h"

namespace cooperative_groups {

namespace lang = cuprum_language;

namespace details {

/// What all groups of lanes of one warp have. `Self` knows its `mask()`.
template <class Self>
struct Lanes {
  void sync() const { __syncwarp(mask()); }
  unsigned size() const { return static_cast<unsigned>(__popc(mask())); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return static_cast<unsigned>(__popc(mask() & ((1u << lang::lane()) - 1))); }

  template <class T>
  T shfl(T value, int rank) const {
    return move(value, lane_of(rank));
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return move(value, lane_of(static_cast<int>(delta > rank ? rank : rank - delta)));
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return move(value, lane_of(static_cast<int>(rank + delta >= size() ? rank : rank + delta)));
  }
  template <class T>
  T shfl_xor(T value, unsigned lanes) const {
    const unsigned to = thread_rank() ^ lanes;
    return move(value, lane_of(static_cast<int>(to >= size() ? thread_rank() : to)));
  }
  int any(int predicate) const { return __any_sync(mask(), predicate); }
  int all(int predicate) const { return __all_sync(mask(), predicate); }
  unsigned ballot(int predicate) const { return packed(__ballot_sync(mask(), predicate)); }
  template <class T>
  unsigned match_any(T value) const {
    return packed(__match_any_sync(mask(), value));
  }
  template <class T>
  unsigned match_all(T value, int& predicate) const {
    return packed(__match_all_sync(mask(), value, &predicate));
  }

 private:
  unsigned mask() const { return static_cast<const Self&>(*this).mask(); }
  /// The lane of the n-th thread of the group.
  int lane_of(int rank) const {
    unsigned left = mask();
    for (int i = rank % static_cast<int>(size()); i > 0; --i) left &= left - 1;
    return __ffs(static_cast<int>(left)) - 1;
  }
  /// Bits by rank from bits by lane.
  unsigned packed(unsigned lanes) const {
    unsigned result = 0, rank = 0;
    for (unsigned left = mask(); left != 0; left &= left - 1, ++rank)
      result |= (lanes & left & -left) != 0 ? 1u << rank : 0u;
    return result;
  }
  /// Values of any size, eight bytes at a time.
  template <class T>
  T move(const T& value, int lane) const {
    T result;
    const char* from = reinterpret_cast<const char*>(&value);
    char* to = reinterpret_cast<char*>(&result);
    for (size_t at = 0; at < sizeof(T); at += 8) {
      const size_t bytes = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
      unsigned long long word = 0;
      memcpy(&word, from + at, bytes);
      word = lang::shuffle_from(mask(), word, lane);
      memcpy(to + at, &word, bytes);
    }
    return result;
  }
};

}  // namespace details

/// The threads that come here together.
class coalesced_group : public details::Lanes<coalesced_group> {
 public:
  explicit coalesced_group(unsigned mask) : mask_(mask) {}
  unsigned mask() const { return mask_; }
  unsigned long long meta_group_size() const { return 1; }
  unsigned long long meta_group_rank() const { return 0; }

 private:
  unsigned mask_;
};

inline __attribute__((always_inline)) coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}

/// `n` lanes side by side, 1 to 32, a power of two.
template <unsigned n, class Parent = void>
class thread_block_tile : public details::Lanes<thread_block_tile<n, Parent>> {
  static_assert(n >= 1 && n <= 32 && (n & (n - 1)) == 0, "tiles of 1, 2, 4, 8, 16 or 32 threads");

 public:
  static constexpr unsigned kThreads = n;
  unsigned mask() const {
    const unsigned all = n == 32 ? 0xffffffffu : (1u << (n % 32)) - 1;
    return all << (lang::lane() & ~(n - 1));
  }
  /// Which tile of the block, or of the parent, this is, and of how many.
  unsigned meta_group_rank() const { return lang::thread_rank() / n; }
  unsigned meta_group_size() const { return (lang::thread_count() + n - 1) / n; }
  static constexpr unsigned size() { return n; }
  static constexpr unsigned num_threads() { return n; }
  unsigned thread_rank() const { return lang::thread_rank() % n; }
};

class thread_block {
 public:
  static void sync() { __syncthreads(); }
  static void barrier_wait() {}
  static unsigned size() { return lang::thread_count(); }
  static unsigned num_threads() { return size(); }
  static unsigned thread_rank() { return lang::thread_rank(); }
  static dim3 group_index() { return blockIdx; }
  static dim3 thread_index() { return threadIdx; }
  static dim3 group_dim() { return blockDim; }
  static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

class grid_group {
 public:
  static void sync() { lang::meet(lang::Scope::grid, 0, 0, 0, nullptr); }
  static bool is_valid() { return lang::current->cooperative; }
  static unsigned long long size() { return num_blocks() * lang::thread_count(); }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long thread_rank() {
    return block_rank() * lang::thread_count() + lang::thread_rank();
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long block_rank() {
    return blockIdx.x + static_cast<unsigned long long>(gridDim.x) *
                            (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static dim3 group_dim() { return gridDim; }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

/// A block, a tile or coalesced threads, known at run time.
class thread_group {
 public:
  thread_group(const thread_block&) : mask_(0) {}
  thread_group(const coalesced_group& g) : mask_(g.mask()) {}
  template <unsigned n, class P>
  thread_group(const thread_block_tile<n, P>& g) : mask_(g.mask()) {}
  void sync() const { mask_ == 0 ? __syncthreads() : __syncwarp(mask_); }
  unsigned size() const { return mask_ == 0 ? lang::thread_count() : coalesced_group(mask_).size(); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return mask_ == 0 ? lang::thread_rank() : coalesced_group(mask_).thread_rank();
  }

 private:
  unsigned mask_;  // 0: the block
};

template <unsigned n, class Parent>
inline thread_block_tile<n, Parent> tiled_partition(const Parent&) {
  return {};
}
inline coalesced_group tiled_partition(const thread_group&, unsigned n) {
  const unsigned all = n >= 32 ? 0xffffffffu : (1u << n) - 1;
  return coalesced_group(all << (lang::lane() & ~(n - 1)));
}
/// The threads of a group that have the same label.
template <class Group, class T>
inline coalesced_group labeled_partition(const Group& group, T label) {
  return coalesced_group(__match_any_sync(group.mask(), label));
}
template <class Group>
inline coalesced_group binary_partition(const Group& group, bool predicate) {
  return labeled_partition(group, static_cast<int>(predicate));
}

template <class Group>
inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
inline unsigned long long thread_rank(const Group& group) {
  return group.thread_rank();
}
template <class Group>
inline unsigned long long group_size(const Group& group) {
  return group.size();
}
/// Runs f on one thread.
template <class Group, class F>
inline void invoke_one(const Group& group, F&& f) {
  if (group.thread_rank() == 0) f();
}

}  // namespace cooperative_groups
