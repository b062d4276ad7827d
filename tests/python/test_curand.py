"""`#include <curand_kernel.h>`: the numbers are those of cuRAND's own header, compiled for the host by nvcc 13.0."""

import numpy as np
import pytest

import cuprum as cp

# Per state: six words; two uniform numbers of either precision; three normal ones, and two at once, of either
# precision; three log-normal ones of either precision; a word after 12,345 more, and one after 77 more sequences.
# fmt: off
NUMBERS = {
    ("XORWOW", 1234, 0, 0): [
        624778773, 1867875844, 3739671282, 1954919316, 3681184389, 2501467243, 0.201403871, 0.786745369,
        0.36678716167372255, 0.68847665479592846, -1.15685928, -0.186758235, -0.342182875, 1.18461657,
        -1.58108199, 0.80114456997443539, 0.43994021835645664, -0.144301816910479, -0.11488387706898635,
        -0.75420865160913908, 3.03537607, 1.48715091, 1.73459756, 1.7945144688287376, 1.5947515592790666,
        2.0160641423882248, 536077038, 3786575989,
    ],
    ("XORWOW", 1234, 5, 3): [
        1633321130, 1363217923, 2702936549, 2956155405, 3351265907, 3629609298, 0.0967250243, 0.273132086,
        0.51854963644414109, 0.61089903842023596, 0.020111192, -1.82113886, -0.236662716, 1.07622731,
        1.11117494, -0.49428344792325674, -0.2580305695497036, -2.6539069918554787, -0.73431178914584516,
        -1.6781516593986456, 1.3091296, 2.01794839, 1.40059447, 1.2167281604722215, 1.2508740126837341,
        1.7218373586478073, 1599100715, 3674998788,
    ],
    ("XORWOW", 81985529216486895, 1000003, 12345678901): [
        1598859622, 508678543, 1630874543, 612047766, 909363599, 2857186765, 0.803735375, 0.768351614,
        0.28347437574073914, 0.76608851605921569, -1.27841079, -0.405987442, 1.71824527, -0.184698746,
        -1.04630256, -2.042158622944465, -0.80094070730797962, -1.3909280732045286, 0.51229197109849645,
        -0.1248445216403737, 1.79270637, 1.52931929, 1.54103267, 1.1613745624141267, 1.2391154563490221,
        1.5521408313228304, 1824611363, 1185050906,
    ],
    ("XORWOW", 42, 281474976710655, 7): [
        3310733119, 4187676693, 3669806216, 1180891728, 1653242385, 2525158750, 0.776744068, 0.458783925,
        0.25671279241759476, 0.3541894375970161, 1.02212644, -0.846799135, 0.679425776, -0.380601019,
        -0.638800144, 0.68269099569428526, 1.7289813043012194, 0.86512006589394086, -0.12238972378151426,
        -0.034390180099719676, 1.79473591, 0.984439313, 1.63174784, 1.8147594919700736, 1.9394921211322804,
        1.9369234757131315, 215197260, 187418032,
    ],
    ("Philox4_32_10", 1234, 0, 0): [
        546353992, 3665621163, 1140953199, 3419031310, 2666454581, 482218876, 0.977164328, 0.0800607949,
        0.24917273805476725, 0.98448146716691554, -0.149344906, -0.656451583, 0.634095252, -0.691018522,
        1.06132889, -0.064744066078547116, 0.40853560941780365, -0.92277210498144291, -0.83667938014261434,
        -0.34276557556955972, 1.79866922, 1.35983741, 1.58277261, 1.873298544304226, 2.5149812442334403,
        1.3953431887256429, 3537133306, 2777111253,
    ],
    ("Philox4_32_10", 1234, 5, 3): [
        3180702920, 1549596404, 1069600344, 846674261, 1925342002, 648658203, 0.845928848, 0.0334339775,
        0.81995141576044261, 0.7562961361836642, 1.56206298, -0.770025492, -0.0460085049, 0.747718215,
        0.636450887, -1.6887528381108499, -0.68464727493227484, 1.0199490062242076, 0.89836542216583326,
        0.83955467832847097, 1.23366082, 1.55880272, 1.81081808, 1.5817597810907655, 1.3118788543149913,
        1.3808526022620573, 386097947, 880629265,
    ],
    ("Philox4_32_10", 81985529216486895, 1000003, 12345678901): [
        2031764314, 594488834, 2664602791, 752074661, 756811100, 3674592429, 0.259141266, 0.68903774,
        0.50570143689401448, 0.3388281271327287, -0.339898467, -0.662446916, 0.42780894, 1.07913578,
        0.912001371, -1.4843427278421761, -0.47470254510004467, -0.53987983578682841, -1.7236833854860028,
        -0.63897798851223786, 1.69248343, 1.86583877, 1.54380655, 1.2949355945681595, 2.5694150817027195,
        1.6120976958848201, 3037733290, 2741258593,
    ],
    ("MRG32k3a", 1234, 0, 0): [
        3379073520, 2521876100, 213678209, 1604391373, 2253011095, 4200718073, 0.399929374, 0.801026344,
        0.32358865594259212, 0.52302344779295395, -0.518003583, -1.15241218, 1.27806664, -1.16417181,
        0.367392391, -1.2707331806646647, -0.39159837519340523, -1.7330923063583161, -0.28068111776861204,
        1.1752099527164879, 1.79472888, 1.79601479, 1.50177085, 1.9386879815649041, 1.9098380332833933,
        1.5599991804104112, 65817418, 3716163157,
    ],
    ("MRG32k3a", 1234, 5, 3): [
        1764926452, 1184748449, 4062017915, 1566863480, 2068833513, 469510173, 0.158774257, 0.216397658,
        0.85396790841577885, 0.5450683166084993, 0.428507388, -0.0126313651, 0.827352166, -0.316234797,
        -1.01446617, -0.5015038020055006, -0.65522003785093175, -3.0876024794306018, -0.46530181034269108,
        1.3919761375230393, 2.3173461, 1.56621385, 1.37915361, 1.6115218856168876, 1.7207667696513396,
        1.7159045059182825, 207469320, 1090714966,
    ],
    ("MRG32k3a", 81985529216486895, 1000003, 12345678901): [
        2289669493, 2068680975, 2416139283, 3381767804, 277236804, 4034144905, 0.0507856049, 0.354589432,
        0.87135664143449121, 0.1974552120706391, 0.0431006551, -0.0840065032, 1.83683944, -1.98195076,
        0.352986276, -0.66529545457173489, 0.77549896636335447, 1.4643293418566201, 0.16861960828068223,
        0.67007439576402905, 1.03291452, 1.12293601, 1.25500345, 1.7403247116884357, 1.183480895122704,
        0.97808199198905965, 867555286, 1645563016,
    ],
}

# Philox by fours, from the state (99, 3, 6) after one word: words, uniform, normal, two uniform and two normal in
# double precision, log-normal, and the word after.
BY_FOURS = [
    396021102, 4181888155, 3209123646, 2726435992, 0.928654909, 0.120344937, 0.0478173159, 0.440542758,
    -0.408417016, -1.83680868, -0.838828623, 0.148614258, 0.16503011456050559, 0.55087620709080976,
    -0.33606958222680516, 0.01314339222262171, 1.54403806, 2.03476954, 1.37394249, 1.858585, 3152843821,
]
# fmt: on

TEXT = r"""
#include <curand_kernel.h>

template <class State>
__device__ void draw(unsigned long long seed, unsigned long long sequence, unsigned long long offset, double* to) {
  State s;
  curand_init(seed, sequence, offset, &s);
  for (int i = 0; i < 6; ++i) *to++ = curand(&s);
  for (int i = 0; i < 2; ++i) *to++ = curand_uniform(&s);
  for (int i = 0; i < 2; ++i) *to++ = curand_uniform_double(&s);
  for (int i = 0; i < 3; ++i) *to++ = curand_normal(&s);
  const float2 n = curand_normal2(&s);
  *to++ = n.x, *to++ = n.y;
  for (int i = 0; i < 3; ++i) *to++ = curand_normal_double(&s);
  const double2 d = curand_normal2_double(&s);
  *to++ = d.x, *to++ = d.y;
  for (int i = 0; i < 3; ++i) *to++ = curand_log_normal(&s, 0.5f, 0.25f);
  for (int i = 0; i < 3; ++i) *to++ = curand_log_normal_double(&s, 0.5, 0.25);
  skipahead(12345ull, &s);
  *to++ = curand(&s);
  skipahead_sequence(77ull, &s);
  *to++ = curand(&s);
}

extern "C" __global__ void numbers(int kind, unsigned long long seed, unsigned long long sequence,
                                   unsigned long long offset, double* to) {
  if (kind == 0) draw<curandStateXORWOW_t>(seed, sequence, offset, to);
  if (kind == 1) draw<curandStatePhilox4_32_10_t>(seed, sequence, offset, to);
  if (kind == 2) draw<curandStateMRG32k3a_t>(seed, sequence, offset, to);
}

__device__ void put(double*& to, float4 v) { *to++ = v.x, *to++ = v.y, *to++ = v.z, *to++ = v.w; }

extern "C" __global__ void by_fours(double* to) {
  curandStatePhilox4_32_10_t s;
  curand_init(99, 3, 6, &s);
  curand(&s);
  const uint4 w = curand4(&s);
  *to++ = w.x, *to++ = w.y, *to++ = w.z, *to++ = w.w;
  put(to, curand_uniform4(&s));
  put(to, curand_normal4(&s));
  const double2 u = curand_uniform2_double(&s), n = curand_normal2_double(&s);
  *to++ = u.x, *to++ = u.y, *to++ = n.x, *to++ = n.y;
  put(to, curand_log_normal4(&s, 0.5f, 0.25f));
  *to++ = curand(&s);
}

extern "C" __global__ void sizes(int* to) {
  to[0] = sizeof(curandState), to[1] = sizeof(curandStatePhilox4_32_10_t), to[2] = sizeof(curandStateMRG32k3a);
}

extern "C" __global__ void begin(curandState* states, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) curand_init(7, i, 0, &states[i]);
}

extern "C" __global__ void hits(curandState* states, int n, int draws, unsigned long long* total) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  curandState s = states[i];
  unsigned inside = 0;
  for (int k = 0; k < draws; ++k) {
    const float x = curand_uniform(&s), y = curand_uniform(&s);
    inside += x * x + y * y <= 1.0f;
  }
  states[i] = s;
  atomicAdd(total, static_cast<unsigned long long>(inside));
}
"""

KINDS = {"XORWOW": 0, "Philox4_32_10": 1, "MRG32k3a": 2}


@pytest.fixture(scope="module")
def module():
    made = cp.RawModule(code=TEXT)
    try:
        made.get_function("sizes")
    except cp.cuda.compiler.CompileException as e:
        if cp.zeros(1).device == "cpu" or "curand_kernel.h" not in str(e):
            raise
        pytest.skip("a GPU takes cuRAND's own header, from a CUDA toolkit")
    return made


# Float32 normal numbers near zero are sines near zero of angles of some units: a GPU's own are 4.8e-7 off.
CANCELLED = 1e-6


@pytest.mark.parametrize("state", NUMBERS, ids=lambda s: s[0])
def test_numbers(module, state):
    kind, *place = state
    out = cp.zeros(len(NUMBERS[state]))
    module.get_function("numbers")((1,), (1,), (np.int32(KINDS[kind]), *map(np.uint64, place), out))
    got, want = cp.asnumpy(out), np.array(NUMBERS[state])
    words = [0, 1, 2, 3, 4, 5, 26, 27]
    assert got[words].tolist() == want[words].tolist()
    np.testing.assert_allclose(got[6:10], want[6:10], rtol=1e-8)
    np.testing.assert_allclose(got, want, rtol=2e-6, atol=CANCELLED)
    double = [15, 16, 17, 18, 19, 23, 24, 25]
    np.testing.assert_allclose(got[double], want[double], rtol=1e-13, atol=1e-15)


def test_by_fours(module):
    out = cp.zeros(len(BY_FOURS))
    module.get_function("by_fours")((1,), (1,), (out,))
    got = cp.asnumpy(out)
    assert got[[0, 1, 2, 3, -1]].tolist() == [BY_FOURS[i] for i in (0, 1, 2, 3, -1)]
    np.testing.assert_allclose(got, BY_FOURS, rtol=2e-6, atol=CANCELLED)


def test_states_are_as_large_as_curands(module):
    out = cp.zeros(3, dtype="i4")
    module.get_function("sizes")((1,), (1,), (out,))
    assert out.tolist() == [48, 64, 48]


def test_states_in_memory(module):
    """States of many threads, kept between launches: pi, and as many numbers in two launches as in one."""
    n, draws, totals = 1000, 400, []
    for launches in (1, 2):
        states, total = cp.zeros(n * 48, dtype="u1"), cp.zeros(1, dtype="u8")
        module.get_function("begin")((n // 128 + 1,), (128,), (states, np.int32(n)))
        for _ in range(launches):
            args = (states, np.int32(n), np.int32(draws // launches), total)
            module.get_function("hits")((n // 128 + 1,), (128,), args)
        totals.append(int(total[0]))
    assert totals[0] == totals[1]
    assert abs(4 * totals[0] / (n * draws) - np.pi) < 5 * 1.64 / np.sqrt(n * draws)
