"""python/zeno/_api.py is what python/generate makes, and the compiler lays structures out as it says.
Usage: check_api.py ROOT WORK"""
import ctypes
import os
import subprocess
import sys

root, work = sys.argv[1:]
include = os.path.join(root, "include")
generate = [sys.executable, os.path.join(root, "python/generate"), include]
made = subprocess.run(generate, check=True, capture_output=True, text=True).stdout
with open(os.path.join(root, "python/zeno/_api.py")) as file:
    if file.read() != made:
        sys.exit("python/zeno/_api.py is out of date: python/generate include > python/zeno/_api.py")

os.makedirs(work, exist_ok=True)
source, program = os.path.join(work, "sizes.c"), os.path.join(work, "sizes")
with open(source, "w") as file:
    subprocess.run(generate + ["--sizes"], check=True, stdout=file)
subprocess.run(["cc", "-I", include, "-o", program, source], check=True)
api = {}
exec(made, api)
faults = count = 0
for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines():
    name, *numbers = line.split()
    struct, _, field = name.partition(".")
    place = getattr(api[struct], field) if field else None
    got = [place.offset, place.size] if field else [ctypes.sizeof(api[struct])]
    count += 1
    if got != [int(n) for n in numbers]:
        print(f"{name}: {got}, the compiler says {numbers}")
        faults += 1
print(f"{count} sizes and places, {faults} wrong; {len(api['FUNCTIONS'])} functions")
sys.exit(faults > 0 or count < 300)
