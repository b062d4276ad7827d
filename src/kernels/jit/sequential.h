// The algorithms of the C++ library that jit.thrust is made of, for one thread and without memory of their own: NVRTC has no C++ library.
#pragma once

#include "kernels/jit/meanings.h"

namespace jit::sequential {

template <class T>
struct Bare {
  using type = T;
};
template <class T>
struct Bare<T&> : Bare<T> {};
template <class T>
struct Bare<const T> : Bare<T> {};
template <class It>
using value_of = typename Bare<decltype(**static_cast<It*>(nullptr))>::type;

// -- One after the other.

template <class In, class Out, class Map>
CUPRUM_FN Out transform(In first, In last, Out result, Map map) {
  for (; first != last; ++first, ++result) *result = map(*first);
  return result;
}
template <class In, class Out>
CUPRUM_FN Out copy(In first, In last, Out result) {
  for (; first != last; ++first, ++result) *result = *first;
  return result;
}
template <class Out, class T>
CUPRUM_FN void fill(Out first, Out last, T value) {
  for (; first != last; ++first) *first = value;
}
template <class In, class T>
CUPRUM_FN In find(In first, In last, T value) {
  while (first != last && !(*first == value)) ++first;
  return first;
}
template <class In, class T>
CUPRUM_FN long long count(In first, In last, T value) {
  long long n = 0;
  for (; first != last; ++first) n += *first == value;
  return n;
}
template <class In, class T>
CUPRUM_FN T accumulate(In first, In last, T sum) {
  for (; first != last; ++first) sum = sum + *first;
  return sum;
}
template <class In, class Other, class T>
CUPRUM_FN T inner_product(In first, In last, Other other, T sum) {
  for (; first != last; ++first, ++other) sum = sum + *first * *other;
  return sum;
}
template <class In, class Out>
CUPRUM_FN Out adjacent_difference(In first, In last, Out result) {
  if (first == last) return result;
  value_of<In> before = *first;
  *result++ = before;
  for (++first; first != last; ++first, ++result) {
    const value_of<In> now = *first;
    *result = now - before;
    before = now;
  }
  return result;
}
template <class In, class Out, class T>
CUPRUM_FN Out exclusive_scan(In first, In last, Out result, T sum) {
  for (; first != last; ++first, ++result) {
    const T next = sum + *first;  // before the result is written, which may lie in its place
    *result = sum;
    sum = next;
  }
  return result;
}
template <class In, class Out>
CUPRUM_FN Out inclusive_scan(In first, In last, Out result) {
  if (first == last) return result;
  value_of<In> sum = *first;
  *result++ = sum;
  for (++first; first != last; ++first, ++result) *result = sum = sum + *first;
  return result;
}

/// The first places where they differ.
template <class In, class Other>
CUPRUM_FN void skip_equal(In& first, In last, Other& other) {
  for (; first != last && *first == *other; ++first) ++other;
}
template <class In, class Other>
CUPRUM_FN bool equal(In first, In last, Other other) {
  skip_equal(first, last, other);
  return first == last;
}
template <class In>
CUPRUM_FN In is_sorted_until(In first, In last) {
  if (first == last) return last;
  In before = first;
  for (++first; first != last && !(*first < *before); ++first) ++before;
  return first;
}

// -- What is left out, exchanged, turned.

template <class In, class Out, class T>
CUPRUM_FN Out remove_copy(In first, In last, Out result, T value) {
  for (; first != last; ++first) {
    if (!(*first == value)) *result++ = *first;
  }
  return result;
}
template <class In, class Out, class T>
CUPRUM_FN Out replace_copy(In first, In last, Out result, T old_value, T new_value) {
  for (; first != last; ++first, ++result) {
    const value_of<In> x = *first;
    *result = x == old_value ? new_value : x;
  }
  return result;
}
template <class In>
CUPRUM_FN In unique(In first, In last) {
  if (first == last) return last;
  In kept = first;
  for (++first; first != last; ++first) {
    if (!(*kept == *first)) *++kept = *first;
  }
  return ++kept;
}
template <class A, class B>
CUPRUM_FN void exchange(A a, B b) {
  const value_of<A> x = *a;
  *a = *b;
  *b = x;
}
template <class In, class Other>
CUPRUM_FN Other swap_ranges(In first, In last, Other other) {
  for (; first != last; ++first, ++other) exchange(first, other);
  return other;
}
template <class In>
CUPRUM_FN void reverse(In first, In last) {
  while (first != last && first != --last) {
    exchange(first, last);
    ++first;
  }
}
template <class In, class Out>
CUPRUM_FN Out reverse_copy(In first, In last, Out result) {
  for (; first != last; ++result) *result = *--last;
  return result;
}

// -- Sorted ranges.

/// The first place whose element does not stand before `value`; or, `behind`, the first one behind all that are equal to it.
template <bool behind, class In, class T>
CUPRUM_FN In bound(In first, In last, T value) {
  for (long long n = last - first; n > 0;) {
    const long long half = n / 2;
    const In middle = first + half;
    const bool before = behind ? !(value < *middle) : *middle < value;
    if (before) first = middle + 1;
    n = before ? n - half - 1 : half;
  }
  return first;
}
template <class In, class T>
CUPRUM_FN bool binary_search(In first, In last, T value) {
  const In place = bound<false>(first, last, value);
  return place != last && !(value < *place);
}

/// Elements of both ranges in order: those of the first alone, of both (the first's), of the second alone. `keep_x(place)` is called for each.
template <class A, class B, class First, class Both, class Second>
CUPRUM_FN void merge(A a, A a_last, B b, B b_last, First keep_first, Both keep_both, Second keep_second) {
  while (a != a_last || b != b_last) {
    if (b == b_last || (a != a_last && *a < *b)) {
      keep_first(a++);
    } else if (a == a_last || *b < *a) {
      keep_second(b++);
    } else {
      keep_both(a++);
      ++b;
    }
  }
}

// -- Sorting: in place and stable, by exchanges alone. Runs of eight are sorted by insertion and merged by rotations, n log(n)^2 steps.

/// `before(i, j)`: does element i stand before j? `exchange(i, j)` exchanges them.
template <class Before, class Exchange>
struct Sorting {
  static constexpr long long kRun = 8;
  Before before;
  Exchange exchange;

  CUPRUM_FN void insertion(long long from, long long to) const {
    for (long long i = from + 1; i < to; ++i) {
      for (long long j = i; j > from && before(j, j - 1); --j) exchange(j, j - 1);
    }
  }
  CUPRUM_FN void turn(long long from, long long to) const {
    for (--to; from < to; ++from, --to) exchange(from, to);
  }
  /// [from, middle) and [middle, to) change places.
  CUPRUM_FN void rotate(long long from, long long middle, long long to) const {
    turn(from, middle);
    turn(middle, to);
    turn(from, to);
  }
  /// Sorted [from, middle) and [middle, to) become one. The parts that are still to be merged wait on a stack: halves each time.
  CUPRUM_FN_LARGE void merge(long long from, long long middle, long long to) const {
    long long waiting[64][3];
    int count = 0;
    waiting[count][0] = from, waiting[count][1] = middle, waiting[count++][2] = to;
    while (count > 0) {
      --count;
      from = waiting[count][0], middle = waiting[count][1], to = waiting[count][2];
      if (from >= middle || middle >= to) continue;
      if (to - from == 2) {
        if (before(middle, from)) exchange(from, middle);
        continue;
      }
      // Cut the longer one in the middle, the other where that element belongs.
      const bool left = middle - from >= to - middle;
      const long long cut = left ? from + (middle - from) / 2 : middle + (to - middle) / 2;
      long long low = left ? middle : from, high = left ? to : middle;
      while (low < high) {
        const long long half = low + (high - low) / 2;
        if (left ? before(half, cut) : !before(cut, half))
          low = half + 1;
        else
          high = half;
      }
      const long long first = left ? cut : low, second = left ? low : cut;
      rotate(first, middle, second);
      const long long joint = first + (second - middle);
      // One part has at most half of the elements: it is done first, so that the stack stays as deep as a logarithm.
      const bool small_first = joint - from <= to - joint;
      for (int part = 0; part < 2; ++part) {
        const bool lower = (part == 0) != small_first;
        waiting[count][0] = lower ? from : joint;
        waiting[count][1] = lower ? first : second;
        waiting[count++][2] = lower ? joint : to;
      }
    }
  }
  CUPRUM_FN_LARGE void sort(long long n) const {
    for (long long from = 0; from < n; from += kRun) insertion(from, from + kRun < n ? from + kRun : n);
    for (long long run = kRun; run < n; run *= 2) {
      for (long long from = 0; from + run < n; from += 2 * run)
        merge(from, from + run, from + 2 * run < n ? from + 2 * run : n);
    }
  }
};
template <class Before, class Exchange>
CUPRUM_FN void sort(long long n, Before before, Exchange exchange) {
  Sorting<Before, Exchange>{before, exchange}.sort(n);
}

}  // namespace jit::sequential
