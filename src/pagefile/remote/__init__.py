"""A memory on a server, used as if it were here."""

from pagefile.remote.memory import AsyncRemoteMemory, connect

__all__ = ["AsyncRemoteMemory", "connect"]
