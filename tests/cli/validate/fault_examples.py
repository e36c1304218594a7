"""Wrong declarations in addition to the rules' own examples: name -> text, for test_fault_snapshot.py."""

from __future__ import annotations

EXAMPLES = {
    "an annotation that is not closed": "- func: f(Tensor(a self) -> Tensor\n",
    "an annotation with two sides of several sets": "- func: f(Tensor(a|b -> c|d) self) -> Tensor\n",
    "an in-place operator that returns a list": "- func: f_(Tensor(a!) self) -> Tensor[]\n",
    "an in-place operator that returns two": "- func: f_(Tensor(a!) self) -> (Tensor, Tensor)\n",
    "an in-place operator that returns an optional": "- func: f_(Tensor(a!) self) -> Tensor?\n",
    "an out argument that is not what is returned": (
        "- func: f.out(Tensor self, *, Tensor(a!) x, Tensor(b!) y) -> (Tensor(a!), Tensor[])\n"
        "- func: f(Tensor self) -> (Tensor, Tensor)\n"
    ),
    "a type of the second return": "- func: f(Tensor self) -> (Tensor, Tensr)\n",
    "an unknown overload's delegate": (
        "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  structured: True\n  dispatch:\n"
        "    CPU: f_out\n- func: f(Tensor self) -> Tensor\n  structured_delegate: f.ouut\n"
    ),
    "a delegate that is not structured": (
        "- func: f.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)\n  dispatch:\n    CPU: f_out\n"
        "- func: f(Tensor self) -> Tensor\n  structured_delegate: f.out\n"
    ),
    "structured, but not an out form": "- func: f(Tensor self) -> Tensor\n  structured: True\n",
    "two composites and a backend": (
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CompositeImplicitAutograd: f\n"
        "    CompositeExplicitAutograd: f\n    CPU: f_cpu\n"
    ),
    "options with a default among those without": (
        "- func: f(int[] size, *, ScalarType? dtype=None, Layout? layout, Device? device=None,"
        " bool? pin_memory=None) -> Tensor\n"
    ),
    "names of macros and of the implementation": (
        "- func: f(Tensor self, int __x, int _Y, int EOF, int a__b) -> Tensor\n"
    ),
    "the same schema under two names": (
        "- func: f(Tensor self) -> Tensor\n- func: f(Tensor self) -> Tensor\n"
        "- func: f.other(Tensor self) -> Tensor\n"
    ),
    "a tag that is there twice, and unknown": (
        "- func: f(Tensor self) -> Tensor\n  tags: [core, nondeterministic, core]\n"
    ),
    "a word in the place of a flag": "- func: f(Tensor self) -> Tensor\n  device_guard: yes\n",
    "kernels of the same name under a key twice": (
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU, CUDA: f\n    CPU: g\n"
    ),
    "a namespace of four parts": (
        "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: a::b::c::native::f\n"
    ),
    "a list in the place of a kernel": "- func: f(Tensor self) -> Tensor\n  dispatch:\n    CPU: [f, g]\n",
    "a string default that is not closed": '- func: f(Tensor self, str s="x) -> Tensor\n',
    "defaults out of range": (
        "- func: f(Tensor self, int a=9223372036854775808, int b=-9223372036854775809) -> Tensor\n"
        "- func: g(Tensor self, float c=1e, int[2] d=[1,2,3]) -> Tensor\n"
    ),
    "tabs, and text after the schema": "- func:\tf(Tensor self) -> Tensor, Tensor\n",
    "quoted schemas with a fault": (
        "- func: \"f(Tensr self) -> Tensor\"\n- func: 'f.b(Tensr self) -> Tensor'\n"
    ),
    "a fix in a quoted schema": "- func: 'f(Tensor self,Tensor other) -> Tensor'\n",
    "no fix in a folded schema": "- func: >-\n    f(Tensor self,Tensor other) -> Tensor\n",
    "no fix where an escape stands": '- func: "f(Tensor self,str s=\\"x\\") -> Tensor"\n',
    "a fix of a name in quotes": "- func: f(Tensor self) -> Tensor\n  device_guard: 'off'\n",
    "lists of lists": "- func: f(int[][][][] four, int[][][][][] five) -> ()\n",
    "an optional of an optional": "- func: f(int?? n, Tensor?[]? x) -> ()\n",
    "a list that is not closed": "- func: f(Tensor self) -> Tensor\n  tags: [core\n- func: g() -> ()\n",
    "a quote that is open at the end": "- func: f(Tensor self) -> Tensor\n  tags: 'core",
    "a mapping in the place of text": "- func: {f: g}\n- func: [f]\n- func:\n",
    "an item that is no mapping, and one without a schema": "- f\n- variants: method\n- [f]\n-\n",
    "a random operator without its tag": (
        "- func: rand_backward(Tensor self) -> Tensor\n- func: my_dropout(Tensor self) -> Tensor\n"
        "- func: my_dropout_backward(Tensor self) -> Tensor\n"
    ),
    "one tag, and it is opgen's": "- func: f(Tensor self) -> Tensor\n  tags: [generated]\n",
    "opgen's tag among others": "- func: f(Tensor self) -> Tensor\n  tags: [core, generated]\n",
    "a folded schema with a fault": "- func: >-\n    f(Tensor self,\n    Tensr other) -> Tensor\n",
    "an in-place operator whose argument becomes a view": (
        "- func: f_(Tensor(a!) self, Tensor(a -> *) x) -> Tensor(a!)\n"
    ),
}
