"""Keywords into the defs of the C API: words for enumerations, sequences for vectors, numbers, texts and functions for
signals."""
import ctypes
import math

from . import _api as api
from ._library import Error, checked, encoded, guarded, lib


def _enumerator(enum, word):
    for name in api.ENUMS[enum]:
        if name.lower() == word or name.lower().endswith("_" + word):
            return api.CONSTANTS[name]
    words = ", ".join(name.split("_", 2)[-1].lower() for name in api.ENUMS[enum])
    raise ValueError(f"'{word}' is none of {words}")


def vec3(value):
    parts = [float(x) for x in value]
    if len(parts) not in (2, 3):
        raise ValueError(f"{value!r} has neither two nor three components")
    return api.zn_vec3(*parts)


def node_id(node):
    return api.zn_node_id(0) if node is None else node.id if hasattr(node, "id") else node


def _attachment(value):
    node, at = value if isinstance(value, tuple) and len(value) == 2 and not isinstance(value[0], (int, float)) else (value, (0, 0, 0))
    return api.zn_attachment(node_id(node), vec3(at))


def _matrix(value):
    rows = [list(map(float, row)) if hasattr(row, "__len__") else float(row) for row in value]
    if all(isinstance(row, float) for row in rows):  # a diagonal
        rows = [[rows[i] if i == k else 0.0 for k in range(3)] for i in range(3)]
    return api.zn_mat3(((ctypes.c_double * 3) * 3)(*[(ctypes.c_double * 3)(*row) for row in rows]))


class Keep(list):
    """What must live as long as a model does, and the model whose sensors expressions may use."""
    model = None


class Controller:
    """A function of the time and of what sensors of the model tell, for forces, torques, rates and controls:
    `Controller(f, "arm.angle", "arm.rate")` with f(t, angle, rate). It returns a number, or a number and its derivatives
    with respect to the sensors, which otherwise are taken by differences."""

    def __init__(self, function, *sensors):
        self.function, self.sensors = function, sensors

    def _value(self, t, values):
        result = self.function(t, *values)
        if not isinstance(result, tuple):
            return float(result), None
        value, slopes = float(result[0]), [float(slope) for slope in result[1]]
        if len(slopes) != len(values):
            raise ValueError(f"a controller of {len(values)} sensors returned {len(slopes)} derivatives")
        return value, slopes

    def _slope(self, t, values, i):
        step = 1e-6 * max(1.0, abs(values[i]))
        ends = [self._value(t, values[:i] + [values[i] + side * step] + values[i + 1:])[0] for side in (1, -1)]
        return (ends[0] - ends[1]) / (2 * step)

    def call(self, _, t, sensors, gradient):
        with guarded():
            values = [sensors[i] for i in range(len(self.sensors))]
            value, slopes = self._value(t, values)
            for i in range(len(values) if gradient else 0):
                gradient[i] = self._slope(t, values, i) if slopes is None else slopes[i]
            return value
        return math.nan


def signal(value, keep):
    """A new zn_signal from a number, an expression of t and (for what takes feedback) of sensors, states and controls, a
    function of t, or a Controller."""
    out = ctypes.c_void_p()
    message = ctypes.create_string_buffer(512)
    if isinstance(value, str):
        status = lib.zn_signal_feedback(keep.model, encoded(value), 0, None, None, message, len(message), ctypes.byref(out))
        if status != 0:
            raise Error(f"'{value}': {message.value.decode()}", status)
    elif isinstance(value, Controller):
        kinds = api.FUNCTIONS["zn_signal_controller"][1]
        function, names = kinds[3](value.call), (ctypes.c_char_p * len(value.sensors))(*[encoded(s) for s in value.sensors])
        keep.append(function)
        status = lib.zn_signal_controller(keep.model, len(names), names, function, None, kinds[5](), message, len(message),
                                          ctypes.byref(out))
        if status != 0:
            raise Error(message.value.decode() or lib.zn_status_text(status).decode(), status)
    elif callable(value):
        def at(_, t):
            with guarded():
                return float(value(t))
            return math.nan
        function = api.FUNCTIONS["zn_signal_callback"][1][0](at)
        keep.append(function)
        none = api.FUNCTIONS["zn_signal_callback"][1][2]()
        status = lib.zn_signal_callback(function, None, none, ctypes.byref(out))
    else:
        status = lib.zn_signal_constant(float(value), ctypes.byref(out))
    if status != 0:
        raise Error(lib.zn_status_text(status).decode(), status)
    return out.value


def law(value, coordinate, keep):
    """A new zn_spring_law: pairs (elongation, force), an expression of length (or angle), rate and t, or a function of
    these that returns the force and its derivatives by the first two."""
    out = ctypes.c_void_p()
    if isinstance(value, str):
        message = ctypes.create_string_buffer(512)
        status = lib.zn_spring_law_formula(value.encode(), coordinate.encode(), 0, None, None, message, len(message),
                                           ctypes.byref(out))
        if status != 0:
            raise Error(f"'{value}': {message.value.decode()}", status)
    elif callable(value):
        def at(_, x, rate, t, slope):
            with guarded():
                force, slope[0], slope[1] = map(float, value(x, rate, t))
                return force
            return math.nan
        function = api.FUNCTIONS["zn_spring_law_callback"][1][0](at)
        keep.append(function)
        none = api.FUNCTIONS["zn_spring_law_callback"][1][2]()
        status = lib.zn_spring_law_callback(function, None, none, ctypes.byref(out))
    else:
        pairs = [[float(x) for x in pair] for pair in value]
        columns = [(ctypes.c_double * len(pairs))(*[pair[i] for pair in pairs]) for i in range(2)]
        status = lib.zn_spring_law_table(len(pairs), *columns, ctypes.byref(out))
    if status != 0:
        raise Error("law: " + lib.zn_status_text(status).decode(), status)
    return out.value


def _array(kind, value):
    """Also of arrays: a matrix by its rows, or by its diagonal."""
    rows = list(value)
    if hasattr(kind._type_, "_length_"):
        size = kind._type_._length_
        rows = [list(row) if hasattr(row, "__len__") else [row if i == k else 0 for k in range(size)]
                for i, row in enumerate(rows)]
        return kind(*[kind._type_(*map(float, row)) for row in rows])
    return kind(*[checked(kind._type_, row) for row in rows])


SIGNALS = {"force", "torque", "moment", "acceleration", "value", "motion", "rest", "rate"}  # fields that are functions of time


def _convert(definition, field, kind, value, keep):
    enum = definition.enums.get(field)
    if enum and isinstance(value, str):
        return _enumerator(enum, value)
    if kind is api.zn_vec3:
        return vec3(value)
    if kind is api.zn_quat:
        return api.zn_quat(*[float(x) for x in value])
    if kind is api.zn_mat3:
        return _matrix(value)
    if kind is api.zn_attachment:
        return _attachment(value)
    if kind is api.zn_node_id:
        return node_id(value)
    if kind is ctypes.c_char_p:
        return None if value is None else encoded(value)
    if field == "law":
        return law(value, "angle" if definition.__class__.__name__ == "zn_torsion_def" else "length", keep)
    if field in SIGNALS and kind is ctypes.c_void_p:
        return signal(value, keep)
    if field in SIGNALS and isinstance(kind, type) and issubclass(kind, ctypes.Array) and kind._type_ is ctypes.c_void_p:
        return kind(*[None if v == 0 else signal(v, keep) for v in value])
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and isinstance(value, dict):
        return fill(getattr(definition, field) if kind.__name__.endswith("_def") else kind(), value, keep)
    if isinstance(kind, type) and issubclass(kind, ctypes.Array):
        return _array(kind, value)
    if kind is ctypes.POINTER(ctypes.c_char_p):
        texts = (ctypes.c_char_p * len(value))(*[encoded(text) for text in value])
        keep.append(texts)
        return ctypes.cast(texts, kind)
    if isinstance(value, dict) and kind._type_.__name__.endswith("_def"):  # a pointer to a def of its own
        keep.append(fill(default(kind._type_), value, keep))
        return ctypes.pointer(keep[-1])
    if kind is ctypes.POINTER(api.zn_mesh):
        keep.append(value)
        return value.pointer
    return checked(kind, value) if isinstance(kind, type) else value


COUNTS = {"parts": "part_count", "between": "between_count", "against": "against_count", "except": "except_count"}


def _is_size(kinds, field):
    """The first field of a def is not for its user."""
    return field == "size" and next(iter(kinds)) == "size"


def default(kind):
    """A def as its default function makes it: sizes first, then the library fills it."""
    definition = kind()
    definition.size = ctypes.sizeof(kind)
    for name, inner in kind._fields_:
        if isinstance(inner, type) and issubclass(inner, ctypes.Structure) and inner.__name__.endswith("_def"):
            getattr(definition, name).size = ctypes.sizeof(inner)
    getattr(lib, f"{kind.__name__}_reset")(ctypes.byref(definition))
    return definition


def fill(definition, fields, keep):
    """Set fields of a def from keywords; `from_` stands for `from`."""
    kinds = dict(definition._fields_)
    for name, value in fields.items():
        field = name.rstrip("_")
        if field not in kinds or _is_size(kinds, field):
            known = ", ".join(n for n in kinds if not _is_size(kinds, n))
            raise TypeError(f"there is no '{name}'; known are {known}")
        setattr(definition, field, _convert(definition, field, kinds[field], value, keep))
    for field, count in COUNTS.items():  # last: a number that was given, too, says the same
        value = fields.get(field, fields.get(field + "_"))
        if value is None or count not in kinds:
            continue
        if fields.get(count, len(value)) != len(value):
            raise ValueError(f"'{field}' has {len(value)}, not {fields[count]}")
        setattr(definition, count, len(value))
    return definition
