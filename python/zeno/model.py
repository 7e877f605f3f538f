"""Models, and stepping them: thin objects over the C API. Fields have the names and units of include/zn/model.h."""
import ctypes

import numpy as np

from . import _api as api
from ._defs import Keep, default, fill, signal, vec3
from ._library import Error, Log, checked, doubles, encoded, integers, lib, view


class Node:
    """Names a node of a model."""

    def __init__(self, identifier, name):
        self.id = identifier
        self.name = name

    def __repr__(self):
        return f"<node {self.id.value - 1} '{self.name}'>"


class Mesh:
    """Nodes and elements of a solid."""

    def __init__(self, function, *arguments):
        self.pointer = ctypes.POINTER(api.zn_mesh)()
        self._destroy = lib.zn_mesh_destroy
        status = function(*arguments, ctypes.byref(self.pointer))
        if status != 0:
            raise Error(f"mesh: {lib.zn_status_text(status).decode()}", status)

    def __del__(self):
        if getattr(self, "pointer", None):
            self._destroy(self.pointer)

    @classmethod
    def box(cls, from_, to, elements, shape="hex8"):
        kind = {"hex8": "ZN_HEX8", "tet4": "ZN_TET4"}[shape]
        return cls(lib.zn_mesh_box, vec3(from_), vec3(to), integers(3, elements), api.CONSTANTS[kind])

    @classmethod
    def rectangle(cls, from_, to, elements):
        return cls(lib.zn_mesh_rectangle, vec3(from_), vec3(to), integers(2, elements))

    @classmethod
    def ring(cls, centre, radius, thickness, elements, grading=0):
        return cls(lib.zn_mesh_ring, vec3(centre), radius, thickness, integers(2, elements), grading)

    @classmethod
    def disc(cls, centre, radius, n):
        return cls(lib.zn_mesh_disc, vec3(centre), radius, checked(ctypes.c_int, n))

    @classmethod
    def fine_ring(cls, centre, radius, thickness, elements, angle, half_angle, grading=1):
        """elements: in the sector within half_angle of angle, over the rest, across"""
        return cls(lib.zn_mesh_fine_ring, vec3(centre), radius, thickness, integers(3, elements), angle,
                   half_angle, grading)

    @classmethod
    def graded_disc(cls, centre, radius, elements, grading=1.5, angle=0):
        return cls(lib.zn_mesh_graded_disc, vec3(centre), radius, integers(2, elements), grading, angle)

    @classmethod
    def ball(cls, centre, radius, n, shape="hex8"):
        kind = {"hex8": "ZN_HEX8", "tet4": "ZN_TET4"}[shape]
        return cls(lib.zn_mesh_ball, vec3(centre), radius, checked(ctypes.c_int, n), api.CONSTANTS[kind])


class Model:
    """The editable description of a machine. Each `add_` function takes the fields of its def as keywords."""

    def __init__(self, **fields):
        self._log, self._keep = Log(), Keep()
        self._handle, self._destroy = ctypes.c_void_p(), lib.zn_model_destroy
        definition = fill(default(api.zn_model_def), fields, self._keep)
        definition.log = self._log.struct
        self._systems = 0
        self._log.check(lib.zn_model_create(ctypes.byref(definition), ctypes.byref(self._handle)))
        self._keep.model = self._handle

    def __del__(self):
        if getattr(self, "_handle", None):
            self._destroy(self._handle)

    def node(self, name):
        """The node of that name."""
        found = lib.zn_model_find_node(self._handle, encoded(name))
        if found.value == 0:
            raise KeyError(name)
        return Node(found, name)

    def nodes(self, name):
        """The nodes of a set, such as "cube.zmin"."""
        count = ctypes.c_int()
        found = lib.zn_model_find_node_set(self._handle, encoded(name), ctypes.byref(count))
        if not found:
            raise KeyError(name)
        return [Node(api.zn_node_id(found[i].value), f"{name}[{i}]") for i in range(count.value)]

    def fix(self, name, fixed):
        """Fix degrees of freedom of all nodes of a set: bits of FIX_X ... FIX_ROTATION."""
        self._log.check(lib.zn_model_fix_node_set(self._handle, encoded(name), fixed))

    def set_rate(self, state, rate):
        """The rate of a state that was added without one, so that it may look at the state itself."""
        self._log.check(lib.zn_model_set_rate(self._handle, encoded(state), signal(rate, self._keep)))

    def validate(self):
        self._log.check(lib.zn_model_validate(self._handle))

    def _add(self, what, fields):
        if self._systems:
            raise Error("a model must not change while a system is made of it", api.CONSTANTS["ZN_ERR_MODEL"])
        definition = fill(default(getattr(api, f"zn_{what}_def")), fields, self._keep)
        add = getattr(lib, f"zn_model_add_{what}")
        if len(add.argtypes) == 2:
            self._log.check(add(self._handle, ctypes.byref(definition)))
            return None
        identifier = api.zn_node_id()
        self._log.check(add(self._handle, ctypes.byref(definition), ctypes.byref(identifier)))
        return Node(identifier, fields.get("name"))


def _adder(what):
    fields = [name for name, _ in getattr(api, f"zn_{what}_def")._fields_ if name != "size"]

    def add(self, **fields):
        return self._add(what, fields)

    add.__name__ = f"add_{what}"
    add.__doc__ = f"zn_model_add_{what}. Keywords: {', '.join(fields)}."
    return add


for _what in ("node", "body", "tied_body", "spring", "torsion", "bushing", "bar", "beam", "solid", "force", "moment",
              "acceleration", "pressure",
              "motor", "state", "control",
              "joint", "contact", "shape", "pairs", "lattice"):
    setattr(Model, f"add_{_what}", _adder(_what))


class System:
    """The equations compiled from a model, which must not change while this lives."""

    def __init__(self, model):
        self.model, self._log = model, model._log
        self._handle, self._destroy = ctypes.c_void_p(), lib.zn_system_destroy
        self._log.check(lib.zn_system_create(model._handle, ctypes.byref(self._handle)))
        model._systems += 1
        self.info = lib.zn_system_get_info(self._handle)

    def __del__(self):
        if getattr(self, "_handle", None):
            self._destroy(self._handle)
            self.model._systems -= 1

    def force(self, state):
        """f(q, v, t) of all degrees of freedom."""
        if state.system is not self:
            raise ValueError("the state belongs to another system")
        out = np.zeros(self.info.n_all)
        at = api.zn_at(q=state._struct.q, v=state._struct.v, t=state.t, relief=0)
        self._log.check(lib.zn_system_force(self._handle, at, doubles(out)))
        return out


class State:
    """All that moves. `q` and `v` are the memory of the library: writing to them changes the state; call `update` then."""

    def __init__(self, system):
        self.system = system
        self._pointer, self._destroy = ctypes.POINTER(api.zn_state)(), lib.zn_state_destroy
        system._log.check(lib.zn_state_create(system._handle, ctypes.byref(self._pointer)))

    def __del__(self):
        if getattr(self, "_pointer", None):
            self._destroy(self._pointer)

    @property
    def _struct(self):
        return self._pointer.contents

    @property
    def t(self):
        return self._struct.t

    @t.setter
    def t(self, value):
        self._struct.t = value

    @property
    def q(self):
        return view(self, self._struct.q, self.system.info.nq)

    @property
    def v(self):
        return view(self, self._struct.v, self.system.info.n_all)

    @property
    def whole(self):
        """All of it is known at t. Between the coarse times of multirate the coarse part is NaN, and so are the energies."""
        return self._struct.whole

    @property
    def gaps(self):
        """Of the contacts near, a copy: the library may move them in a step."""
        contacts = self._struct.contacts.contents
        return np.array(view(self, contacts.gap, contacts.count))

    @property
    def energy(self):
        e = self._struct.energy
        return {"kinetic": e.kinetic, "strain": e.strain, "gravity": e.gravity}

    def update(self):
        """Bring contacts and energy up to date after q, v or t were changed."""
        self.system._log.check(lib.zn_state_update(self.system._handle, self._pointer))

    def copy(self):
        out = State(self.system)
        self.system._log.check(lib.zn_state_copy(self.system._handle, self._pointer, out._pointer))
        return out


class Scheme:
    """A time-stepping scheme: Scheme(system, "nsga", rho_inf=0.9). Options are the fields of zn_scheme_def."""

    def __init__(self, system, scheme, **options):
        self.system, self._keep = system, []
        self._handle, self._destroy = ctypes.c_void_p(), lib.zn_scheme_destroy
        definition = fill(default(api.zn_scheme_def), {"scheme": scheme, **options}, self._keep)
        system._log.check(lib.zn_scheme_create(ctypes.byref(definition), system._handle, ctypes.byref(self._handle)))
        self.info = api.zn_step_info()

    def __del__(self):
        if getattr(self, "_handle", None):
            self._destroy(self._handle)

    def step(self, state, h):
        """From t to t + h; what the step reports is in `info`. A step that fails raises and changes nothing."""
        if state.system is not self.system:
            raise ValueError("state and scheme belong to different systems")
        status = lib.zn_scheme_step(self._handle, state._pointer, h, ctypes.byref(self.info))
        self.system._log.check(status)
        return self.info


def schemes():
    """Names of all schemes with what they are."""
    return {lib.zn_scheme_name(i).decode(): lib.zn_scheme_help(i).decode() for i in range(lib.zn_scheme_count())}
