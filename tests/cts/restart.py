#!/usr/bin/env python3
"""restart.py HONE runners|driver SPEC [OPTION...]: kills processes of a run with SIGKILL until it has ended.

runners: three times one of the processes below hone that run candidates. driver: hone itself, three times; each
time the same command must go on, and what the store had must be in it still, as it was. Fails with a line.
"""
import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "fault"))
from processes import descendants  # noqa: E402

hone, whom, spec, options = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
KILLS = 3


def start():
    command = [hone, "tune", spec, *options, "--quiet", "--no-cap", "--stop-after", "screen"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def measured():
    """Configurations that the store has, with their numbers."""
    shown = subprocess.run([hone, "show", "last", "--format", "json"], capture_output=True, text=True)
    if shown.returncode != 0:
        return {}
    return {e["config"]: (e["id"], e["made"]) for e in json.loads(shown.stdout)["evaluations"] if not e["is_baseline"]}


def deepest(pid):
    """Processes that have nobody below them, and build nothing: of hone, and served programs."""
    found = []
    for one in descendants(pid):
        try: # by the file, for its name is another one in another mount namespace
            is_hone = os.path.samestat(os.stat(f"/proc/{one}/exe"), os.stat(hone))
            words = open(f"/proc/{one}/cmdline").read().split("\0")
        except OSError:
            continue
        is_served = os.path.splitext(spec)[0] + ".py" in words
        if (is_hone or is_served) and "build" not in words and not descendants(one):
            found.append(one)
    return found


def wait_for(count, driver):
    """Until the store has so many; false if the run ended before."""
    until = time.monotonic() + 100
    while time.monotonic() < until and driver.poll() is None:
        if len(measured()) >= count:
            return True
        time.sleep(0.02)
    return False


def fail(text):
    sys.exit(f"{whom}: {text}")


driver, killed, kept = start(), 0, {}
while killed < KILLS and wait_for(2 + 4 * killed, driver):
    if whom == "driver":
        driver.kill()
        driver.communicate()
        kept = measured()
        driver = start()
        killed += 1
        continue
    victims = deepest(driver.pid)
    if not victims:
        continue
    for victim in victims:
        try:
            os.kill(victim, signal.SIGKILL)
        except ProcessLookupError:
            pass
    killed += 1
output, _ = driver.communicate(timeout=150)
if driver.returncode != 0:
    fail(f"status {driver.returncode}: {output}")
if killed < KILLS:
    fail(f"it ended after {killed} kills")
now = measured()
for config, made in kept.items():
    if now.get(config) != made:
        fail(f"{config} was {made}, is {now.get(config)}")
print(f"{len(kept)} were there before the last kill")
