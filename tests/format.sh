#!/bin/sh
# Is every C file laid out as .clang-format says? Usage: format.sh ROOT. Versions of clang-format differ, 14 decides.
cd "$1" || exit 1
tool=$(command -v clang-format-14 || command -v clang-format) || { echo "no clang-format: skipped"; exit 77; }
"$tool" --version | grep -q 'version 14\.' || { echo "$("$tool" --version): not 14, skipped"; exit 77; }
find src include cli tests bench examples gallery \( -name '*.c' -o -name '*.h' \) -print0 |
    xargs -0 -n 40 -P 2 "$tool" --dry-run --Werror || { echo "run: make format"; exit 1; }
