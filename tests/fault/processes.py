"""processes.py - the processes below another one."""
import os


def descendants(pid):
    below, parents = [pid], {}
    for name in os.listdir("/proc"):
        try:
            if name.isdigit():
                parents[int(name)] = int(open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[1])
        except OSError:
            pass
    for one in below:
        below += [child for child, parent in parents.items() if parent == one]
    return below[1:]
