#!/bin/bash
# format.sh [--check]: formats all C files, or fails and names those that are not formatted.
set -euo pipefail
mode=-i
if [ "${1-}" = --check ]; then mode='--dry-run --Werror'; fi

git ls-files -z --cached --others --exclude-standard '*.c' '*.h' |
  while IFS= read -r -d '' file; do [ -e "$file" ] && printf '%s\0' "$file"; done |
  xargs -0 -r clang-format $mode
