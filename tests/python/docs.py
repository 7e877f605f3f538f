"""Runs the examples of docs/python.md, one after the other, in an empty folder. Usage: docs.py PAGE"""
import os
import re
import sys
import tempfile

page = os.path.abspath(sys.argv[1])
with open(page) as file:
    text = file.read()
try:
    import matplotlib
    matplotlib.use("Agg")
except ImportError:
    matplotlib = None
names, count = {"__name__": "__main__"}, 0
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for block in re.finditer(r"^```python( figure)?\n(.*?)^```$", text, re.M | re.S):
        if block.group(1) and matplotlib is None:
            print("python3-matplotlib is not installed: a figure is left out")
            continue
        line = text[:block.start(2)].count("\n")
        exec(compile("\n" * line + block.group(2), page, "exec"), names)
        count += 1
    os.chdir("/")
print(f"{count} examples")
sys.exit(count < 5)
