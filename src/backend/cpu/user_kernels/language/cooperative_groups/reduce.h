// Folds over the threads of a group, in the order of their ranks.
#pragma once

#include "cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

template <class Group, class T, class F>
inline T reduce(const Group& group, T value, F&& fold) {
  T total = value;
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T other = group.shfl_down(total, delta);
    if (group.thread_rank() + delta < group.size()) total = fold(total, other);
  }
  return group.shfl(total, 0);
}

template <class Group, class T, class F>
inline T inclusive_scan(const Group& group, T value, F&& fold) {
  T total = value;
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T before = group.shfl_up(total, delta);
    if (group.thread_rank() >= delta) total = fold(before, total);
  }
  return total;
}
template <class Group, class T>
inline T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>{});
}
template <class Group, class T, class F>
inline T exclusive_scan(const Group& group, T value, F&& fold) {
  const T before = group.shfl_up(inclusive_scan(group, value, fold), 1);
  return group.thread_rank() == 0 ? T{} : before;
}
template <class Group, class T>
inline T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>{});
}

}  // namespace cooperative_groups
