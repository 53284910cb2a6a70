"""Builds the network of multilingual-e5-small for onnxruntime, with 8-bit arithmetic, from the 4-bit weight file.

One text at a time, all of its tokens real: no padding, no mask, and a text's vector never depends on what was embedded beside it.
Three choices, each measured against the float computation with the same weights (mean cosine over 300 English and Chinese texts):

- ``DynamicQuantizeMatMul`` takes under half of the time of the 4-bit ``MatMulNBits``, but scales a whole activation matrix at once. In
  this model one inner neuron of most layers gives 5 to 70 where the others stay under 5 ("massive activations", Sun et al. 2024), so
  that one runs in 32 bits beside the others (as in LLM.int8(), Dettmers et al. 2022): cosine .9988, without it .9960.
- Weights use 7 of the 8 bits: older processors add pairs of products in 16 bits, which 8-bit weights overflow. It costs .0003.
- Operators come ready fused (attention, product + bias), so the session needs no time for optimising the graph. Two fusions are left
  out: ``BiasGelu`` and ``SkipLayerNormalization`` take two to four times as long as their parts, and together 17 % of the whole.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pagefile.embedders.e5_weights import EPSILON, HEADS, INNER, LAYERS, WIDTH, E5Weights, Floats

_FUSED = "com.microsoft"
_WEIGHT_LIMIT = 63


def e5_graph(weights: E5Weights) -> bytes:
    """An ONNX model: ``tokens`` (1, tokens, 384) → ``text`` (1, 384), the mean over the tokens, not normalised."""
    graph = _Graph()
    x = graph.add("LayerNormalization", ["tokens", *_norm(graph, weights, "emb.ln")], epsilon=EPSILON)
    for layer in range(LAYERS):
        x = _feed_forward(graph, weights, f"l{layer}", _attention(graph, weights, f"l{layer}", x))
    graph.add("ReduceMean", [x, graph.constant(np.array([1], dtype=np.int64))], output="text", keepdims=0)
    return graph.serialised()


def _attention(graph: _Graph, weights: E5Weights, layer: str, x: str) -> str:
    parts = [f"{layer}.{name}" for name in "qkv"]
    bias = np.concatenate([weights.floats(f"{part}.b") for part in parts])
    joined = graph.product(x, np.concatenate([weights.matrix(f"{part}.w", WIDTH) for part in parts]), bias)
    names = [f"{part}.out" for part in parts]
    graph.add("Split", [joined], output=names, axis=-1, num_outputs=3)
    attended = graph.add("MultiHeadAttention", names, domain=_FUSED, num_heads=HEADS)
    out = graph.product(attended, weights.matrix(f"{layer}.ao.w", WIDTH), weights.floats(f"{layer}.ao.b"))
    return _add_and_norm(graph, weights, out, x, norm=f"{layer}.aln")


def _feed_forward(graph: _Graph, weights: E5Weights, layer: str, x: str) -> str:
    up, bias, down = weights.matrix(f"{layer}.fi.w", INNER), weights.floats(f"{layer}.fi.b"), weights.matrix(f"{layer}.fo.w", WIDTH)
    # Where a neuron's output is massive, its outgoing weights are too; so it can be told without running the network.
    loud = int(np.abs(down).max(axis=0).argmax())
    alone = graph.add("MatMul", [x, graph.constant(up[loud : loud + 1].T)])
    alone = graph.add("BiasGelu", [alone, graph.constant(bias[loud : loud + 1])], domain=_FUSED)
    alone = graph.add("MatMul", [alone, graph.constant(down[:, loud : loud + 1].T)])
    up, bias, down = np.delete(up, loud, axis=0), np.delete(bias, loud), np.delete(down, loud, axis=1)
    inner = graph.add("Gelu", [graph.product(x, up, bias)], domain=_FUSED)
    out = graph.add("Add", [graph.product(inner, down, weights.floats(f"{layer}.fo.b")), alone])
    return _add_and_norm(graph, weights, out, x, norm=f"{layer}.oln")


def _add_and_norm(graph: _Graph, weights: E5Weights, out: str, x: str, *, norm: str) -> str:
    return graph.add("LayerNormalization", [graph.add("Add", [out, x]), *_norm(graph, weights, norm)], epsilon=EPSILON)


def _norm(graph: _Graph, weights: E5Weights, name: str) -> list[str]:
    return [graph.constant(weights.floats(f"{name}.{part}")) for part in "wb"]


class _Graph:
    """Collects operators and constants, and names what is between them."""

    def __init__(self) -> None:
        # 0.15 s of import time, so only when a model is loaded.
        from onnx import TensorProto, helper, numpy_helper  # noqa: PLC0415

        self._types, self._helper, self._arrays = TensorProto, helper, numpy_helper
        self._operators: list[Any] = []
        self._constants: list[Any] = []

    def add(self, operator: str, inputs: list[str], *, output: str | list[str] | None = None, domain: str = "", **attributes: Any) -> str:
        outputs = [output or f"x{len(self._operators)}"] if not isinstance(output, list) else output
        self._operators.append(self._helper.make_node(operator, inputs, outputs, domain=domain, **attributes))
        return outputs[0]

    def constant(self, array: NDArray[Any]) -> str:
        name = f"c{len(self._constants)}"
        self._constants.append(self._arrays.from_array(np.ascontiguousarray(array), name))
        return name

    def product(self, x: str, matrix: Floats, bias: Floats) -> str:
        """x · matrixᵀ + bias in 8 bits, with a scale for each row of the matrix."""
        scales = np.abs(matrix).max(axis=1) / _WEIGHT_LIMIT
        whole = np.rint(matrix / scales[:, None]).astype(np.int8)
        # Without a zero point: the weights lie evenly about it.
        inputs = [x, self.constant(whole.T), self.constant(scales), "", self.constant(bias)]
        return self.add("DynamicQuantizeMatMul", inputs, domain=_FUSED)

    def serialised(self) -> bytes:
        make = self._helper
        inputs = [make.make_tensor_value_info("tokens", self._types.FLOAT, [1, "tokens", WIDTH])]
        outputs = [make.make_tensor_value_info("text", self._types.FLOAT, [1, WIDTH])]
        graph = make.make_graph(self._operators, "multilingual-e5-small", inputs, outputs, self._constants)
        versions = [make.make_opsetid("", 18), make.make_opsetid(_FUSED, 1)]
        return bytes(make.make_model(graph, opset_imports=versions, ir_version=9).SerializeToString())
