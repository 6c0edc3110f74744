"""The model `simple`: OUTPUT0 = INPUT0 + INPUT1, OUTPUT1 = INPUT0 - INPUT1, INT32 [batch, 16]."""

import numpy
import tritonclient.http as triton

A = numpy.arange(16, dtype=numpy.int32).reshape(1, 16)
B = numpy.full((1, 16), 3, dtype=numpy.int32)


def inputs(a=A, b=B, binary=(True, True)):
    tensors = []
    for name, values, as_binary in (("INPUT0", a, binary[0]), ("INPUT1", b, binary[1])):
        tensor = triton.InferInput(name, list(values.shape), "INT32")
        tensor.set_data_from_numpy(values, binary_data=as_binary)
        tensors.append(tensor)
    return tensors


def check(result, a=A, b=B):
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT0"), a + b)
    numpy.testing.assert_array_equal(result.as_numpy("OUTPUT1"), a - b)


def json_inputs(shape=(1, 16), datatype="INT32", **changes):
    """JSON form of the two inputs; `changes` replace members of INPUT0."""
    count = 1
    for dim in shape:
        count *= dim
    first = {"name": "INPUT0", "shape": list(shape), "datatype": datatype, "data": list(range(count))}
    second = {"name": "INPUT1", "shape": list(shape), "datatype": datatype, "data": [3] * count}
    return [{**first, **changes}, second]
