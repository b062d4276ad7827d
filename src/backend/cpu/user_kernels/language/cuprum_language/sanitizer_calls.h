// What the compiler calls in a text that it compiles with -fsanitize=thread,alignment,bounds. The sanitizers' own libraries are not
// linked: these functions, known to the module alone, take their place and tell libcuprum (checks.h). Compiled by itself, without -fsanitize.
#include "cuprum_language/checks.h"

using cuprum_language::Checks;
using cuprum_language::kAtomic;
using cuprum_language::kReads;
using cuprum_language::kVolatile;
using cuprum_language::kWrites;

#define CUPRUM_PLACE __builtin_return_address(0)
#define CUPRUM_TELL(what, ...)                           \
  do {                                                   \
    if (cuprum_checks) cuprum_checks->what(__VA_ARGS__); \
  } while (false)

namespace {

/// What UBSan's descriptions of a place in the program hold.
struct Location {
  const char* file;
  unsigned line, column;
};
struct Type {
  unsigned short kind, info;  // of an integer, info is 2 log2(bits), plus 1 if it has a sign
  char name[1];
};
struct Misaligned {
  Location where;
  const Type* type;
  unsigned char log_alignment, kind;
};
struct Outside {
  Location where;
  const Type *array, *index;
};

long long index_value(const Type& type, unsigned long bits) {
  const unsigned unused = 64 - (1u << (type.info >> 1));
  const bool has_sign = type.info & 1;
  return has_sign ? static_cast<long long>(bits << unused) >> unused : static_cast<long long>(bits);
}

}  // namespace

extern "C" {

__attribute__((visibility("default"), used)) const Checks* cuprum_checks = nullptr;

// The linker puts initialised variables first, and the others in the order of its objects: this one's are the last.
__attribute__((used)) __thread char cuprum_guard_before[1 << 16] = {1};
__attribute__((used)) __thread char cuprum_guard_behind[1 << 20];

void __tsan_init() {}
void __tsan_func_entry(const void* place) { CUPRUM_TELL(call, place); }
void __tsan_func_exit() { CUPRUM_TELL(finish); }
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) { CUPRUM_TELL(fence); }
void __tsan_atomic_signal_fence(int) { CUPRUM_TELL(fence); }

void __tsan_read_range(void* p, unsigned long n) { CUPRUM_TELL(touch, p, n, kReads, CUPRUM_PLACE); }
void __tsan_write_range(void* p, unsigned long n) { CUPRUM_TELL(touch, p, n, kWrites, CUPRUM_PLACE); }

#define CUPRUM_TOUCH(name, n, how) \
  void name##n(void* p) { CUPRUM_TELL(touch, p, n, how, CUPRUM_PLACE); }
#define CUPRUM_TOUCHES(n)                                             \
  CUPRUM_TOUCH(__tsan_read, n, kReads)                                \
  CUPRUM_TOUCH(__tsan_write, n, kWrites)                              \
  CUPRUM_TOUCH(__tsan_read_write, n, kReads | kWrites)                \
  CUPRUM_TOUCH(__tsan_unaligned_read, n, kReads)                      \
  CUPRUM_TOUCH(__tsan_unaligned_write, n, kWrites)                    \
  CUPRUM_TOUCH(__tsan_unaligned_read_write, n, kReads | kWrites)      \
  CUPRUM_TOUCH(__tsan_volatile_read, n, kReads | kVolatile)           \
  CUPRUM_TOUCH(__tsan_volatile_write, n, kWrites | kVolatile)         \
  CUPRUM_TOUCH(__tsan_unaligned_volatile_read, n, kReads | kVolatile) \
  CUPRUM_TOUCH(__tsan_unaligned_volatile_write, n, kWrites | kVolatile)
CUPRUM_TOUCHES(1)
CUPRUM_TOUCHES(2)
CUPRUM_TOUCHES(4)
CUPRUM_TOUCHES(8)
CUPRUM_TOUCHES(16)

// Atomic functions are done by their checks.
#define CUPRUM_UPDATE(bits, T, name)                                                   \
  T __tsan_atomic##bits##_##name(volatile T* p, T value, int) {                        \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kReads | kWrites | kAtomic, CUPRUM_PLACE); \
    return __atomic_##name(p, value, __ATOMIC_SEQ_CST);                                \
  }
#define CUPRUM_SWAP(bits, T, name)                                                                     \
  int __tsan_atomic##bits##_compare_exchange_##name(volatile T* p, T* expected, T value, int, int) {   \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kReads | kWrites | kAtomic, CUPRUM_PLACE);                 \
    return __atomic_compare_exchange_n(p, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }
#define CUPRUM_ATOMICS(bits, T)                                                                  \
  T __tsan_atomic##bits##_load(const volatile T* p, int) {                                       \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kReads | kAtomic, CUPRUM_PLACE);                     \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                              \
  void __tsan_atomic##bits##_store(volatile T* p, T value, int) {                                \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kWrites | kAtomic, CUPRUM_PLACE);                    \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                \
  }                                                                                              \
  T __tsan_atomic##bits##_exchange(volatile T* p, T value, int) {                                \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kReads | kWrites | kAtomic, CUPRUM_PLACE);           \
    return __atomic_exchange_n(p, value, __ATOMIC_SEQ_CST);                                      \
  }                                                                                              \
  CUPRUM_SWAP(bits, T, strong)                                                                   \
  CUPRUM_SWAP(bits, T, weak)                                                                     \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T value, int, int) {   \
    CUPRUM_TELL(touch, (void*)p, sizeof(T), kReads | kWrites | kAtomic, CUPRUM_PLACE);           \
    __atomic_compare_exchange_n(p, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                             \
  }                                                                                              \
  CUPRUM_UPDATE(bits, T, fetch_add)                                                              \
  CUPRUM_UPDATE(bits, T, fetch_sub)                                                              \
  CUPRUM_UPDATE(bits, T, fetch_and)                                                              \
  CUPRUM_UPDATE(bits, T, fetch_or)                                                               \
  CUPRUM_UPDATE(bits, T, fetch_xor)                                                              \
  CUPRUM_UPDATE(bits, T, fetch_nand)
CUPRUM_ATOMICS(8, unsigned char)
CUPRUM_ATOMICS(16, unsigned short)
CUPRUM_ATOMICS(32, unsigned int)
CUPRUM_ATOMICS(64, unsigned long)

void __ubsan_handle_type_mismatch_v1(const Misaligned* about, void* p) {
  CUPRUM_TELL(misaligned, p, 1ul << about->log_alignment, about->type->name, CUPRUM_PLACE);
}
void __ubsan_handle_out_of_bounds(const Outside* about, unsigned long index) {
  CUPRUM_TELL(outside, index_value(*about->index, index), about->array->name, CUPRUM_PLACE);
}

// The C library's functions that touch what the program names; compilers copy structs by them. Before there is anybody to tell, while the
// module is loaded, they do it themselves: byte by byte through volatile, of which a compiler does not make a call of memcpy.
void* memmove(void* to, const void* from, unsigned long n) {
  CUPRUM_TELL(copy, to, from, n, CUPRUM_PLACE);
  if (cuprum_checks) return to;
  auto* target = static_cast<volatile char*>(to);
  auto* source = static_cast<const char*>(from);
  if (to < from)
    for (unsigned long i = 0; i < n; ++i) target[i] = source[i];
  else
    for (unsigned long i = n; i-- > 0;) target[i] = source[i];
  return to;
}
void* memset(void* to, int byte, unsigned long n) {
  CUPRUM_TELL(fill, to, byte, n, CUPRUM_PLACE);
  if (cuprum_checks) return to;
  for (unsigned long i = 0; i < n; ++i) static_cast<volatile char*>(to)[i] = static_cast<char>(byte);
  return to;
}
void* memcpy(void*, const void*, unsigned long) __attribute__((alias("memmove")));
void* __tsan_memcpy(void*, const void*, unsigned long) __attribute__((alias("memmove")));
void* __tsan_memmove(void*, const void*, unsigned long) __attribute__((alias("memmove")));
void* __tsan_memset(void*, int, unsigned long) __attribute__((alias("memset")));

}  // extern "C"
