"""Opens a network in onnxruntime, set up for one text at a time and for many threads."""

from __future__ import annotations

from typing import Any

from pagefile.errors import EmbedderError

INSTALL = 'install what is missing with: pip install "pagefile[local]"'


def open_session(model: bytes | str, *, fused: bool) -> Any:
    """An ``InferenceSession`` of a serialised model or of a file. ``fused``: its operators need no further optimising.

    It computes on the thread that calls it, so callers decide how many run at once, and no thread of its own is lost in a fork.
    """
    try:
        import onnxruntime  # noqa: PLC0415  # heavy, so only when a model is loaded
    except ImportError as error:
        raise EmbedderError(f"the local embedder needs the package onnxruntime ({error}); {INSTALL}") from error
    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    # Every text has another length: plans and buffers kept for each of them would only grow.
    options.enable_mem_pattern = options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    levels = onnxruntime.GraphOptimizationLevel
    options.graph_optimization_level = levels.ORT_DISABLE_ALL if fused else levels.ORT_ENABLE_ALL
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's errors have no common class below Exception
        what = model if isinstance(model, str) else "the network of multilingual-e5-small"
        raise EmbedderError(f"onnxruntime {onnxruntime.__version__} cannot open {what}: {error}") from error
