# signals.sh - starts the script that reads this once more if it inherited signals that are ignored.
#
# nohup ignores SIGHUP and a shell's background SIGINT, and whatever is started below inherits it: a test
# that sends such a signal would wait for nothing. A shell cannot undo that by itself.
if [ -n "$(trap -p HUP INT QUIT TERM PIPE)" ]; then
  exec python3 -c '
import os, signal, sys
for name in ("HUP", "INT", "QUIT", "TERM", "PIPE"):
    signal.signal(getattr(signal, "SIG" + name), signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$BASH" "$0" "$@"
fi
