// What a kernel's parameters are, as the compiler of its text knows them. Both texts that a program's own kernels become include
// this, that for the system's compiler and that for NVRTC; the library reads the descriptions out of the compiled module.
#pragma once

namespace cuprum_language {

/// A parameter of a kernel, as far as arguments are compared with it (ParameterType in runtime/user_kernels.h).
struct Parameter {
  unsigned bytes;
  bool pointer, constant;  // constant: a pointer to const
  signed char type;        // the number of the dtype, of what is pointed to for a pointer; -1: none
  unsigned pointee;        // bytes of what is pointed to
  char text[160];          // "const float*", for people; the end of a longer one is cut off
};

template <class A, class B>
inline constexpr bool same = false;
template <class A>
inline constexpr bool same<A, A> = true;

/// The number of the dtype (cuprum::dtype) that holds a C++ type; -1: none does. Headers of number types add theirs.
template <class T>
inline constexpr signed char number_type = -1;
#define CUPRUM_NUMBER(T, number) \
  template <>                    \
  inline constexpr signed char number_type<T> = number;
CUPRUM_NUMBER(bool, 0)
CUPRUM_NUMBER(char, 1)
CUPRUM_NUMBER(signed char, 1)
CUPRUM_NUMBER(short, 2)
CUPRUM_NUMBER(int, 3)
CUPRUM_NUMBER(long, 4)
CUPRUM_NUMBER(long long, 4)
CUPRUM_NUMBER(unsigned char, 5)
CUPRUM_NUMBER(unsigned short, 6)
CUPRUM_NUMBER(unsigned int, 7)
CUPRUM_NUMBER(unsigned long, 8)
CUPRUM_NUMBER(unsigned long long, 8)
CUPRUM_NUMBER(float, 11)
CUPRUM_NUMBER(double, 12)

template <class T>
constexpr signed char number_of() {
  if constexpr (__is_enum(T))
    return number_type<__underlying_type(T)>;
  else
    return number_type<T>;
}

/// Adds the name of T, which a compiler writes behind "T = " and before the last bracket; "float *" is "float*".
template <class T>
constexpr Parameter with_text(Parameter p) {
  const char* name = __PRETTY_FUNCTION__;
  while (*name && !(name[0] == 'T' && name[1] == ' ' && name[2] == '=' && name[3] == ' ')) ++name;
  if (*name) name += 4;
  const char* end = name;
  for (const char* c = name; *c; ++c) {
    if (*c == ']') end = c;
  }
  unsigned n = 0;
  for (; name < end && n + 1 < sizeof p.text; ++name) {
    if (!(name[0] == ' ' && name[1] == '*')) p.text[n++] = *name;
  }
  return p;
}

/// The type without const and volatile.
template <class T>
struct Plain {
  using type = T;
  static constexpr bool kConstant = false;
};
template <class T>
struct Plain<const T> : Plain<T> {
  static constexpr bool kConstant = true;
};
template <class T>
struct Plain<volatile T> : Plain<T> {};
template <class T>
struct Plain<const volatile T> : Plain<const T> {};

/// Bytes of a type; void has none, nor have types that are only declared.
template <class T>
constexpr unsigned size_or_none(decltype(sizeof(T))*) {
  return same<T, void> ? 0 : static_cast<unsigned>(sizeof(T));
}
template <class T>
constexpr unsigned size_or_none(...) {
  return 0;
}

template <class T>
struct Described {
  static constexpr Parameter kParameter = with_text<T>({sizeof(T), false, false, number_of<T>(), 0, {}});
};
template <class T>
struct Described<T*> {
  using To = typename Plain<T>::type;
  static constexpr bool kBytes = same<To, char>;  // of anything
  static constexpr Parameter kParameter =
      with_text<T*>({sizeof(T*),
                     true,
                     Plain<T>::kConstant,
                     kBytes ? static_cast<signed char>(-1) : number_type<To>,
                     size_or_none<To>(nullptr),
                     {}});
};

/// The parameters of a function; of a variable, none.
template <class Pointer>
struct Parameters {
  static constexpr unsigned kCount = 0;
  Parameter list[1];
  static constexpr Parameters described() { return {}; }
};
template <class... A>
struct Parameters<void (*)(A...)> {
  static constexpr unsigned kCount = sizeof...(A);
  Parameter list[sizeof...(A) + 1];  // the last one has no bytes
  static constexpr Parameters described() { return {{Described<A>::kParameter..., {}}}; }
};

}  // namespace cuprum_language
