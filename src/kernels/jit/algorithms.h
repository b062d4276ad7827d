// The algorithms of jit.thrust: each thread runs its own.
#pragma once

#include "kernels/jit/array.h"
#include "kernels/jit/sequential.h"

namespace jit {

/// Any number of times the same value; and values that count up from one.
template <class T>
struct constant_iterator {
  T value;
  CUPRUM_FN T operator*() const { return value; }
  CUPRUM_FN T operator[](long long) const { return value; }
  CUPRUM_FN constant_iterator operator+(long long) const { return *this; }
  CUPRUM_FN constant_iterator operator-(long long) const { return *this; }
};
template <class T>
struct counting_iterator {
  T value;
  CUPRUM_FN T operator*() const { return value; }
  CUPRUM_FN T operator[](long long i) const { return static_cast<T>(value + i); }
  CUPRUM_FN counting_iterator operator+(long long n) const { return {static_cast<T>(value + n)}; }
  CUPRUM_FN counting_iterator operator-(long long n) const { return {static_cast<T>(value - n)}; }
  CUPRUM_FN long long operator-(const counting_iterator& other) const {
    return static_cast<long long>(value) - static_cast<long long>(other.value);
  }
};

}  // namespace jit

namespace jit::algorithms {

using sequential::value_of;

template <class In, class Out>
CUPRUM_FN Out adjacent_difference(In first, In last, Out result) {
  return sequential::adjacent_difference(first, last, result);
}
template <class In, class T>
CUPRUM_FN bool binary_search(In first, In last, T value) {
  return sequential::binary_search(first, last, value);
}
template <class In, class Values, class Out>
CUPRUM_FN Out binary_search(In first, In last, Values from, Values to, Out result) {
  return sequential::transform(from, to, result,
                               [&](auto v) { return sequential::binary_search(first, last, v); });
}
template <class In, class Out>
CUPRUM_FN Out copy(In first, In last, Out result) {
  return sequential::copy(first, last, result);
}
template <class In, class T>
CUPRUM_FN long long count(In first, In last, T value) {
  return sequential::count(first, last, value);
}
template <class In, class Other>
CUPRUM_FN bool equal(In first, In last, Other other) {
  return sequential::equal(first, last, other);
}
template <class In, class T>
CUPRUM_FN tuple<In, In> equal_range(In first, In last, T value) {
  return make_tuple(sequential::bound<false>(first, last, value),
                    sequential::bound<true>(first, last, value));
}
template <class In, class Out, class T = value_of<In>>
CUPRUM_FN Out exclusive_scan(In first, In last, Out result, T init = {}) {
  return sequential::exclusive_scan(first, last, result, init);
}
template <class In, class Out>
CUPRUM_FN Out inclusive_scan(In first, In last, Out result) {
  return sequential::inclusive_scan(first, last, result);
}

/// Runs of equal keys: run(from, to) for each, as places.
template <class Keys, class Run>
CUPRUM_FN void runs(Keys first, Keys last, Run run) {
  const long long n = last - first;
  for (long long from = 0, to = 0; from < n; from = to) {
    while (to < n && first[to] == first[from]) ++to;
    run(from, to);
  }
}
template <class Keys, class In, class Out, class T = value_of<In>>
CUPRUM_FN Out exclusive_scan_by_key(Keys first, Keys last, In in, Out out, T init = {}) {
  runs(first, last, [&](long long from, long long to) {
    sequential::exclusive_scan(in + from, in + to, out + from, init);
  });
  return out + (last - first);
}
template <class Keys, class In, class Out>
CUPRUM_FN Out inclusive_scan_by_key(Keys first, Keys last, In in, Out out) {
  runs(first, last,
       [&](long long from, long long to) { sequential::inclusive_scan(in + from, in + to, out + from); });
  return out + (last - first);
}
template <class Keys, class In, class KeysOut, class Out>
CUPRUM_FN tuple<KeysOut, Out> reduce_by_key(Keys first, Keys last, In in, KeysOut keys, Out out) {
  runs(first, last, [&](long long from, long long to) {
    *keys++ = first[from];
    *out++ = sequential::accumulate(in + from + 1, in + to, in[from]);
  });
  return make_tuple(keys, out);
}
template <class Keys, class In>
CUPRUM_FN tuple<Keys, In> unique_by_key(Keys first, Keys last, In values) {
  Keys keys = first;
  In kept = values;
  runs(first, last, [&](long long from, long long) {
    *keys++ = first[from];
    *kept++ = values[from];
  });
  return make_tuple(keys, kept);
}

template <class Out, class T>
CUPRUM_FN void fill(Out first, Out last, T value) {
  sequential::fill(first, last, value);
}
template <class In, class T>
CUPRUM_FN In find(In first, In last, T value) {
  return sequential::find(first, last, value);
}
template <class Map, class In, class Out>
CUPRUM_FN Out gather(Map first, Map last, In in, Out result) {
  return sequential::transform(first, last, result, [&](auto i) { return in[i]; });
}
template <class In, class Map, class Out>
CUPRUM_FN void scatter(In first, In last, Map map, Out result) {
  for (; first != last; ++first, ++map) result[*map] = *first;
}
template <class In, class Other, class T>
CUPRUM_FN T inner_product(In first, In last, Other other, T init) {
  return sequential::inner_product(first, last, other, init);
}
template <class In>
CUPRUM_FN bool is_sorted(In first, In last) {
  return sequential::is_sorted_until(first, last) == last;
}
template <class In>
CUPRUM_FN In is_sorted_until(In first, In last) {
  return sequential::is_sorted_until(first, last);
}
template <class In, class T>
CUPRUM_FN In lower_bound(In first, In last, T value) {
  return sequential::bound<false>(first, last, value);
}
template <class In, class Values, class Out>
CUPRUM_FN Out lower_bound(In first, In last, Values from, Values to, Out result) {
  return sequential::transform(from, to, result,
                               [&](auto v) { return sequential::bound<false>(first, last, v) - first; });
}
template <class In, class T>
CUPRUM_FN In upper_bound(In first, In last, T value) {
  return sequential::bound<true>(first, last, value);
}
template <class In, class Values, class Out>
CUPRUM_FN Out upper_bound(In first, In last, Values from, Values to, Out result) {
  return sequential::transform(from, to, result,
                               [&](auto v) { return sequential::bound<true>(first, last, v) - first; });
}
template <class In, class Other>
CUPRUM_FN tuple<In, Other> mismatch(In first, In last, Other other) {
  sequential::skip_equal(first, last, other);
  return make_tuple(first, other);
}
template <class In, class T = value_of<In>>
CUPRUM_FN T reduce(In first, In last, T init = {}) {
  return sequential::accumulate(first, last, init);
}
template <class In, class T>
CUPRUM_FN In remove(In first, In last, T value) {
  return sequential::remove_copy(first, last, first, value);
}
template <class In, class Out, class T>
CUPRUM_FN Out remove_copy(In first, In last, Out result, T value) {
  return sequential::remove_copy(first, last, result, value);
}
template <class In, class T>
CUPRUM_FN void replace(In first, In last, T old_value, T new_value) {
  sequential::replace_copy(first, last, first, old_value, new_value);
}
template <class In, class Out, class T>
CUPRUM_FN Out replace_copy(In first, In last, Out result, T old_value, T new_value) {
  return sequential::replace_copy(first, last, result, old_value, new_value);
}
template <class In>
CUPRUM_FN void reverse(In first, In last) {
  sequential::reverse(first, last);
}
template <class In, class Out>
CUPRUM_FN Out reverse_copy(In first, In last, Out result) {
  return sequential::reverse_copy(first, last, result);
}
template <class Out, class T = value_of<Out>>
CUPRUM_FN void sequence(Out first, Out last, T init = 0, T step = 1) {
  for (; first != last; ++first, init += step) *first = init;
}
template <class In>
CUPRUM_FN void sort(In first, In last) {
  sequential::sort(
      last - first, [&](long long i, long long j) { return first[i] < first[j]; },
      [&](long long i, long long j) { sequential::exchange(first + i, first + j); });
}
template <class In>
CUPRUM_FN void stable_sort(In first, In last) {
  sort(first, last);
}
template <class Keys, class Values>
CUPRUM_FN void stable_sort_by_key(Keys first, Keys last, Values values) {
  sequential::sort(
      last - first, [&](long long i, long long j) { return first[i] < first[j]; },
      [&](long long i, long long j) {
        sequential::exchange(first + i, first + j);
        sequential::exchange(values + i, values + j);
      });
}
template <class Keys, class Values>
CUPRUM_FN void sort_by_key(Keys first, Keys last, Values values) {
  stable_sort_by_key(first, last, values);
}
template <class In, class Other>
CUPRUM_FN Other swap_ranges(In first, In last, Other other) {
  return sequential::swap_ranges(first, last, other);
}
template <class In>
CUPRUM_FN In unique(In first, In last) {
  return sequential::unique(first, last);
}

// -- Sets: sorted ranges.

template <bool in_first, bool in_both, bool in_second, class A, class B, class Out>
CUPRUM_FN Out set_of(A first, A last, B other, B other_last, Out result) {
  const auto keep = [&](bool kept, auto place) {
    if (kept) *result++ = *place;
  };
  sequential::merge(
      first, last, other, other_last, [&](A place) { keep(in_first, place); },
      [&](A place) { keep(in_both, place); }, [&](B place) { keep(in_second, place); });
  return result;
}
#define CUPRUM_SET_OPERATION(name, in_first, in_both, in_second)                         \
  template <class A, class B, class Out>                                                 \
  CUPRUM_FN Out name(A first, A last, B other, B other_last, Out result) {               \
    return set_of<in_first, in_both, in_second>(first, last, other, other_last, result); \
  }
CUPRUM_SET_OPERATION(set_difference, true, false, false)
CUPRUM_SET_OPERATION(set_intersection, false, true, false)
CUPRUM_SET_OPERATION(set_symmetric_difference, true, false, true)
CUPRUM_SET_OPERATION(set_union, true, true, true)
#undef CUPRUM_SET_OPERATION

/// Walks through two sorted ranges of keys, and keeps what is in the first alone, in both (the first's), in the second alone.
template <bool in_first, bool in_both, bool in_second, class A, class B, class VA, class VB, class Keys,
          class Values>
CUPRUM_FN tuple<Keys, Values> merge_sets(A a, A a_last, B b, B b_last, VA va, VB vb, Keys keys,
                                         Values values) {
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
CUPRUM_FN tuple<Keys, Values> set_difference_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys,
                                                    Values values) {
  return merge_sets<true, false, false>(a, al, b, bl, va, vb, keys, values);
}
template <class A, class B, class VA, class Keys, class Values>
CUPRUM_FN tuple<Keys, Values> set_intersection_by_key(A a, A al, B b, B bl, VA va, Keys keys, Values values) {
  return merge_sets<false, true, false>(a, al, b, bl, va, va, keys, values);
}
template <class A, class B, class VA, class VB, class Keys, class Values>
CUPRUM_FN tuple<Keys, Values> set_symmetric_difference_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys,
                                                              Values values) {
  return merge_sets<true, false, true>(a, al, b, bl, va, vb, keys, values);
}
template <class A, class B, class VA, class VB, class Keys, class Values>
CUPRUM_FN tuple<Keys, Values> set_union_by_key(A a, A al, B b, B bl, VA va, VB vb, Keys keys, Values values) {
  return merge_sets<true, true, true>(a, al, b, bl, va, vb, keys, values);
}

}  // namespace jit::algorithms
