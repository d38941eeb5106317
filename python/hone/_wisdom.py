"""Wisdom files, see hone-wisdom(5): proved configurations that a program ships."""
from __future__ import annotations

import json
import os
from typing import Any, Dict, List, Mapping, Optional, Tuple

from ._errors import HoneError

_files: Dict[Tuple[str, float], List[Dict[str, Any]]] = {}


def _entries(path: str) -> List[Dict[str, Any]]:
    try:
        key = (path, os.stat(path).st_mtime)
    except OSError as error:
        raise HoneError(f"cannot open the wisdom file '{path}': {error.strerror}") from error
    if key not in _files:
        try:
            with open(path, encoding="utf-8") as file:
                data = json.load(file)
            if data["hone_wisdom"] != 1 or not isinstance(data["entries"], list):
                raise ValueError(f"version {data['hone_wisdom']} of the format is not known")
        except (ValueError, KeyError, TypeError) as error:
            raise HoneError(f"'{path}' is not a wisdom file: {error}") from error
        _files[key] = data["entries"]
    return _files[key]


def find(path: Optional[str], kernel: str, problem: Mapping[str, Any], device: Optional[str],
         only_proved: bool) -> Optional[Dict[str, Any]]:
    """The configuration of this very kernel, problem and device. `device` None: of any."""
    if not path:
        return None
    for entry in _entries(path):
        if entry.get("kernel") != kernel or dict(entry.get("problem") or {}) != dict(problem):
            continue
        if device and device != entry.get("device") and device not in (entry.get("aliases") or ()):
            continue
        if only_proved and entry.get("verdict") not in ("IMPROVED", "NO IMPROVEMENT"):
            continue
        return dict(entry.get("config") or {})
    return None
