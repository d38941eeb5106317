"""A program in Python that tunes the spec it is given, with nothing but ctypes.

    library_host.py LIBRARY SPEC STORE
"""
import ctypes
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p


class Value(ctypes.Structure):
    class Content(ctypes.Union):
        _fields_ = [("integer", c_int64), ("real", c_double), ("text", c_char_p)]

    _fields_ = [("type", c_int), ("content", Content)]


class OptionsHead(ctypes.Structure):
    """The first fields of struct hone_tune_options: the library reads no more than `size` bytes."""
    _fields_ = [("size", c_size_t), ("store", c_char_p)]


def declare(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments
    return function


library = ctypes.CDLL(sys.argv[1])
spec_open = declare(library, "hone_spec_open", c_void_p, c_char_p, POINTER(c_void_p))
tune = declare(library, "hone_tune", c_void_p, c_void_p, c_void_p, POINTER(c_void_p))
fill = declare(library, "hone_tune_options_fill", None, c_void_p, c_size_t)
message = declare(library, "hone_status_message", c_char_p, c_void_p)
state_of = declare(library, "hone_tuning_state", c_int, c_void_p, c_size_t)
state_name = declare(library, "hone_run_state_name", c_char_p, c_int)
value_of = declare(library, "hone_tuning_value", c_bool, c_void_p, c_size_t, c_char_p, POINTER(Value))
tuning_free = declare(library, "hone_tuning_free", None, c_void_p)
spec_free = declare(library, "hone_spec_free", None, c_void_p)


def check(status):
    if status:
        sys.exit("host: " + message(status).decode())


spec, tuning, step, options = c_void_p(), c_void_p(), Value(), OptionsHead()
check(spec_open(sys.argv[2].encode(), byref(spec)))
fill(byref(options), ctypes.sizeof(options))
options.store = sys.argv[3].encode()
check(tune(spec, byref(options), byref(tuning)))
print(state_name(state_of(tuning, 0)).decode())
print("winner" if value_of(tuning, 0, b"STEP", byref(step)) and step.content.integer > 0 else "none")
tuning_free(tuning)
spec_free(spec)
