"""Names of dtypes as `ufunc_inner_loop` writes them, and the names of sets of them."""

INTEGRAL = ("Byte", "Char", "Int", "Long", "Short")
FLOATING = ("Float", "Double")
COMPLEX = ("ComplexFloat", "ComplexDouble")

DTYPES = (
    *("Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double", "ComplexHalf", "ComplexFloat"),
    *("ComplexDouble", "Bool", "BFloat16"),
    *("Float8_e5m2", "Float8_e5m2fnuz", "Float8_e4m3fn", "Float8_e4m3fnuz", "Float8_e8m0fnu"),
)

# The generated loops over functors are not for these.
WITHOUT_LOOPS = frozenset(d for d in DTYPES if d == "ComplexHalf" or d.startswith("Float8_"))

# Integral excludes Bool, Floating the 16-bit types.
DTYPE_SETS = {
    "Integral": INTEGRAL,
    "Floating": FLOATING,
    "Complex": COMPLEX,
    "All": INTEGRAL + FLOATING,
    "FloatingAndComplex": FLOATING + COMPLEX,
    "AllAndComplex": INTEGRAL + FLOATING + COMPLEX,
}
