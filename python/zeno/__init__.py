"""Zeno: mechanical systems in which things hit, stick and rattle.

    zeno.run("model.yaml", step=1e-4)["tip.y"]     run a model file
    zeno.open("run.zeno.h5").plot("tip.y")         look at a result
    zeno.Model(planar=True).add_body(...)          build a model and step it

docs/python.md has examples.
"""
from ._api import CONSTANTS as _constants
from ._library import Error, version as __version__
from ._defs import Controller
from .model import Mesh, Model, Node, Scheme, State, System, schemes
from .results import Result, Series, open, run

FIX_X, FIX_Y, FIX_Z, FIX_ROTATION = (_constants["ZN_FIX_" + axis] for axis in ("X", "Y", "Z", "ROTATION"))
__all__ = ["Controller", "Error", "FIX_ROTATION", "FIX_X", "FIX_Y", "FIX_Z", "Mesh", "Model", "Node", "Result", "Scheme", "Series", "State",
           "System", "open", "run", "schemes"]
