"""make_framework_model.py <kind> <path>: writes a small model of a framework, with that framework's own Python."""

import sys


def networks():
    import torch

    class Net(torch.nn.Module):
        def forward(self, left, right):
            return left + right, (left - right).sum(1, keepdim=True)

    class Named(torch.nn.Module):
        def forward(self, tensors: dict[str, torch.Tensor]):
            return {"TOTAL": tensors["A"] + tensors["B"]}

    return torch, Net(), Named()


def script(path):
    torch, net, _ = networks()
    torch.jit.script(net).save(path)


def named(path):
    torch, _, net = networks()
    torch.jit.script(net).save(path)


def export(path):
    torch, net, _ = networks()
    batch = torch.export.Dim("batch", min=1, max=64)
    example = (torch.zeros(2, 4), torch.zeros(2, 4))
    torch.export.save(torch.export.export(net, example, dynamic_shapes=({0: batch}, {0: batch})), path)


def openvino_model(path):
    import openvino
    from openvino import opset13 as ops

    inputs = [ops.parameter([-1, 4], openvino.Type.f32, name=name) for name in ("LEFT", "RIGHT")]
    for node, name in zip(inputs, ("LEFT", "RIGHT")):
        node.output(0).tensor.set_names({name})
    total = ops.add(*inputs)
    total.output(0).tensor.set_names({"SUM"})
    openvino.save_model(openvino.Model([total], inputs, "sum"), path, compress_to_fp16=False)


def onnx_sum(path):
    """Rows of LEFT and RIGHT added, by two nodes."""
    from onnx import TensorProto, helper, save

    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", 4])

    nodes = [helper.make_node("Add", ["LEFT", "RIGHT"], ["half"]), helper.make_node("Abs", ["half"], ["SUM"])]
    graph = helper.make_graph(nodes, "sum", [value("LEFT"), value("RIGHT")], [value("SUM")])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def onnx_upper(path):
    """TEXT in capitals, by an operator of onnxruntime-extensions, whose library is copied beside the version as ops.so."""
    import pathlib
    import shutil

    import onnxruntime_extensions
    from onnx import TensorProto, helper, save

    def value(name):
        return helper.make_tensor_value_info(name, TensorProto.STRING, ["batch", 1])

    node = helper.make_node("StringUpper", ["TEXT"], ["UPPER"], domain="ai.onnx.contrib")
    graph = helper.make_graph([node], "upper", [value("TEXT")], [value("UPPER")])
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("ai.onnx.contrib", 1)]
    save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    shutil.copy(onnxruntime_extensions.get_library_path(), pathlib.Path(path).with_name("ops.so"))


def saved_model(path):
    import tensorflow as tf

    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.bias = tf.Variable(tf.constant([10.0] * 4))

        @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32, name="left"), tf.TensorSpec([None, 4], tf.float32, name="right")])
        def run(self, left, right):
            return {"total": left + right + self.bias, "largest": tf.reduce_max(left, axis=1, keepdims=True)}

    net = Net()
    tf.saved_model.save(net, path, signatures={"serving_default": net.run, "other": net.run})


def graphdef(path):
    import tensorflow as tf

    with tf.Graph().as_default() as graph:
        left = tf.compat.v1.placeholder(tf.float32, [None, 4], name="left")
        tf.add(left, tf.constant([1.0] * 4), name="plus_one")
        definition = graph.as_graph_def()
    with open(path, "wb") as file:
        file.write(definition.SerializeToString())


def keras(path):
    """Prints its own predictions of the rows 0 and 1."""
    import json

    import numpy
    import tensorflow as tf

    tf.keras.utils.set_random_seed(1)
    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3)])
    net.export(path, verbose=False)
    print(json.dumps(net.predict(numpy.array([[0] * 4, [1] * 4], numpy.float32), verbose=0).tolist()))


def flowers():
    from sklearn.datasets import load_iris

    rows, kinds = load_iris(return_X_y=True)
    return rows.astype("float32"), kinds


def sklearn_classifier(path):
    """Prints some rows of the data, and what the model says of them in its own process."""
    import json

    import joblib
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rows, kinds = flowers()
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(rows, kinds)
    joblib.dump(model, path)
    some = rows[::10]
    print(json.dumps({"rows": some.tolist(), "predict": model.predict(some).tolist(), "proba": model.predict_proba(some).tolist()}))


def sklearn_names(path):
    """A classifier whose classes are texts, as a plain pickle."""
    import json
    import pickle

    from sklearn.tree import DecisionTreeClassifier

    rows, kinds = flowers()
    model = DecisionTreeClassifier(random_state=0).fit(rows, [("setosa", "versicolor", "virginica")[kind] for kind in kinds])
    with open(path, "wb") as file:
        pickle.dump(model, file)
    print(json.dumps({"rows": rows[::30].tolist(), "predict": model.predict(rows[::30]).tolist()}))


def xgboost_classifier(path):
    import json

    import xgboost

    rows, kinds = flowers()
    settings = {"objective": "multi:softprob", "num_class": 3, "max_depth": 3, "seed": 1}
    model = xgboost.train(settings, xgboost.DMatrix(rows, kinds), 10)
    model.save_model(path)
    proba = model.predict(xgboost.DMatrix(rows[::10]))
    print(json.dumps({"rows": rows[::10].tolist(), "predict": proba.argmax(1).tolist(), "proba": proba.tolist()}))


def xgboost_binary(path):
    import json

    import xgboost

    rows, kinds = flowers()
    model = xgboost.train({"objective": "binary:logistic", "max_depth": 2, "seed": 1}, xgboost.DMatrix(rows, kinds == 2), 10)
    model.save_model(path)
    proba = model.predict(xgboost.DMatrix(rows[::10]))
    print(json.dumps({"rows": rows[::10].tolist(), "predict": (proba > 0.5).astype(int).tolist(), "proba": [[1 - one, one] for one in proba.tolist()]}))


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
