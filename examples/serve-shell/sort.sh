#!/bin/sh
# A served program in the language of the shell: see hone-serve(7). It times sort(1) with several buffers and
# threads. The lines to sort are made once, when the program starts.
lines=$(mktemp) && sorted=$(mktemp) || exit 1
trap 'rm -f "$lines" "$sorted"' EXIT

field() { # field NAME: a number or a word of the request
  printf '%s\n' "$request" | sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\).*/\1/p'
}

sort_lines() { sort -S "$(field BUFFER)" --parallel="$(field THREADS)" "$lines" -o "$sorted"; }

check() {
  if sort_lines && LC_ALL=C sort -c "$sorted" 2>/dev/null; then
    echo "{\"id\": $(field id)}"
  else
    echo "{\"id\": $(field id), \"outcome\": \"wrong_result\", \"text\": \"the lines are not in order\"}"
  fi
}

measure() {
  samples= wanted=$(field samples)
  while [ "$wanted" -gt 0 ]; do
    begin=$(date +%s%N)
    sort_lines
    end=$(date +%s%N)
    samples=$samples${samples:+, }$((end - begin))
    wanted=$((wanted - 1))
  done
  echo "{\"id\": $(field id), \"samples_ns\": [$samples]}"
}

export LC_ALL=C
while read -r request; do
  case $request in # the type comes first
  '{"type":"hello"'*)
    awk -v n="$(field LINES)" 'BEGIN { for (i = 0; i < n; i++) print int(rand() * 1000000) }' >"$lines"
    echo '{"id": 0, "version": 1, "name": "sort.sh", "build": false}'
    ;;
  '{"type":"check"'*) check ;;
  '{"type":"measure"'*) measure ;;
  '{"type":"bye"'*) exit ;;
  esac
done
