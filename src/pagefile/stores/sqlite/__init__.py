"""The store on one SQLite file."""

from pagefile.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
