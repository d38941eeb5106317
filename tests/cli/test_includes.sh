# Includes point down, and a prefix belongs to one room: the tree itself, and what tools/check-includes.py and
# tools/check-names.py print for trees that break the rules.
. "$(dirname "$0")/lib.sh"

tree=$TMP/tree
check=tools/check-includes.py

make_tree() { # a tree of three layers that is right
  rm -rf "$tree"
  mkdir -p "$tree"/{docs,include,cli,src/base,src/store,src/wire,src/backend/c,src/backend}
  cat >"$tree/docs/architecture.md" <<'END'
```layers
.
backend/c
backend
store wire
base

never: backend/* -> wire: for a test
```
END
  touch "$tree/include/hone.h" "$tree"/src/{base/text.h,store/store_internal.h,wire/frame.h}
  touch "$tree"/src/{backend/c/c_backend.h,version.h.in,doctor.h}
  echo '#include "base/text.h"' >"$tree/src/store/store.h"
  printf '#include "version.h"\n#include "hone.h"\n#include <stdio.h>\n' >"$tree/src/base/text.c"
  printf '#include "doctor.h"\n#include "backend/c/c_backend.h"\n' >"$tree/src/doctor.c"
  printf '#include "store/store.h"\n' >"$tree/src/backend/backend.h"
  printf '#include "hone.h"\n#include "main.h"\n' >"$tree/cli/main.c"
  touch "$tree/cli/main.h"
}

refused() { # refused NAME FILE INCLUDE PLACE WORDS: a line that is added to a right tree
  case_begin "$1"
  make_tree
  printf '#include "%s"\n' "$3" >>"$tree/$2"
  run "$check" "$tree"
  expect_status 1
  expect_out "$2:$4: includes $3: $5"
}

case_begin "the tree of Hone follows its own layers"
run "$check"
expect_status 0
expect_out ""

case_begin "a tree that is right"
make_tree
run "$check" "$tree"
expect_status 0
expect_out ""

refused "an include that points up" src/base/text.h store/store.h 1 "'store' is above 'base'"
refused "an include to the side" src/store/store.h wire/frame.h 2 "'store' and 'wire' are in one layer"
refused "a room of a room is above it" src/backend/backend.h backend/c/c_backend.h 2 \
  "'backend/c' is above 'backend'"
refused "a header that is for its own room" src/doctor.c store/store_internal.h 3 \
  "'store_internal.h' is for the files of 'store' alone"
refused "a rule 'never'" src/backend/c/c_backend.h wire/frame.h 1 \
  "'backend/c' must not include 'wire': for a test"
refused "cli/ sees include/ alone" cli/main.c base/text.h 3 \
  "cli/ may include include/ and its own headers alone"

case_begin "a header that is not there"
make_tree
echo '#include "base/gone.h"' >>"$tree/src/doctor.c"
run "$check" "$tree"
expect_status 1
expect_out "src/doctor.c:3: there is no 'base/gone.h' in src/ or include/"

case_begin "rooms and block name the same"
make_tree
mkdir "$tree/src/pool"
touch "$tree/src/pool/pool.c"
rm -r "$tree/src/wire"
run "$check" "$tree"
expect_status 1
expect_out "docs/architecture.md: room 'pool' is not in the block of layers
docs/architecture.md: room 'wire' of the block is not in src/"

case_begin "a page without the block"
make_tree
echo >"$tree/docs/architecture.md"
run "$check" "$tree"
expect_status 1
expect_err 'check-includes: docs/architecture.md has no block ```layers'

case_begin "each prefix of Hone belongs to one room"
run tools/check-names.py
expect_status 0
expect_out ""

case_begin "a prefix of two rooms"
make_tree
echo 'int hone__text_size(void); struct hone__text_row { int (*hone__text)(void); };' >"$tree/src/base/text.h"
echo '/* hone__text_size(x) is in base */ void hone__text_write(struct hone__text_x *x);' >"$tree/src/store/store.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "hone__text_ is used by several rooms: base store"

case_begin "what an inline function calls is not declared there"
make_tree
echo 'int hone__text_size(void);' >"$tree/src/base/text.h"
printf 'static inline int hone__store_size(void)\n{\n  return hone__text_size();\n}\n' >"$tree/src/store/store.h"
run tools/check-names.py "$tree"
expect_status 0
expect_out ""

case_begin "the rooms of iree share the prefix iree alone"
make_tree
mkdir -p "$tree"/src/iree/{mlir,model}
echo 'void hone__iree_read(void); void hone__node_read(void);' >"$tree/src/iree/mlir/mlir.h"
echo 'void hone__iree_tune(void); void hone__node_write(void);' >"$tree/src/iree/model/model.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "hone__node_ is used by several rooms: iree/mlir iree/model"

case_begin "the prefix of a type belongs to one room, too"
make_tree
echo 'int hone__text_size(void);' >"$tree/src/base/text.h"
echo 'enum hone__text_kind { HONE__KIND_A };' >"$tree/src/store/store.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "hone__text_ is used by several rooms: base store"

case_begin "a type that two headers define"
make_tree
echo 'struct hone__row { int a; };' >"$tree/src/store/store.h"
echo 'struct hone__row { int b; };' >"$tree/src/store/store_internal.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "hone__row is defined several times: store/store.h store/store_internal.h"

case_begin "a type that one header declares may have several definitions"
make_tree
echo 'struct hone__memory;' >"$tree/src/backend/backend.h"
echo 'struct hone__memory { int a; };' >"$tree/src/backend/c/c_backend.h"
echo 'struct hone__memory { int b; };' >"$tree/src/doctor.h"
run tools/check-names.py "$tree"
expect_status 0

case_begin "the public prefix is for types of include/"
make_tree
echo 'struct hone_open;' >"$tree/include/hone.h"
echo 'struct hone_open { int a; }; struct hone_closed { int a; };' >"$tree/src/store/store.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "hone_closed has the public prefix, and include/ does not declare it: store/store.h"

case_begin "constants and macros have the prefix, which belongs to one room"
make_tree
echo 'enum hone_state { HONE_OPEN };' >"$tree/include/hone.h"
echo '#define HONE__TEXT_SIZE 1' >"$tree/src/base/text.h"
printf '%s\n' '#define X(a) a' '#define LIMIT 2' 'enum { HONE__TEXT_ROWS, HONE_OPEN, WIDTH = 3 };' >"$tree/src/store/store.h"
echo 'enum { FOREIGN };' >"$tree/src/store/sqlite_library.h"
run tools/check-names.py "$tree"
expect_status 1
expect_out "WIDTH of store/store.h has no prefix HONE__
LIMIT of store/store.h has no prefix HONE__
HONE__TEXT_ is used by several rooms: base store"

cases_end
