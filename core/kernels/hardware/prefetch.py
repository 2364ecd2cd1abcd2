"""Fetching from memory ahead of use, for compiled code."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def prefetch(typing_context, array, index):
    """Ask the processor to fetch what is at an index of an array, for a later use."""

    def generate(context, builder, call, arguments):
        data = context.make_array(call.args[0])(context, builder, arguments[0]).data
        address = builder.gep(data, [arguments[1]])
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), (byte, number, number, number))
        function = builder.module.declare_intrinsic("llvm.prefetch", (byte,), kind)
        is_write, locality, is_data = number(0), number(3), number(1)
        builder.call(function, [builder.bitcast(address, byte), is_write, locality, is_data])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
