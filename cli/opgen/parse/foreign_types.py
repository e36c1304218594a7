"""Types as C++ and Python spell them, and what the format writes for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPELLINGS = {
    "Tensor": "Tensor tensor",
    "int": "int int64_t int32_t int16_t int8_t uint64_t uint32_t uint16_t uint8_t int64 int32 long short"
    " size_t ssize_t ptrdiff_t unsigned signed integer Int Long",
    "SymInt": "SymInt symint",
    "float": "float double float64 float32 Double Float",
    "bool": "bool boolean Bool Boolean",
    "SymBool": "SymBool",
    "str": "str string String string_view char Str",
    "Scalar": "Scalar number Number complex",
    "ScalarType": "ScalarType dtype DType",
    "Layout": "Layout layout",
    "Device": "Device device",
    "DeviceIndex": "DeviceIndex",
    "MemoryFormat": "MemoryFormat memory_format",
    "Generator": "Generator generator",
    "QScheme": "QScheme qscheme",
    "Storage": "Storage storage",
    "Stream": "Stream stream",
    "Tensor[]": "TensorList ITensorListRef ITensorList",
    "int[]": "IntArrayRef IntList Size",
    "SymInt[]": "SymIntArrayRef",
    "Tensor?": "OptionalTensorRef OptionalTensor",
    "int[]?": "OptionalIntArrayRef",
    "SymInt[]?": "OptionalSymIntArrayRef",
    "()": "void None NoneType",
}
_MEANING = {word: meaning for meaning, words in _SPELLINGS.items() for word in words.split()}
_LISTS = frozenset(
    ("List", "list", "ArrayRef", "vector", "Sequence", "Iterable", "initializer_list", "span", "IListRef")
)
MAX_DEPTH = 8
_NAMESPACES = frozenset("at c10 torch std typing collections abc aten executorch exec_aten np numpy".split())
_NAME = re.compile(r"(?:::)?[A-Za-z_]\w*(?:(?:::|\.)[A-Za-z_]\w*)*", re.ASCII)
_MORE_WORDS = re.compile(r" (?:int|long|short|char|double)\b")
_REFERENCE = re.compile(r"(?: const)?(?:\s*[&*]+)?(?: const)?")
_SPECIFIERS = re.compile(r"(?:(?:static|inline|virtual|extern|constexpr|TORCH_API) )*")
_WORD = re.compile(r"[A-Za-z_]\w*\Z", re.ASCII)
_NUMBER = re.compile(r"[0-9]+")
_SUFFIX = re.compile(r"\?|\[[0-9]*\]")

# After a type of the format's own: signs of a longer spelling that only begins like it.
GOES_ON = re.compile(r"\s*(?:[&*|<]|::)|\.\w")


@dataclass(frozen=True, slots=True)
class Foreign:
    """A spelling that ends at `end`; `text` is what the format writes, None where it has no such type.
    `written`: it is a reference through which a tensor can be written.
    """

    end: int
    text: str | None
    written: bool = False


def read(text: str, start: int, returned: bool = False, nested: bool = False) -> Foreign:
    """Reads the type at `start`, that of a return or of an argument; with `nested` also the format's own '?'
    and '[]' after it.
    """
    reader = _Reader(text, start, returned)
    try:
        meaning = reader.union(nested)
    except _Unreadable:
        return Foreign(reader.pos, None)
    if meaning == "()" and not returned:
        meaning = None
    return Foreign(reader.pos, meaning, reader.written and meaning == "Tensor")


def declaration(head: str) -> tuple[str, str] | None:
    """Returns the name and the result of `Tensor f`, as C++ begins a declaration."""
    specifiers = _SPECIFIERS.match(head)
    foreign = read(head, specifiers.end() if specifiers is not None else 0, returned=True)
    name = head[foreign.end :].removeprefix(" ")
    return (name, foreign.text) if foreign.text and _WORD.match(name) else None


class _Unreadable(Exception):
    pass


class _Reader:
    def __init__(self, text: str, pos: int, returned: bool):
        self.text, self.pos, self.returned = text, pos, returned
        self.written = False
        self.depth = 0  # of brackets

    def match(self, pattern: re.Pattern[str]) -> str | None:
        found = pattern.match(self.text, self.pos)
        if found is None:
            return None
        self.pos = found.end()
        return found[0]

    def take(self, token: str) -> bool:
        if not self.text.startswith(token, self.pos):
            return False
        self.pos += len(token)
        return True

    def union(self, nested: bool) -> str | None:
        """Reads `A`, or `A | None` as Python has it."""
        members = [self.one(nested)]
        while self.take(" | ") or self.take("|"):
            members.append(self.one(nested))
        return members[0] if len(members) == 1 else _union(members)

    def one(self, nested: bool) -> str | None:
        const = self.take("const ")
        name = self.match(_NAME)
        if name is None:
            raise _Unreadable
        while more := self.match(_MORE_WORDS):
            name = more.strip() if name in ("unsigned", "signed", "long", "short") else name
        namespaces, _, last = name.removeprefix("::").replace("::", ".").rpartition(".")
        known = not namespaces or _NAMESPACES.issuperset(namespaces.split("."))
        pointed = self.pos
        arguments = self.arguments()
        meaning = _generic(last, arguments, self.returned) if arguments else _MEANING.get(last)
        reference = self.match(_REFERENCE) or ""
        if "*" in reference and meaning != "Tensor" and last != "char":
            meaning = None
        self.written = bool(set("&*") & set(reference)) and not const
        if nested:
            while meaning and (suffix := self.match(_SUFFIX)):
                meaning += suffix
        return meaning if known or self.pos == pointed else None

    def arguments(self) -> list[str | None]:
        """Reads `<A, B>` or `[A, B]`; nothing where there is neither."""
        closer = {"<": ">", "[": "]"}.get(self.text[self.pos : self.pos + 1], "")
        if not closer or _SUFFIX.match(self.text, self.pos):
            return []
        self.pos += 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise _Unreadable
        found = [self.argument()]
        while self.take(", ") or self.take(","):
            found.append(self.argument())
        self.take(" ")
        if not self.take(closer):
            raise _Unreadable
        self.depth -= 1
        return found

    def argument(self) -> str | None:
        if self.take("..."):
            return "..."
        number = self.match(_NUMBER)
        return number or self.union(nested=True)


def _generic(name: str, arguments: list[str | None], returned: bool) -> str | None:
    """Returns the meaning of `name<arguments>`."""
    texts = [a for a in arguments if a is not None]
    if len(texts) < len(arguments):
        return None
    first = texts[0]
    if name in ("optional", "Optional"):
        return f"{first}?" if len(texts) == 1 and not first.endswith("?") else None
    if name in _LISTS:
        return f"{first}[]"
    if name == "array" and len(texts) == 2:
        return f"{first}[{texts[1]}]"
    if name == "OptionalArrayRef":
        return f"{first}[]?"
    if name == "Union":
        return _union(arguments)
    if name in ("tuple", "Tuple", "pair"):
        if texts[1:] == ["..."]:
            return f"{first}[]"
        if returned:
            return f"({', '.join(texts)})" if len(texts) > 1 else first
        return f"{first}[{len(texts)}]" if len(set(texts)) == 1 else None
    return None


def _union(members: list[str | None]) -> str | None:
    present = [m for m in members if m != "()"]
    one = present[0] if len(present) == 1 else None
    if len(present) > 1 and {"int", "float", "Scalar", "bool"}.issuperset(m or "" for m in present):
        one = "Scalar"
    return None if one is None else one + "?" * (len(present) < len(members))
