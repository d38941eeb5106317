"""The source of a kernel for `hone.tune_kernel`: its text, its language, its function.

C is not parsed: the function is found by its name and the brackets behind it, which suffices to know
the names of its arguments and which of them it cannot write to.
"""
from __future__ import annotations

import dataclasses
import os
import re
from typing import Any, Dict, List, Optional, Sequence, Union

SUFFIXES = {"cuda": ".cu", "opencl": ".cl", "c": ".cpp"}

_LANGUAGES = {"CUDA": "cuda", "CUPY": "cuda", "NVCUDA": "cuda", "OPENCL": "opencl", "C": "c"}
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_LOADED = re.compile(r"\b__ld\w+\s*\(\s*&$")  # CUDA's loads of an address
_ASSIGNED = re.compile(r"\s*(?:=(?!=)|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<=|>>=|\+\+|--|\.)")


@dataclasses.dataclass
class Parameter:
    """An argument of the function, as the source declares it."""

    name: str
    is_pointer: bool
    is_constant: bool  # the function cannot write to it, or does not


@dataclasses.dataclass
class Function:
    start: int  # where its declaration begins in the text
    parameters: List[Parameter]


def read_source(kernel_source: Any, params: Optional[Dict[str, Any]] = None) -> str:
    """The text of a source that is a text, the name of a file, a list with such a name in front, or a function."""
    if isinstance(kernel_source, (list, tuple)):
        if not kernel_source:
            raise ValueError("kernel_source: the list is empty")
        kernel_source = kernel_source[0]
    if callable(kernel_source):
        text = kernel_source(params)
        if not isinstance(text, str):
            raise TypeError(f"kernel_source: the function returned {type(text).__name__}, not a text")
        return read_source(text) if is_file_name(text) else text
    path = source_file(kernel_source)
    if path is None:
        return str(kernel_source)
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.read()
    except OSError as error:
        raise FileNotFoundError(f"kernel_source: cannot open '{path}': {error.strerror}") from None


def is_file_name(text: str) -> bool:
    return "\n" not in text and not re.search(r"[{};]", text)


def source_file(kernel_source: Any) -> Optional[str]:
    """The name of the file, if it is one."""
    if isinstance(kernel_source, (list, tuple)) and kernel_source:
        kernel_source = kernel_source[0]
    if isinstance(kernel_source, os.PathLike):
        return str(os.fspath(kernel_source))
    if isinstance(kernel_source, str) and is_file_name(kernel_source):
        return kernel_source
    if isinstance(kernel_source, str) or callable(kernel_source):
        return None
    raise TypeError(f"kernel_source: {type(kernel_source).__name__} is not a text, a file name, a list or a function")


def find_language(lang: Optional[str], text: str) -> str:
    """The backend: "cuda", "opencl" or "c"."""
    if lang is None:
        if "__global__" in text:
            return "cuda"
        return "opencl" if "__kernel" in text else "c"
    known = _LANGUAGES.get(str(lang).upper())
    if known is None:
        raise NotImplementedError(f"lang: '{lang}' is not supported; Hone has C, CUDA and OpenCL")
    return known


# ---- the function ----


def without_comments(text: str) -> str:
    """Comments and literals become blanks; all other characters stay where they are."""
    return _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def find_function(name: str, text: str) -> Optional[Function]:
    """The definition of the function; None: it is not found, such as one that a macro makes."""
    plain = without_comments(text)
    base = re.escape(name.split("<")[0].split("::")[-1].strip())
    for match in re.finditer(rf"\b{base}\s*\(", plain):
        end = _closing(plain, match.end() - 1)
        if end is None or not re.match(r"[\s\w()\[\],]*\{", plain[end + 1:]):
            continue
        body_start = plain.index("{", end)
        body_end = _closing(plain, body_start) or len(plain)
        body = plain[body_start:body_end]
        parameters = [_parameter(part, body) for part in _split(plain[match.end():end])]
        return Function(_declaration_start(plain, match.start()), parameters)
    return None


def _closing(text: str, at: int) -> Optional[int]:
    opening = text[at]
    closing = {"(": ")", "{": "}", "[": "]"}[opening]
    depth = 0
    for index in range(at, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if depth == 0:
                return index
    return None


def _split(text: str) -> List[str]:
    parts, depth, start = [], 0, 0
    for index, letter in enumerate(text):
        depth += letter in "(<[" and 1 or letter in ")>]" and -1 or 0
        if letter == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part for part in parts if part.strip() and part.strip() != "void"]


def _declaration_start(text: str, at: int) -> int:
    start = max(text.rfind(mark, 0, at) for mark in ";{}")
    line = start + 1
    while True:  # behind the lines of the preprocessor in front of it
        match = re.compile(r"\s*#[^\n]*(?:\\\n[^\n]*)*\n").match(text, line)
        if not match or match.end() > at:
            break
        line = match.end()
    return line + len(text[line:at]) - len(text[line:at].lstrip())


def _parameter(text: str, body: str) -> Parameter:
    is_pointer = "*" in text or "[" in text or "&" in text
    words = re.findall(r"[A-Za-z_]\w*", text.split("[")[0])
    name = words[-1] if words else ""
    constant = bool(re.search(r"\bconst\b|\b__constant\b", text.split("*")[0]))
    return Parameter(name, is_pointer, constant or (is_pointer and _is_only_read(name, body)))


def _is_only_read(name: str, body: str) -> bool:
    """Whether the function uses it as `name[...]` alone, and assigns to none of these."""
    uses = list(re.finditer(rf"(?<![\w.>]){re.escape(name)}\b", body))
    for use in uses:
        before = body[:use.start()].rstrip()
        match = re.match(r"\s*\[", body[use.end():])
        if not match or before.endswith(("++", "--")) or (before.endswith("&") and not _LOADED.search(before)):
            return False
        end = _closing(body, use.end() + match.end() - 1)
        while end is not None and re.match(r"\s*\[", body[end + 1:]):
            end = _closing(body, body.index("[", end + 1))
        if end is None or _ASSIGNED.match(body[end + 1:]):
            return False
    return True


# ---- what is written for the compiler ----


def with_c_linkage(name: str, text: str) -> str:
    """A function in C++ that is found by its name."""
    function = find_function(name, text)
    if 'extern "C"' in text or function is None:
        return text
    return text[:function.start] + 'extern "C" ' + text[function.start:]


def with_variants(variants: Sequence[str], macro: str) -> str:
    """One text that is the `macro`-th of these."""
    if len(variants) == 1:
        return variants[0]
    parts = [f"#{'elif' if number else 'if'} {macro} == {number}\n{text}\n" for number, text in enumerate(variants)]
    return "".join(parts) + "#endif\n"


def include_folders(kernel_source: Any) -> List[str]:
    path: Union[str, None] = source_file(kernel_source)
    return [os.path.dirname(os.path.abspath(path)) if path else os.getcwd()]
