// The algorithms of jit.thrust on devices whose work the host does: each thread runs its own, with the standard library's.
#pragma once

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/jit/array.h"

namespace jit {

/// Any number of times the same value; and values that count up from one.
template <class T>
struct constant_iterator {
  T value;
  T operator*() const { return value; }
  T operator[](long long) const { return value; }
  constant_iterator operator+(long long) const { return *this; }
  constant_iterator operator-(long long) const { return *this; }
};
template <class T>
struct counting_iterator {
  T value;
  T operator*() const { return value; }
  T operator[](long long i) const { return static_cast<T>(value + i); }
  counting_iterator operator+(long long n) const { return {static_cast<T>(value + n)}; }
  counting_iterator operator-(long long n) const { return {static_cast<T>(value - n)}; }
  long long operator-(const counting_iterator& other) const {
    return static_cast<long long>(value) - static_cast<long long>(other.value);
  }
};

}  // namespace jit

namespace jit::algorithms {

template <class It>
using value_of = typename std::iterator_traits<It>::value_type;

template <class A, class B>
tuple<A, B> both(const std::pair<A, B>& p) {
  return make_tuple(p.first, p.second);
}

template <class In, class Out>
Out adjacent_difference(In first, In last, Out result) {
  return std::adjacent_difference(first, last, result);
}
template <class In, class T>
bool binary_search(In first, In last, T value) {
  return std::binary_search(first, last, value);
}
template <class In, class Values, class Out>
Out binary_search(In first, In last, Values from, Values to, Out result) {
  return std::transform(from, to, result, [&](auto v) { return std::binary_search(first, last, v); });
}
template <class In, class Out>
Out copy(In first, In last, Out result) {
  return std::copy(first, last, result);
}
template <class In, class T>
long long count(In first, In last, T value) {
  return std::count(first, last, value);
}
template <class In, class Other>
bool equal(In first, In last, Other other) {
  return std::equal(first, last, other);
}
template <class In, class T>
tuple<In, In> equal_range(In first, In last, T value) {
  return both(std::equal_range(first, last, value));
}
template <class In, class Out, class T = value_of<In>>
Out exclusive_scan(In first, In last, Out result, T init = {}) {
  return std::exclusive_scan(first, last, result, init);
}
template <class In, class Out>
Out inclusive_scan(In first, In last, Out result) {
  return std::inclusive_scan(first, last, result);
}

/// Runs of equal keys: run(from, to) for each, as places.
template <class Keys, class Run>
void runs(Keys first, Keys last, Run run) {
  const long long n = last - first;
  for (long long from = 0, to = 0; from < n; from = to) {
    while (to < n && first[to] == first[from]) ++to;
    run(from, to);
  }
}
template <class Keys, class In, class Out, class T = value_of<In>>
Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, T init = {}) {
  runs(first, last,
       [&](long long from, long long to) { std::exclusive_scan(in + from, in + to, out + from, init); });
  return out + (last - first);
}
template <class Keys, class In, class Out>
Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
  runs(first, last,
       [&](long long from, long long to) { std::inclusive_scan(in + from, in + to, out + from); });
  return out + (last - first);
}
template <class Keys, class In, class KeysOut, class Out>
tuple<KeysOut, Out> reduce_by_key(Keys first, Keys last, In in, KeysOut keys, Out out) {
  runs(first, last, [&](long long from, long long to) {
    *keys++ = first[from];
    *out++ = std::accumulate(in + from + 1, in + to, in[from]);
  });
  return make_tuple(keys, out);
}
template <class Keys, class In>
tuple<Keys, In> unique_by_key(Keys first, Keys last, In values) {
  Keys keys = first;
  In kept = values;
  runs(first, last, [&](long long from, long long) {
    *keys++ = first[from];
    *kept++ = values[from];
  });
  return make_tuple(keys, kept);
}

template <class Out, class T>
void fill(Out first, Out last, T value) {
  std::fill(first, last, value);
}
template <class In, class T>
In find(In first, In last, T value) {
  return std::find(first, last, value);
}
template <class Map, class In, class Out>
Out gather(Map first, Map last, In in, Out result) {
  return std::transform(first, last, result, [&](auto i) { return in[i]; });
}
template <class In, class Map, class Out>
void scatter(In first, In last, Map map, Out result) {
  for (; first != last; ++first, ++map) result[*map] = *first;
}
template <class In, class Other, class T>
T inner_product(In first, In last, Other other, T init) {
  return std::inner_product(first, last, other, init);
}
template <class In>
bool is_sorted(In first, In last) {
  return std::is_sorted(first, last);
}
template <class In>
In is_sorted_until(In first, In last) {
  return std::is_sorted_until(first, last);
}
template <class In, class T>
In lower_bound(In first, In last, T value) {
  return std::lower_bound(first, last, value);
}
template <class In, class Values, class Out>
Out lower_bound(In first, In last, Values from, Values to, Out result) {
  return std::transform(from, to, result, [&](auto v) { return std::lower_bound(first, last, v) - first; });
}
template <class In, class T>
In upper_bound(In first, In last, T value) {
  return std::upper_bound(first, last, value);
}
template <class In, class Values, class Out>
Out upper_bound(In first, In last, Values from, Values to, Out result) {
  return std::transform(from, to, result, [&](auto v) { return std::upper_bound(first, last, v) - first; });
}
template <class In, class Other>
tuple<In, Other> mismatch(In first, In last, Other other) {
  return both(std::mismatch(first, last, other));
}
template <class In, class T = value_of<In>>
T reduce(In first, In last, T init = {}) {
  return std::accumulate(first, last, init);
}
template <class In, class T>
In remove(In first, In last, T value) {
  return std::remove(first, last, value);
}
template <class In, class Out, class T>
Out remove_copy(In first, In last, Out result, T value) {
  return std::remove_copy(first, last, result, value);
}
template <class In, class T>
void replace(In first, In last, T old_value, T new_value) {
  std::replace(first, last, old_value, new_value);
}
template <class In, class Out, class T>
Out replace_copy(In first, In last, Out result, T old_value, T new_value) {
  return std::replace_copy(first, last, result, old_value, new_value);
}
template <class In>
void reverse(In first, In last) {
  std::reverse(first, last);
}
template <class In, class Out>
Out reverse_copy(In first, In last, Out result) {
  return std::reverse_copy(first, last, result);
}
template <class Out, class T = value_of<Out>>
void sequence(Out first, Out last, T init = 0, T step = 1) {
  for (; first != last; ++first, init += step) *first = init;
}
template <class In>
void sort(In first, In last) {
  std::sort(first, last);
}
template <class In>
void stable_sort(In first, In last) {
  std::stable_sort(first, last);
}
template <class Keys, class Values>
void stable_sort_by_key(Keys first, Keys last, Values values) {
  std::vector<std::pair<value_of<Keys>, value_of<Values>>> rows;
  for (long long i = 0; i < last - first; ++i) rows.emplace_back(first[i], values[i]);
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, value] : rows) {
    *first++ = key;
    *values++ = value;
  }
}
template <class Keys, class Values>
void sort_by_key(Keys first, Keys last, Values values) {
  stable_sort_by_key(first, last, values);
}
template <class In, class Other>
Other swap_ranges(In first, In last, Other other) {
  return std::swap_ranges(first, last, other);
}
template <class In>
In unique(In first, In last) {
  return std::unique(first, last);
}

// -- Sets: sorted ranges.

#define CUPRUM_SET_OPERATION(name)                               \
  template <class A, class B, class Out>                         \
  Out name(A first, A last, B other, B other_last, Out result) { \
    return std::name(first, last, other, other_last, result);    \
  }
CUPRUM_SET_OPERATION(set_difference)
CUPRUM_SET_OPERATION(set_intersection)
CUPRUM_SET_OPERATION(set_symmetric_difference)
CUPRUM_SET_OPERATION(set_union)
#undef CUPRUM_SET_OPERATION

/// Walks through two sorted ranges of keys, and keeps what is in the first alone, in both (the first's), in the second alone.
template <bool in_first, bool in_both, bool in_second, class A, class B, class VA, class VB, class Keys,
          class Values>
tuple<Keys, Values> merge_sets(A a, A a_last, B b, B b_last, VA va, VB vb, Keys keys, Values values) {
  const auto keep = [&](bool kept, auto key, auto value) {
    if (!kept) return;
    *keys++ = key;
    *values++ = value;
  };
  while (a != a_last || b != b_last) {
    if (b == b_last || (a != a_last && *a < *b)) {
      keep(in_first, *a++, *va++);
    } else if (a == a_last || *b < *a) {
      keep(in_second, *b++, *vb++);
    } else {
      keep(in_both, *a++, *va++);
      ++b;
      ++vb;
    }
  }
  return make_tuple(keys, values);
}
template <class A, class B, class VA, class VB, class Keys, class Values>
tuple<Keys, Values> set_difference_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys, Values values) {
  return merge_sets<true, false, false>(a, al, b, bl, va, vb, keys, values);
}
template <class A, class B, class VA, class Keys, class Values>
tuple<Keys, Values> set_intersection_by_key(A a, A al, B b, B bl, VA va, Keys keys, Values values) {
  return merge_sets<false, true, false>(a, al, b, bl, va, va, keys, values);
}
template <class A, class B, class VA, class VB, class Keys, class Values>
tuple<Keys, Values> set_symmetric_difference_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys,
                                                    Values values) {
  return merge_sets<true, false, true>(a, al, b, bl, va, vb, keys, values);
}
template <class A, class B, class VA, class VB, class Keys, class Values>
tuple<Keys, Values> set_union_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys, Values values) {
  return merge_sets<true, true, true>(a, al, b, bl, va, vb, keys, values);
}

}  // namespace jit::algorithms
