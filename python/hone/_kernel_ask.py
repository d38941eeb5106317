"""Asks the process of the user whether the answer of a candidate is right: ``_kernel_ask.py FOLDER``.

It is the command that checks (hone-spec(5), "COMMANDS THAT CHECK"); hone starts it in the folder of the spec, where
the socket of `_kernel_check` is. It has to start quickly: it imports nothing but sockets.
"""
import socket
import sys

if __name__ == "__main__":
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect("check.sock")
        connection.sendall(sys.argv[1].encode() + b"\n")
        answer = b""
        while True:
            data = connection.recv(65536)
            if not data:
                break
            answer += data
    except OSError as error:
        sys.exit("the process that tunes does not answer: %s" % error)
    if answer != b"right":
        sys.exit(answer.decode("utf-8", "replace") or "the process that tunes ended")
