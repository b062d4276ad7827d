// Memory, time and messages.
#pragma once

extern "C" {
int printf(const char* format, ...) __attribute__((format(printf, 1, 2)));
void* memcpy(void* to, const void* from, size_t bytes) noexcept;
void* memset(void* to, int byte, size_t bytes) noexcept;
void* memmove(void* to, const void* from, size_t bytes) noexcept;
}

/// The dynamic shared memory of the block that this OS thread runs, as memory of any type; a module that uses it defines it.
extern "C" __attribute__((visibility("hidden"))) __thread char cuprum_dynamic_shared[];
namespace cuprum_language {
struct DynamicShared {
  template <class T>
  operator T*() const {
    return (T*)cuprum_dynamic_shared;
  }
};
}  // namespace cuprum_language

// Loads and stores with a hint for a cache: plain ones.
#define CUPRUM_LOAD(name)     \
  template <class T>          \
  inline T name(const T* p) { \
    return *p;                \
  }
CUPRUM_LOAD(__ldg)
CUPRUM_LOAD(__ldca)
CUPRUM_LOAD(__ldcg)
CUPRUM_LOAD(__ldcs)
CUPRUM_LOAD(__ldlu)
CUPRUM_LOAD(__ldcv)
#undef CUPRUM_LOAD
#define CUPRUM_STORE(name)                                    \
  template <class T>                                          \
  inline void name(T* p, cuprum_language::follows<T> value) { \
    *p = value;                                               \
  }
CUPRUM_STORE(__stwb)
CUPRUM_STORE(__stcg)
CUPRUM_STORE(__stcs)
CUPRUM_STORE(__stwt)
#undef CUPRUM_STORE

inline size_t __cvta_generic_to_shared(const void* p) { return reinterpret_cast<size_t>(p); }
inline size_t __cvta_generic_to_global(const void* p) { return reinterpret_cast<size_t>(p); }
inline unsigned __isGlobal(const void*) { return 1; }

/// Ticks that only grow: nanoseconds, or the processor's own counter.
inline long long clock64() {
#if defined(__x86_64__)
  return static_cast<long long>(__builtin_ia32_rdtsc());
#elif defined(__aarch64__)
  long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
#endif
}
inline unsigned long long __globaltimer() {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<unsigned long long>(now.tv_sec) * 1000000000ull +
         static_cast<unsigned long long>(now.tv_nsec);
}
