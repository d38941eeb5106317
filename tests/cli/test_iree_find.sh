# Where hone finds IREE: --iree-dir, HONE_IREE, PATH, the active virtual environment, in this order;
# and that scripts of Python are replaced by the executables that they start.
. "$(dirname "$0")/lib.sh"
export COLUMNS=100 HONE_STORE="$TMP/store.db" HONE_CACHE="$TMP/cache"
iree=${HONE_IREE-}
unset NO_COLOR VIRTUAL_ENV HONE_IREE
PATH=/usr/bin:/bin

if ! [ -x "$iree/iree/compiler/_mlir_libs/iree-compile" ]; then
  case_skip "IREE is found" "no IREE in HONE_IREE: 'make iree'"
  cases_end
fi

compiler=$(realpath "$iree/iree/compiler/_mlir_libs/iree-compile")
runner=$(realpath "$iree/iree/_runtime_libs/iree-run-module")
venv=$TMP/venv
packages=$venv/lib/python3.12/site-packages
mkdir -p "$venv/bin" "$packages" "$TMP/apart"
ln -s "$(realpath "$iree")/iree" "$packages/iree"
for tool in iree-compile iree-run-module; do
  printf '#!%s/bin/python3\nimport sys\nsys.exit("this is a wrapper")\n' "$venv" >"$venv/bin/$tool"
  chmod +x "$venv/bin/$tool"
done
ln -s "$runner" "$TMP/apart/iree-run-module"

path_of() { # path_of TOOL: as the last `hone doctor --format json` says
  python3 -c '
import json, sys
for fact in json.load(open(sys.argv[1])):
    if fact["name"] == sys.argv[2]:
        print(fact["value"])' "$TMP/stdout" "$1"
}
expect_both() {
  expect_status 0
  expect_same "iree-compile" "$compiler" "$(path_of iree-compile)"
  expect_same "iree-run-module" "$runner" "$(path_of iree-run-module)"
}

for folder in "$iree" "$iree/iree" "$venv" "$venv/bin" "$packages" \
  "$iree/iree/compiler/_mlir_libs:$iree/iree/_runtime_libs"; do
  name=${folder//"$TMP"\//}
  case_begin "--iree-dir may be ${name//"$iree"/IREE}"
  run "$HONE" doctor --format json --iree-dir "$folder"
  expect_both
done

case_begin "HONE_IREE names it"
HONE_IREE=$venv run "$HONE" doctor --format json
expect_both

case_begin "PATH has it"
PATH=$venv/bin:$PATH run "$HONE" doctor --format json
expect_both

case_begin "the active virtual environment has it"
VIRTUAL_ENV=$venv run "$HONE" doctor --format json
expect_both

case_begin "a host may have the two executables of the runtime alone"
run "$HONE" doctor --format json --iree-dir "$TMP/apart"
expect_status 0
expect_same "iree-compile" "" "$(path_of iree-compile)"
expect_same "iree-run-module" "$runner" "$(path_of iree-run-module)"
expect_contains "devices" "local-sync://" "$(path_of device)"

case_begin "what the first place lacks comes from the next"
HONE_IREE=$venv run "$HONE" doctor --format json --iree-dir "$TMP/apart"
expect_both

case_begin "a folder that is named and has nothing is not passed over"
HONE_IREE=$TMP/nowhere PATH=$venv/bin:$PATH run "$HONE" doctor --format json
expect_status 0
expect_same "iree-compile" "" "$(path_of iree-compile)"

cases_end
