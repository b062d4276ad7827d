// The signatures of the operations at compile time: templates ask here which loops an operation has, and the
// tables of op.cpp are made from it. Light on purpose: files compiled once per instruction set include it.
//
// A row's signatures are at most one per key, so they are kept by key: `signature(op, key)` is a lookup.
#pragma once

#include "core/op.h"

namespace cuprum {

/// The dtype that a character of `op_table.def` means.
constexpr dtype dtype_of_char(char c) {
  constexpr char chars[] = "?bhiqBHIQeEfdFD";
  for (int i = 0; i < kDTypeCount; ++i) {
    if (chars[i] == c) return static_cast<dtype>(i);
  }
  throw "op_table.def: unknown type character";
}

/// The character of `op_table.def` that means this dtype.
constexpr char char_of_dtype(dtype t) { return "?bhiqBHIQeEfdFD"[static_cast<int>(t)]; }

/// The signatures of one operation, in the order of the table.
struct SignatureList {
  Signature items[kDTypeCount] = {};
  int count = 0;

  /// Position of the signature with this key, or -1.
  constexpr int index(dtype key) const {
    for (int i = 0; i < count; ++i) {
      if (items[i].key == key) return i;
    }
    return -1;
  }
  constexpr const Signature* find(dtype key) const { return index(key) < 0 ? nullptr : &items[index(key)]; }
};

/// Reads "ff->f dd->d". `key_input` is the input whose dtype is the key. Malformed text does not compile.
constexpr SignatureList parse_signatures(const char* text, int nin, int key_input) {
  SignatureList list;
  while (true) {
    while (*text == ' ') ++text;
    if (*text == '\0') return list;
    Signature s = {};
    for (int i = 0; i < nin; ++i) s.in[i] = dtype_of_char(*text++);
    if (text[0] != '-' || text[1] != '>') throw "op_table.def: expected '->' after the inputs";
    s.out = dtype_of_char(text[2]);
    s.key = s.in[key_input];
    text += 3;
    if (*text != ' ' && *text != '\0') throw "op_table.def: one result per operation";
    if (list.index(s.key) >= 0) throw "op_table.def: two signatures with one key";
    list.items[list.count++] = s;
  }
}

/// The input whose dtype is the key of a loop.
constexpr int key_input(Op op) { return op == Op::where ? 1 : 0; }

/// The signatures of every operation, indexed by it.
inline constexpr SignatureList kSignatures[kOpCount] = {
#define CUPRUM_OP(name, family, nin, signatures, ...) parse_signatures(signatures, nin, key_input(Op::name)),
#include "core/op_table.def"
#undef CUPRUM_OP
};

/// Number of inputs of every operation.
inline constexpr unsigned char kInputCount[kOpCount] = {
#define CUPRUM_OP(name, family, nin, ...) nin,
#include "core/op_table.def"
#undef CUPRUM_OP
};

constexpr int input_count(Op op) { return kInputCount[static_cast<int>(op)]; }

/// The loop of `op` with this key, or nullptr.
constexpr const Signature* signature(Op op, dtype key) { return kSignatures[static_cast<int>(op)].find(key); }

// Through the index: under the undefined-behaviour sanitizer gcc takes no address for a constant.
constexpr bool has_loop(Op op, dtype key) { return kSignatures[static_cast<int>(op)].index(key) >= 0; }

/// The loop of `op` with this key, which must exist, by value.
constexpr Signature signature_of(Op op, dtype key) {
  const SignatureList& list = kSignatures[static_cast<int>(op)];
  return list.items[list.index(key)];
}

/// The dtype of the result of the loop with this key, which must exist.
constexpr dtype output_type(Op op, dtype key) { return signature_of(op, key).out; }

}  // namespace cuprum
