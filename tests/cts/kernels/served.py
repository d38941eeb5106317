"""A served program (hone-serve(7)) that does what kernels/program.c does: any WAY but BASE and FAST fails once, if TWICE is 0, and is
good else. What is built is the text of the configuration."""
import json
import os
import signal
import sys
import time


def answer(request, **fields):
    print(json.dumps({"id": request["id"], **fields}), flush=True)


def spin(count):
    begin = time.process_time_ns()
    for _ in range(count):
        pass
    return time.process_time_ns() - begin


def build(request):
    way = request["config"].get("WAY", "BASE") if not request["config"].get("TWICE", 1) else "BASE"
    if way == "NO_COMPILE":
        answer(request, outcome="compile_error", text="nobody can compile this")
        return
    while way == "COMPILE_FOREVER":
        time.sleep(1)
    with open(request["object"], "w") as file:
        json.dump(request["config"], file)
    answer(request)


def fail_once(way, request):
    if way == "ILLEGAL":
        os.kill(os.getpid(), signal.SIGSEGV)
    if way == "TRAPS":
        os.abort()
    if way == "EXITS":
        os._exit(3)
    while way == "HANGS":
        signal.pause()


def measure(request):
    config = request["config"]
    with open(request["object"]) as file:
        assert json.load(file) == config
    way = config.get("WAY", "BASE") if not config.get("TWICE", 1) else "BASE"
    fail_once(way, request)
    work = config.get("WORK", 10000 if config.get("WAY") == "FAST" else 1000000)
    samples = [spin(work) for _ in range(request["samples"])]
    if way == "BAD_RESULT":
        answer(request, samples_ns=[-1])
    elif way == "NO_RESULT":
        answer(request)
    else:
        answer(request, samples_ns=samples)


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "hello":
            answer(request, version=1)
        elif request["type"] == "build":
            build(request)
        elif request["type"] == "check" and request["config"].get("WAY") == "WRONG" and not request["config"]["TWICE"]:
            answer(request, outcome="wrong_result", text="it is 1, not 2")
        elif request["type"] == "check":
            answer(request)
        elif request["type"] == "measure":
            measure(request)
        elif request["type"] == "bye":
            break


main()
