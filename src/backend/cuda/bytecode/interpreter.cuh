// The interpreter: runs a program (program.h) for one group of elements.
//
// The program lies in shared memory: an instruction is one read that all threads share. Loads come first and arrive
// behind each other's back (cp.async where the group is one aligned piece), then one indirect call per instruction.
// Lanes beyond `count` hold whatever was there before: no meaning can fault, and they are not stored.
#pragma once

#include "backend/cuda/bytecode/groups.cuh"
#include "backend/cuda/bytecode/loop_table.cuh"

namespace cuprum::cuda::bytecode {

/// The state of one thread. `shared` is where the block's dynamic shared memory begins; the program comes first in it.
template <class Index>
class Machine {
 public:
  CUPRUM_DEVICE Machine(Shared shared, int thread) : shared_(shared), thread_(thread) {}

  /// Puts the values that all threads share where they belong, once the program is there. Then the block must be
  /// synchronised.
  CUPRUM_DEVICE void prepare() const {
    const Uniform* uniforms = part<Uniform>(header().uniforms_at);
    for (int i = thread_; i < header().uniforms; i += kThreads) {
      spread(shared_ + header().registers_at + 16u * uniforms[i].name, uniforms[i]);
    }
  }

  CUPRUM_DEVICE void place_kept(Index kept) const { place(0, header().kept, kept); }
  CUPRUM_DEVICE void place_major(Index major) const {
    place(header().kept, header().kept + header().major, major);
  }

  /// Runs the program for elements [inner, inner + count) of the inner row.
  CUPRUM_DEVICE void run(Index inner, int count) const {
    execute(code(), code() + sizeof(Instruction) * header().length, inner, count);
  }
  /// total = fold(total, value), lane by lane.
  CUPRUM_DEVICE void fold() const {
    const Shared first = code() + sizeof(Instruction) * header().length;
    execute(first, first + sizeof(Instruction) * header().fold_length, 0, 0);
  }

  CUPRUM_DEVICE Shared value() const { return at(header().value); }
  CUPRUM_DEVICE Shared total() const { return at(header().total); }

  /// Where element `inner` of the row lies.
  CUPRUM_DEVICE char* address(int access_number, Index inner) const {
    return at_global(number_of(access_number, inner));
  }
  /// The same as a number: for positions.
  CUPRUM_DEVICE uint64 number_of(int access_number, Index inner) const {
    const Header& h = header();
    const Access& a = access(access_number);
    const int outer = h.kept + h.major, dims = outer + h.inner;
    const int64* strides = part<int64>(h.strides_at) + access_number * dims;
    int64 offset = 0;
    if (h.inner > 1) {
      const device::Divisor<Index>* extents = part<device::Divisor<Index>>(h.dims_at);
#pragma unroll 1
      for (int d = dims - 1; d > outer; --d) offset += int64(device::split(inner, extents[d])) * strides[d];
      offset += int64(inner) * strides[outer];
    } else {
      offset = int64(inner) * a.stride;
    }
#pragma unroll 1
    for (int d = 0; d < outer; ++d) offset += int64(*coordinate(d)) * strides[d];
    return a.data + static_cast<uint64>(offset);
  }
  CUPRUM_DEVICE const Access& access(int i) const { return part<Access>(header().accesses_at)[i]; }
  CUPRUM_DEVICE const Header& header() const { return *part<Header>(0); }

 private:
  template <class T>
  CUPRUM_DEVICE const T* part(uint32 offset) const {
    return static_cast<const T*>(at_shared(shared_ + offset));
  }
  CUPRUM_DEVICE Shared code() const { return shared_ + static_cast<uint32>(sizeof(Header)); }

  CUPRUM_DEVICE Shared at(uint32 name) const {
    const uint32 own = name & kUniform ? 0u : static_cast<uint32>(thread_);
    return shared_ + header().registers_at + 16u * ((name & (kUniform - 1u)) + own);
  }
  CUPRUM_DEVICE Index* coordinate(int d) const {
    const uint32 place = static_cast<uint32>(d * kThreads + thread_);
    return static_cast<Index*>(at_shared(shared_ + header().coordinates_at + place * uint32(sizeof(Index))));
  }

  /// The coordinates in dimensions [first, last) that `index` stands for.
  CUPRUM_DEVICE void place(int first, int last, Index index) const {
    const device::Divisor<Index>* extents = part<device::Divisor<Index>>(header().dims_at);
#pragma unroll 1
    for (int d = last - 1; d > first; --d) *coordinate(d) = device::split(index, extents[d]);
    if (last > first) *coordinate(first) = index;
  }

  CUPRUM_DEVICE void execute(Shared pc, Shared end, Index inner, int count) const {
    // The address of a register is base + 16 * name; kUniform, a part of the name, is taken off the base.
    const Shared shared_by_all = shared_ + header().registers_at - 16u * kUniform;
    const Shared own = shared_ + header().registers_at + 16u * static_cast<uint32>(thread_);
    const auto find = [&](uint32 name) { return (name & kUniform ? shared_by_all : own) + 16u * name; };
#pragma unroll 1
    for (; pc != end; pc += sizeof(Instruction)) {
      const Plane in = load_plane(pc);  // code, dst | src[0], src[1] | src[2]
      const uint32 operation = in.word[0] & 0xffffu, dst = in.word[0] >> 16, first = in.word[1] & 0xffffu;
      if (operation < kLoad) {
        loop_table[operation](find(dst), find(first), find(in.word[1] >> 16), find(in.word[2] & 0xffffu));
      } else if (operation == kLoad) {
        load(find(dst), static_cast<int>(first), inner, count);
      } else if (operation == kStore) {
        store(static_cast<int>(dst), find(first), inner, count);
      } else {
        wait_for_copies();
      }
    }
  }

  CUPRUM_DEVICE void load(Shared to, int from, Index inner, int count) const {
    const Access a = access(from);
    if (!header().straddles) return load_group(to, address(from, inner), a, count);
#pragma unroll 1
    for (int i = 0; i < count; ++i) load_lane(to, i, address(from, inner + i), a);
  }
  CUPRUM_DEVICE void store(int to, Shared from, Index inner, int count) const {
    const Access a = access(to);
    if (!header().straddles) return store_group(address(to, inner), from, a, count);
#pragma unroll 1
    for (int i = 0; i < count; ++i) store_lane(address(to, inner + i), from, i, a);
  }

  Shared shared_;
  int thread_;
};

}  // namespace cuprum::cuda::bytecode
