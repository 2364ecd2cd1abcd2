"""Eight numbers at a time: a vector register as a type of numba.

The compiler finds vectors in long loops only. Where the same short computation is done for several
runs that lie side by side in memory, these functions spell them out; ``+``, ``*`` and ``/`` work on
eight numbers at once. All are for compiled functions.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, models, register_model

#: Numbers in a vector.
LANES = 8

# Products and sums may be fused; NaN and infinity keep their meaning.
_FLAGS = ("arcp", "contract", "nsz", "reassoc")


class Lanes(types.Type):
    """Eight numbers of one type."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(f"Lanes({dtype})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, lanes):
        number = manager.lookup(lanes.dtype).get_value_type()
        super().__init__(manager, lanes, ir.VectorType(number, LANES))


@intrinsic
def load(typing_context, array, start):
    """Return eight numbers of a one-dimensional, contiguous array; the bounds are not checked."""

    def generate(context, builder, call, arguments):
        address, alignment = _address(context, builder, call, arguments)
        return builder.load(address, align=alignment)

    return Lanes(array.dtype)(array, types.intp), generate


@intrinsic
def store(typing_context, array, start, lanes):
    """Write eight numbers to a one-dimensional, contiguous array; the bounds are not checked."""

    def generate(context, builder, call, arguments):
        address, alignment = _address(context, builder, call, arguments)
        builder.store(arguments[2], address, align=alignment)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def fill(typing_context, number):
    """Return eight times the same number."""

    def generate(context, builder, call, arguments):
        (value,) = arguments
        first = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(
            ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined), value, first
        )
        everywhere = ir.Constant(ir.VectorType(first.type, LANES), [0] * LANES)
        return builder.shuffle_vector(one, one, everywhere)

    return Lanes(number)(number), generate


def _address(context, builder, call, arguments):
    array_type = call.args[0]
    array = context.make_array(array_type)(context, builder, arguments[0])
    number = context.get_data_type(array_type.dtype)
    address = builder.gep(array.data, [arguments[1]])
    vector = builder.bitcast(address, ir.VectorType(number, LANES).as_pointer())
    return vector, context.get_abi_sizeof(number)


def _define(operation, instruction):
    @infer_global(operation)
    class _OfEqualTypes(AbstractTemplate):
        def generic(self, arguments, keywords):
            left, right = arguments
            if isinstance(left, Lanes) and left == right:
                return signature(left, left, left)
            return None

    @lower_builtin(operation, Lanes, Lanes)
    def _lower(context, builder, call, arguments):
        return getattr(builder, instruction)(*arguments, flags=_FLAGS)


_define(operator.add, "fadd")
_define(operator.mul, "fmul")
_define(operator.truediv, "fdiv")
