"""Takes the place of a served program, and hands it over to an instance that another process forks.

``hone`` starts this script (see hone-serve(7)). It reads the first request, connects to the socket
that ``HONE_PYTHON_SOCKET`` names, and passes the request and its descriptors 0, 1 and 2 on. From
then on the instance talks to ``hone``. The script waits for the end of the instance and ends as it
did; if the script is killed, its instance is killed, too.

It runs without the package and without site-packages, so that it starts quickly.
"""
import os
import signal
import socket
import struct
import sys


def read_line(descriptor):
    line = b""
    while not line.endswith(b"\n"):
        part = os.read(descriptor, 65536)
        if not part:
            break
        line += part
    return line


def end_as(status):
    """Ends as the instance did: with its exit status, or by the same signal."""
    if status >= 0:
        os._exit(status)
    signal.signal(-status, signal.SIG_DFL)
    os.kill(os.getpid(), -status)
    os._exit(1)


def main():
    path = os.environ.get("HONE_PYTHON_SOCKET")
    if not path:
        print("HONE_PYTHON_SOCKET is not set: this program is started by the Python package hone", file=sys.stderr)
        return 2
    line = read_line(0)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError as error:
        print(f"the Python process that tunes is not there: {path}: {error.strerror}", file=sys.stderr)
        return 1
    header = struct.pack("!I", len(line))
    socket.send_fds(connection, [header + line[:1]], [0, 1, 2])
    connection.sendall(line[1:])
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    answer = b""
    while len(answer) < 4:
        part = connection.recv(4 - len(answer))
        if not part:
            return 1
        answer += part
    end_as(struct.unpack("!i", answer)[0])


if __name__ == "__main__":
    sys.exit(main())
