"""A sound file, and edits of it that each make one fault, for test_fault_pairs.py."""

from __future__ import annotations

BASE = """\
- func: f(Tensor self, int n=1) -> Tensor
  structured_delegate: f.out
  variants: function, method
  tags: core
- func: f_(Tensor(a!) self, int n=1) -> Tensor(a!)
  structured_delegate: f.out
  variants: method
- func: f.out(Tensor self, int n=1, *, Tensor(a!) out) -> Tensor(a!)
  structured: True
  structured_inherits: TensorIteratorBase
  dispatch:
    CPU, CUDA: f_out
- func: v(Tensor(a) self, int k) -> Tensor(a)
  dispatch:
    CPU: v
- func: v_(Tensor(a!) self, int k) -> Tensor(a!)
  tags: inplace_view
  dispatch:
    CPU: v_
- func: v_copy(Tensor self, int k) -> Tensor
  tags: view_copy
  dispatch:
    CompositeExplicitAutogradNonFunctional: v_copy
- func: g(Tensor self, Tensor other) -> (Tensor values, Tensor indices)
  dispatch:
    CompositeExplicitAutograd: g
  autogen: g.out
- func: h(Tensor self, *, Generator? generator=None) -> Tensor
  tags: [core, nondeterministic_seeded]
  python_module: nn
- func: i(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor
  dispatch:
    CompositeExplicitAutograd: i
# derivatives.yaml
- name: f(Tensor self, int n=1) -> Tensor
  self: grad * n
  result: auto_linear
- name: g(Tensor self, Tensor other) -> (Tensor values, Tensor indices)
  output_differentiability: [True, True]
  self: grads[0] * other + grads[1]
  other: grads[1] * self
"""  # noqa: E501

F, TAG = "  structured_delegate: f.out\n  variants: function, method\n", "  tags: core\n"
F_, STRUCTURED = "- func: f_(Tensor(a!) self, int n=1) -> Tensor(a!)\n", "  structured: True\n"
OUT, OUT_KERNELS = "*, Tensor(a!) out) -> Tensor(a!)\n", "    CPU, CUDA: f_out\n"
V, V_COPY = "- func: v(Tensor(a) self, int k) -> Tensor(a)\n", "v_copy(Tensor self, int k)"
G, SELF_OF_F = "- func: g(Tensor self, Tensor other)", "  self: grad * n\n"
G_KERNEL, MODULE = "    CompositeExplicitAutograd: g\n", "  python_module: nn\n"

# What is replaced, and with what.
EDITS = {
    "f variants": (F, F.replace("method", "metod")),
    "f tag": (TAG, "  tags: coree\n"),
    "f no delegate": (F, "  variants: function, method\n"),
    "f wrong delegate": (F, F.replace("f.out", "f.oout")),
    "f delegated kernel": (TAG, TAG + "  dispatch:\n    CPU: f\n"),
    "f misspelled field": (TAG, TAG + "  dispach: x\n"),
    "f unknown field": (TAG, TAG + "  zzz: x\n"),
    "f guard": (TAG, TAG + "  device_guard: False\n"),
    "f flag": (TAG, TAG + "  manual_cpp_binding: maybe\n"),
    "f_ no delegate": ("  structured_delegate: f.out\n  variants: method\n", "  variants: method\n"),
    "f_ return": (F_, F_.replace("-> Tensor(a!)", "-> Tensor")),
    "f_ not written": (F_, F_.replace("Tensor(a!) self", "Tensor self")),
    "f_ arguments": (F_, F_.replace("n=1", "n=1, int m=2")),
    "f_ keyword": (F_, F_.replace("int n", "int class")),
    "f.out default": (OUT, OUT.replace("out)", "out=[])")),
    "f.out return": (OUT, OUT.replace("-> Tensor(a!)", "-> Tensor")),
    "f.out unread": ("f.out(Tensor self", "f.out(Tensr self"),
    "f.out unstructured": (STRUCTURED, ""),
    "f.out key": (OUT_KERNELS, "    CPU, CUDAA: f_out\n"),
    "f.out composite": (OUT_KERNELS, OUT_KERNELS + "    CompositeImplicitAutograd: f_out\n"),
    "f.out method": (STRUCTURED, STRUCTURED + "  variants: function, method\n"),
    "f.out precomputed": (STRUCTURED, STRUCTURED + "  precomputed:\n  - q -> int z\n"),
    "v alias set": (V, V.replace("-> Tensor(a)", "-> Tensor(b)")),
    "v keyword": (V, V.replace("int k", "int lambda")),
    "v required late": (V, V.replace("int k", "int z=1, int k")),
    "v_ no tag": ("  tags: inplace_view\n", ""),
    "v_ unknown tag": ("  tags: inplace_view\n", "  tags: [inplace_view, foo]\n"),
    "v_ composite": ("    CPU: v_\n", "    CompositeImplicitAutograd: v_\n"),
    "v_copy no tag": ("  tags: view_copy\n", ""),
    "v_copy arguments": (V_COPY, "v_copy(Tensor self, int kk, int j)"),
    "g autogen": ("  autogen: g.out\n", "  autogen: g.outt\n"),
    "g argument twice": (G, "- func: g(Tensor self, Tensor self)"),
    "g two composites": (G_KERNEL, G_KERNEL + "    CompositeImplicitAutograd: g\n"),
    "h not seeded": ("[core, nondeterministic_seeded]", "[core]"),
    "h module": (MODULE, MODULE.replace("nn", "nnn")),
    "h category": (MODULE, MODULE + "  category_override: factoryy\n"),
    "h twice": (MODULE, MODULE + "- func: h(int n) -> Tensor\n"),
    "i no kernels": ("  dispatch:\n    CompositeExplicitAutograd: i\n", ""),
    "formula name": (SELF_OF_F, SELF_OF_F.replace("n", "m")),
    "formula argument": (SELF_OF_F, SELF_OF_F + "  slef: grad\n"),
    "formula renamed": (SELF_OF_F, SELF_OF_F.replace("self", "slef")),
    "formula result": ("auto_linear", "auto_linearr"),
    "formula operator": ("- name: f(", "- name: ff("),
    "formula flags": ("[True, True]", "[True, True, True]"),
    "formula index": ("  other: grads[1]", "  other: grads[2]"),
    "formula ways": ("grads[0] * other + grads[1]", "grad * other"),
}
