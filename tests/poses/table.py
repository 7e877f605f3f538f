#!/usr/bin/env python3
"""Rows that test_poses, test_poses_mesh and test_poses_planar print, in files, into the tables of docs/theory/shapes.md.

    tests/poses/table.py [--aligned] [--write docs/theory/shapes.md] OUTPUT...

--aligned: of test_poses_aligned, into its own table.

Rows of the same pair are parts of a campaign: poses and failures are summed, errors are the worst. Where poses are
missing it says so; a pair without a row keeps the one that the page has.
"""
import re
import sys

HEADS = {6: "| pair |", 5: "| in the plane |"}  # columns: in space with the normal
ALIGNED = {6: "| aligned |"}


def rows_of(lines):
    for line in lines:
        cells = [c.strip() for c in line.strip().strip("|").split("|")]
        if line.startswith("| ") and len(cells) in HEADS and cells[1].isdigit():
            yield len(cells), cells[0].replace("-", ", "), [float(c) for c in cells[1:]]


def add(sums, row):
    columns, pair, values = row
    known = sums.setdefault((columns, pair), [0.0] * (columns - 1))
    for i, value in enumerate(values):
        error = 0 < i < columns - 3
        known[i] = max(known[i], value) if error else known[i] + value


def text(columns, pair, values):
    cells = [pair, f"{values[0]:,.0f}".replace(",", " ")]
    cells += [f"{v:.1e}".replace("e-0", "e-") for v in values[1:columns - 3]]
    return "| " + " | ".join(cells + [f"{v:.0f}" for v in values[columns - 3:]]) + " |"


def write(page, sums, heads):
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n")
    columns = None
    for i, line in enumerate(lines):
        columns = next((c for c, head in heads.items() if line.startswith(head)), columns if line.startswith("|") else None)
        pair = re.match(r"\| ([a-z]+, [a-z]+) \|", line)
        if columns and pair and (columns, pair[1]) in sums:
            lines[i] = text(columns, pair[1], sums[columns, pair[1]])
    with open(page, "w", encoding="utf-8") as f:
        f.write("\n".join(lines))


def main(arguments):
    aligned = arguments[:1] == ["--aligned"]
    arguments = arguments[1:] if aligned else arguments
    page = arguments[1] if arguments[:1] == ["--write"] else None
    sums = {}
    for name in arguments[2 if page else 0:]:
        with open(name, encoding="utf-8") as f:
            for row in rows_of(f):
                add(sums, row)
    if not sums:
        sys.exit("no rows: give files with what test_poses, test_poses_mesh and test_poses_planar print")
    if page:
        write(page, sums, ALIGNED if aligned else HEADS)
    else:
        print("\n".join(text(c, pair, values) for (c, pair), values in sorted(sums.items())))


main(sys.argv[1:])
