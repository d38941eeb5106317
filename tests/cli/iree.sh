# iree.sh - what tests of IREE share; read behind lib.sh.
#
#   need_iree "what is tested"      # ends the script with a skip where IREE is not
#   small_dispatch                  # $TMP/small.mlir; its settings are in $TMP/settings.yaml
#   spec NAME <<YAML >"$TMP/x.yaml" # a spec of it, with these parameters and texts
#   outcomes                        # CONFIG OUTCOME EVIDENCE of the last run, a line each
#
# $REAL_IREE is a folder with links to the real executables; $QUICK_IREE has the same ones, but a benchmark
# of a dispatch or of a model takes no time there, and prints 20 us whatever it is given, and a module is run
# once with the same inputs. It is for cases that are not about times.
data=$PWD/tests/data/iree

need_iree() { # need_iree NAME
  local tool path
  REAL_IREE=$TMP/real
  mkdir -p "$REAL_IREE"
  "$HONE" doctor --format json >"$TMP/doctor" 2>/dev/null
  for tool in iree-compile iree-opt iree-run-module iree-benchmark-module; do
    path=$(python3 -c '
import json, sys
print(*[f["value"] for f in json.load(open(sys.argv[1])) if f["name"] == sys.argv[2]])' \
      "$TMP/doctor" $tool 2>/dev/null)
    if ! [ -x "$path" ]; then
      case_skip "$1" "no $tool in HONE_IREE, PATH or VIRTUAL_ENV: 'make iree'"
      cases_end
    fi
    ln -s "$path" "$REAL_IREE/$tool"
  done
  path=$(python3 -c '
import json, sys
print(*[f["value"] or "" for f in json.load(open(sys.argv[1])) if f["name"] == "iree-import-onnx"])' "$TMP/doctor")
  if [ -x "$path" ]; then ln -s "$path" "$REAL_IREE/iree-import-onnx"; fi
  export REAL_IREE
  QUICK_IREE=$TMP/quick
  mkdir "$QUICK_IREE"
  cp -P "$REAL_IREE"/* "$QUICK_IREE"
  ln -sf "$PWD"/tests/data/iree/quick/iree-{benchmark,run}-module "$QUICK_IREE"
}

settings_of() { # settings_of FILE OPTION...: what a spec says of a dispatch, into $TMP/settings.yaml
  rm -f "$TMP/settings.db"*
  "$HONE" tune "$@" --iree-dir "$REAL_IREE" --stop-after generate --quiet \
    --store "$TMP/settings.db" >"$TMP/out" 2>&1 || sed 's/^/# /' "$TMP/out"
  python3 - "$TMP/settings.db" <<'PY' >"$TMP/settings.yaml"
import json, sqlite3, sys
options = sqlite3.connect(sys.argv[1]).execute("select options from runs").fetchone()[0]
print("\n".join(line for line in json.loads(options)["settings"].splitlines() if "iree_dir" not in line))
PY
}

# A product of 64x64 matrices: compiled in a third of a second, run in microseconds.
small_dispatch() {
  cp "$data/stand-ins/small.mlir" "$TMP/small.mlir"
  settings_of "$TMP/small.mlir" --iree-target llvm-cpu
}

# A spec of the small dispatch: the compiler's own choice is the baseline; parameters and texts of the
# others are on standard input, indented by four.
spec() { # spec NAME
  echo "name: $1"
  cat "$TMP/settings.yaml"
  echo "alternatives:"
  echo "  - params: {pipeline: [compiler]}"
  echo "  - name: own"
  cat
  echo "baseline: {pipeline: compiler}"
}

# What the last run found, a line each: CONFIG OUTCOME EVIDENCE.
outcomes() {
  "$HONE" show last --format json | python3 -c '
import json, sys
for e in sorted(json.load(sys.stdin)["evaluations"], key=lambda e: e["config"]):
    print(e["config"].rpartition("=")[2], e["outcome"], (e["evidence"] or "").split("\n")[0])'
}
