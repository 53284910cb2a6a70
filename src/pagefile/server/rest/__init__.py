"""REST: what an application does with the memory of one user, over HTTP. One module for each kind of thing."""

from pagefile.server.rest.routes import router

__all__ = ["router"]
