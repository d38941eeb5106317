"""A host in Python: asks and tells through the shared library, without any binding.

host.py LIBRARY STORE COUNT [confirm|stay|score]   tells COUNT results (0: all), one line each
"""
import ctypes
import sys
from ctypes import POINTER, Structure, Union, byref, c_bool, c_char_p, c_double, c_int, c_int64
from ctypes import c_size_t, c_uint, c_uint64, c_void_p

SPEC = b"""
name: python-host
problem: {N: 1024}
params: {TILE: [1, 2, 4, 8, 16, 32], ORDER: [rows, columns]}
constraints: [TILE < 32 or ORDER == 'rows']
baseline: {TILE: 1, ORDER: rows}
"""


class Payload(Union):
    _fields_ = [("integer", c_int64), ("real", c_double), ("text", c_char_p)]


class Value(Structure):
    _anonymous_ = ["payload"]
    _fields_ = [("type", c_int), ("payload", Payload)]


class Objective(Structure):
    _fields_ = [("name", c_char_p), ("maximise", c_bool)]


class Options(Structure):
    _fields_ = [
        ("size", c_size_t), ("name", c_char_p), ("problem", c_char_p), ("device", c_char_p),
        ("store", c_char_p), ("fresh", c_bool), ("strategy", c_char_p), ("seed", c_uint64),
        ("evaluations", c_uint64), ("patience", c_uint64), ("seed_configs", POINTER(c_char_p)),
        ("seed_config_count", c_size_t), ("baseline", c_char_p), ("objectives", POINTER(Objective)),
        ("objective_count", c_size_t), ("stages", c_void_p), ("margin", c_double),
        ("finalists", c_uint), ("groups", c_uint), ("rows", c_uint),
    ]


class Measurement(Structure):
    _fields_ = [
        ("size", c_size_t), ("outcome", c_int), ("times_ns", POINTER(c_double)),
        ("time_count", c_size_t), ("energy_j", c_double), ("values", POINTER(c_double)),
        ("value_count", c_size_t), ("evidence", c_char_p),
    ]


hone = ctypes.CDLL(sys.argv[1])
for name in ["hone_search_config", "hone_status_message", "hone_verdict_name"]:
    getattr(hone, name).restype = c_char_p
for name in ["hone_search_best", "hone_search_count", "hone_search_reused", "hone_search_winner"]:
    getattr(hone, name).restype = c_uint64
    getattr(hone, name).argtypes = [c_void_p]
for name in ["hone_spec_parse", "hone_space_build", "hone_search_open", "hone_search_ask",
             "hone_search_tell", "hone_search_confirm"]:
    getattr(hone, name).restype = c_void_p
hone.hone_search_ask.argtypes = [c_void_p, POINTER(c_uint64)]
hone.hone_search_tell.argtypes = [c_void_p, c_uint64, POINTER(Measurement)]
hone.hone_search_config.argtypes = [c_void_p, c_uint64]
hone.hone_search_value.argtypes = [c_void_p, c_uint64, c_char_p, POINTER(Value)]
hone.hone_search_value.restype = c_bool


def check(status):
    if status:
        sys.exit(hone.hone_status_message(c_void_p(status)).decode())


def value(search, ticket, name):
    found = Value()
    assert hone.hone_search_value(search, ticket, name, byref(found))
    return found.text if found.type == 4 else found.integer


def measure(search, ticket):
    """The best tile is 8; columns are a little slower; 16 does not compile."""
    tile = value(search, ticket, b"TILE")
    slow = value(search, ticket, b"ORDER") == b"columns"
    result = Measurement()
    hone.hone_measurement_fill(byref(result), c_size_t(ctypes.sizeof(result)))
    if tile == 16:
        result.outcome = 3  # HONE_OUTCOME_COMPILE_ERROR
        result.evidence = b"tile 16 is not supported"
        return result
    time = 1000.0 / min(tile, 8) + 10 * max(tile - 8, 0) + 5 * slow
    if mode == ["score"]:  # the larger, the better, and no time at all
        result.values = (c_double * 1)(1 / time)
        result.value_count = 1
        return result
    result.times_ns = (c_double * 3)(time, time * 1.01, time * 1.02)
    result.time_count = 3
    return result


mode = sys.argv[4:]
spec, space, search, ticket = c_void_p(), c_void_p(), c_void_p(), c_uint64()
check(hone.hone_spec_parse(SPEC, c_size_t(len(SPEC)), b"host.yaml", None, byref(spec)))
check(hone.hone_space_build(spec, None, byref(space)))
options = Options()
hone.hone_search_options_fill(byref(options), c_size_t(ctypes.sizeof(options)))
assert options.size == ctypes.sizeof(Options), options.size
options.store = sys.argv[2].encode()
options.device = b"python"
if mode == ["score"]:
    options.objectives = (Objective * 1)(Objective(b"score", True))
    options.objective_count = 1
check(hone.hone_search_open(space, byref(options), byref(search)))
print("reused", hone.hone_search_reused(search), flush=True)


def work(most):
    told = 0
    while not most or told < most:
        check(hone.hone_search_ask(search, byref(ticket)))
        if not ticket.value:
            break
        config = hone.hone_search_config(search, ticket).decode()
        check(hone.hone_search_tell(search, ticket, byref(measure(search, ticket))))
        told += 1
        print("told", told, config, flush=True)


work(int(sys.argv[3]))
if mode in (["confirm"], ["score"]):
    check(hone.hone_search_confirm(search))
    work(0)
    verdict = hone.hone_search_verdict(search)
    print("verdict", hone.hone_verdict_name(verdict).decode())
    print("winner", hone.hone_search_config(search, c_uint64(hone.hone_search_winner(search))).decode())
if mode == ["stay"]:  # with the search open, until it is killed
    sys.stdin.read()
print("best", hone.hone_search_config(search, c_uint64(hone.hone_search_best(search))).decode())
hone.hone_search_free(search)
hone.hone_space_free(space)
hone.hone_spec_free(spec)
