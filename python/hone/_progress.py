"""Progress of a tuning: one line on a terminal, a bar in a notebook, nothing elsewhere unless asked for."""
from __future__ import annotations

import html
import shutil
import sys
import time
from typing import Any, Dict, Mapping, Optional

_INTERVAL_S = 0.2


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    if not ipython:
        return False
    shell = ipython.get_ipython()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def progress_for(name: str, problem: Mapping[str, Any], wish: Any) -> Optional["Progress"]:
    """`wish`: True or False; a callable that gets every event; None: as it suits the output."""
    title = " ".join([name, *(f"{key}={value}" for key, value in problem.items())])
    if callable(wish):
        return Callback(title, wish)
    if wish is False:
        return None
    if _in_notebook():
        return Notebook(title)
    if sys.stderr is not None and sys.stderr.isatty():
        return Terminal(title)
    return Lines(title) if wish else None


class Progress:
    """Takes events of ``hone tune --progress json``."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.phase = "start"
        self.last: Dict[str, Any] = {}
        self.shown = 0.0

    def take(self, event: Dict[str, Any]) -> None:
        if event.get("kind") == "phase" and event.get("text") != "start":
            self.phase = str(event.get("text"))
            self.show(True)
        elif event.get("kind") == "progress":
            self.last = event
            self.show(False)
        elif event.get("kind") == "warning":
            self.note(str(event.get("text")))

    def show(self, now: bool) -> None:
        if now or time.monotonic() - self.shown > _INTERVAL_S:
            self.shown = time.monotonic()
            self.draw()

    def line(self) -> str:
        event = self.last
        total = f"/{event['total']}" if event.get("total") else ""
        parts = [f"tuning {self.title}: {self.phase} {event.get('done', 0)}{total}"]
        if event.get("best_speedup"):
            parts.append(f"best {event['best_speedup']:.2f}x {event.get('best_config', '')}")
        if event.get("failed"):
            parts.append(f"{event['failed']} failed")
        if event.get("eta_s") is not None and self.phase == "screen":
            parts.append(f"eta {int(event['eta_s']) // 60}:{int(event['eta_s']) % 60:02d}")
        return "  ".join(parts)

    def draw(self) -> None:
        pass

    def note(self, text: str) -> None:
        pass

    def close(self) -> None:
        pass

    def finish(self, result: Any) -> None:
        pass


class Callback(Progress):
    def __init__(self, title: str, function: Any) -> None:
        super().__init__(title)
        self.function = function

    def take(self, event: Dict[str, Any]) -> None:
        self.function(event)


class Terminal(Progress):
    def draw(self) -> None:
        width = shutil.get_terminal_size().columns
        sys.stderr.write("\r" + self.line()[: width - 1] + "\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()

    def finish(self, result: Any) -> None:
        if result.measured:
            sys.stderr.write(f"{self.title}: {result.sentence}\n")


class Lines(Progress):
    """Plain lines: one for each phase."""

    def show(self, now: bool) -> None:
        if now:
            print(self.line(), file=sys.stderr, flush=True)

    def finish(self, result: Any) -> None:
        print(f"{self.title}: {result.sentence}", file=sys.stderr, flush=True)


class Notebook(Progress):
    def __init__(self, title: str) -> None:
        super().__init__(title)
        from IPython.display import HTML, display  # type: ignore[import-not-found]

        self._html = HTML
        self._handle = display(HTML(""), display_id=True)

    def draw(self) -> None:
        event = self.last
        done, total = event.get("done", 0), event.get("total", 0)
        share = min(100.0, 100.0 * done / total) if total else 0.0
        bar = (f"<progress max='100' value='{share:.0f}' style='width:16em'></progress>" if total else "")
        self._handle.update(self._html(f"<div>{bar} <code>{html.escape(self.line())}</code></div>"))

    def finish(self, result: Any) -> None:
        self._handle.update(self._html(f"<div><b>{html.escape(self.title)}</b>: {html.escape(result.sentence)}</div>"))
