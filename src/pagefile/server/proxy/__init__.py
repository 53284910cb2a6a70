"""The OpenAI-compatible proxy: requests pass unchanged to the endpoint and back, and what is said in them is remembered."""

from pagefile.server.proxy.router import router
from pagefile.server.proxy.upstream import open_upstream

__all__ = ["open_upstream", "router"]
