# python-path.sh FOLDER: sourced by scripts that run tests; puts FOLDER/python3, the interpreter itself, first in PATH.
#
# The python3 of a version manager is a script that starts several processes, 80 ms for each of thousands of calls.
if interpreter=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) && mkdir -p "$1"; then
  ln -sfn "$interpreter" "$1/python3"
  PATH=$PWD/$1:$PATH
fi
