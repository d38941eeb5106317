"""A program with an expensive start: what it imports takes 2 s, a measurement takes 5 ms.

As a served program it answers requests. With `--x=... -o FILE` it is the same program, started for
every run.
"""
import json
import sys
import time

time.sleep(2)  # stands for the imports of a framework


def run(config):
    """5 ms or less of a CPU: the better a configuration, the shorter."""
    wanted_s = 5e-3 * (1 - 0.03 * (config["A"] % 10) - 0.02 * (config["B"] % 5))
    begin = time.process_time_ns()
    while time.process_time_ns() - begin < 1e9 * wanted_s:
        pass
    return time.process_time_ns() - begin


def serve():
    for line in sys.stdin:
        request = json.loads(line)
        reply = {"id": request.get("id")}
        if request["type"] == "bye":
            return
        if request["type"] == "hello":
            reply.update(version=1, build=False, check=False)
        if request["type"] == "measure":
            reply["samples_ns"] = [run(request["config"]) for _ in range(request["samples"])]
        print(json.dumps(reply), flush=True)


options = [word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--")]
if options:
    print(json.dumps({"time_ns": run({name: int(value) for name, value in options})}))
else:
    serve()
