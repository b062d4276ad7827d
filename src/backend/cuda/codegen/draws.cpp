#include "codegen/draws.h"

#include "codegen/arguments.h"
#include "codegen/names.h"
#include "runtime/own_streams.h"

namespace cuprum::cuda {

namespace {

namespace random = device::random;
using random::uint128;

bool is_integers(Law law) { return law == Law::integers || law == Law::masked_integers; }
bool is_ziggurat(Law law) { return law == Law::standard_normal || law == Law::standard_exponential; }
bool has_elements(const Draw& draw) { return draw.kind == BitKind::philox4x32; }
bool is_congruence(const Draw& draw) {
  return draw.kind == BitKind::pcg64 || draw.kind == BitKind::pcg64dxsm;
}
int bits_of(const Draw& draw, dtype type) { return place_bits(draw, type, false); }

std::string integers_type(const Draw& draw, dtype type) {
  const std::string size = std::to_string(8 * itemsize(type));
  return "IntegersElement<k::uint" + size + ", k::uint" + std::to_string(bits_of(draw, type)) + ", " +
         (draw.law == Law::masked_integers ? "true>" : "false>");
}

std::string law_type(const Draw& draw, dtype type) {
  switch (draw.law) {
    case Law::random: return "random::RandomElement";
    case Law::random_f: return "random::RandomElementFloat";
    case Law::triangular: return "random::TriangularElement";
    case Law::inverse_exponential: return "random::InverseExponentialElement";
    case Law::inverse_exponential_f: return "random::InverseExponentialElementFloat";
    case Law::standard_normal: return "random::NormalElement";
    case Law::standard_exponential: return "random::ExponentialElement";
    case Law::raw: return "BitsElement<k::uint64>";
    case Law::half: return "BitsElement<k::uint32>";
    default: return integers_type(draw, type);
  }
}

const char* stream_type(const Draw& draw) {
  return has_elements(draw)    ? "random::ElementStream"
         : is_congruence(draw) ? "CongruenceStream"
                               : "BlockStream";
}
const char* units_type(const Draw& draw) {
  switch (draw.kind) {
    case BitKind::philox4x32: return "ElementUnits";
    case BitKind::pcg64: return "CongruenceUnits<false>";
    case BitKind::pcg64dxsm: return "CongruenceUnits<true>";
    default: return "BlockUnits";
  }
}

void split(uint128 x, kernels::uint64 (&words)[2]) {
  words[0] = static_cast<kernels::uint64>(x >> 64);
  words[1] = static_cast<kernels::uint64>(x);
}

random::ElementStream element_stream(const BitState& s, bool narrow) {
  return random::ElementStream::of(s.words[0], s.words[1], s.words[2], s.words[3], narrow, s.half_is_held,
                                   s.half);
}

/// `step`: in draws.
device::CongruenceStream congruence_stream(const BitState& s, bool narrow, std::int64_t step) {
  const bool cheap = s.kind == BitKind::pcg64dxsm;
  const uint128 multiplier = cheap ? random::kPcgCheapMultiplier : random::kPcgMultiplier,
                increment = random::join(s.words[2], s.words[3]);
  uint128 state = random::join(s.words[0], s.words[1]);
  if (!cheap) state = multiplier * state + increment;  // which gives what it is stepped to
  device::CongruenceStream stream = {};
  split(state, stream.state);
  split(increment, stream.increment);
  // Backwards, modulo the period.
  const random::Steps steps = random::steps_of(multiplier, increment, static_cast<uint128>(step));
  stream.step = step;
  split(steps.multiplier, stream.step_multiplier);
  split(steps.increment, stream.step_increment);
  stream.half = s.half;
  stream.held = narrow && s.half_is_held;
  return stream;
}

device::BlockStream block_stream(const BitState& s) {
  device::BlockStream stream = {};
  for (int k = 0; k < 4; ++k) {
    stream.counter[k] = s.words[static_cast<std::size_t>(k)];
    stream.block[k] = s.words[6 + static_cast<std::size_t>(k)];
  }
  stream.key[0] = s.words[4];
  stream.key[1] = s.words[5];
  stream.read = static_cast<std::int64_t>(s.words[10]);
  return stream;
}

template <class Stream>
void add(const Draw& draw, const Stream& stream, const random::Log1pForms& forms, ArgumentBuffer& buffer) {
  const random::LawBits parameters = {{draw.parameters[0], draw.parameters[1], draw.parameters[2]}};
  buffer.add(device::Draw<Stream>{stream, parameters, draw.loc, draw.scale, forms});
}

}  // namespace

bool draws_in_kernels(const Draw& draw, dtype type) {
  if (!draw.from || !knows_places(draw, type, false)) return false;
  switch (draw.law) {
    case Law::random:
    case Law::triangular:
    case Law::inverse_exponential:
    case Law::raw: return true;
    case Law::random_f:
    case Law::inverse_exponential_f:
    case Law::half: return draw.kind != BitKind::philox;
    default: return has_elements(draw) && (is_ziggurat(draw.law) || is_integers(draw.law));
  }
}

std::uint32_t draw_structure(const Draw& draw, dtype type) {
  return static_cast<std::uint32_t>(draw.law) | static_cast<std::uint32_t>(draw.kind) << 8 |
         static_cast<std::uint32_t>(bits_of(draw, type)) << 16 |
         static_cast<std::uint32_t>(draw.scaled) << 24;
}

std::string draw_argument_type(const Draw& draw) { return std::string("Draw<") + stream_type(draw) + ">"; }

std::string drawer_type(const Draw& draw, dtype type) {
  return "Drawer<" + law_type(draw, type) + ", " + units_type(draw) + (draw.scaled ? ", true>" : ", false>");
}

bool starts_slowly(const Draw& draw) { return is_congruence(draw) || is_ziggurat(draw.law); }

int numbers_of_block(const Draw& draw) { return draw.kind == BitKind::philox ? 4 : 1; }

bool draws_lightly(const Draw& draw) {
  return draw.kind != BitKind::philox && !is_ziggurat(draw.law) && !is_integers(draw.law);
}

void add_draw(const Draw& draw, dtype type, std::int64_t step, const random::Log1pForms& forms,
              ArgumentBuffer& buffer) {
  const bool narrow = bits_of(draw, type) < 64;
  if (has_elements(draw)) {
    add(draw, element_stream(*draw.from, narrow), forms, buffer);
  } else if (is_congruence(draw)) {
    add(draw, congruence_stream(*draw.from, narrow, narrow ? step / 2 : step), forms, buffer);
  } else {
    add(draw, block_stream(*draw.from), forms, buffer);
  }
}

}  // namespace cuprum::cuda
