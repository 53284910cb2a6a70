"""Who asks, and what they may do; and the dependencies by which a route says which right it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, cast

from fastapi import Depends, Query, Request

from pagefile.access import ApiKey, Right, speaks_for
from pagefile.errors import InputError, NotAllowed, NotFound
from pagefile.records import MAX_IDENTIFIER, Scope
from pagefile.scoped import AsyncScopedMemory
from pagefile.server.state import ServerState

#: Several rights, each of which is needed.
Rights: TypeAlias = tuple[Right, ...]
#: What shows or recalls what is kept, and changes it as well: no right includes another.
BOTH: Rights = ("read", "write")


def rights_in(right: Right | Rights) -> Rights:
    """One right or several as several."""
    return (right,) if isinstance(right, str) else right


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who asks, and what they may do."""

    #: None: on a loopback address without keys; may read, write and administer everything.
    key: ApiKey | None
    #: Whose memory is meant where neither the request nor a key names one: the settings' tenant and user.
    home: Scope = Scope("default", "me")

    def has(self, right: Right) -> bool:
        """Whether the caller has this right."""
        return self.key is None or right in self.key.rights

    def check(self, right: Right | Rights) -> None:
        """Raises NotAllowed, which names what is missing, if the key does not have the right, or each of several."""
        needed = rights_in(right)
        if self.key is not None and (missing := [one for one in needed if not self.has(one)]):
            has = ", ".join(sorted(self.key.rights)) or "none"
            lacks = f"the right {missing[0]}" if len(missing) == 1 else f"the rights {' and '.join(missing)}"
            raise NotAllowed(f"the key {self.key.id} may not do this: it needs {lacks}, the key has {has}; use another key")

    def scope(self, user: str | None, *, tenant: str | None = None, right: Right | Rights = "read") -> Scope:
        """The scope that is asked for, if the caller may use it so.

        ``user`` None: the key's own user, or without a key the settings' user. Raises NotAllowed (the key lacks a right), NotFound (the
        key may not name this tenant or user: the same whether there is one or not), InputError (no user named, or no name for one).
        """
        self.check(right)
        if self.key is None:
            return Scope(self.home.tenant if tenant is None else tenant, self.home.user if user is None else user)
        if user is None and self.key.user is None:
            raise InputError(f"the key {self.key.id} may speak for several users; name the one that is meant with the parameter user")
        asked = Scope(self.key.tenant if tenant is None else tenant, (self.key.user or "") if user is None else user)
        if not speaks_for(self.key, asked):
            raise NotFound("there is no such user here, or none that this key may name")
        return asked

    @property
    def tenant(self) -> str | None:
        """The only tenant the caller may know of; None: all of them."""
        return None if self.key is None else self.key.tenant


def state_of(request: Request) -> ServerState:
    """What the server was put together from."""
    return cast(ServerState, request.app.state.pagefile)


def caller_of(request: Request) -> Caller:
    """Who asks, as the authentication found out."""
    return cast(Caller, request.state.caller)


UserName: TypeAlias = Annotated[
    str | None,
    Query(
        description="Whose memory. Default: the key's own user; without keys, the server's user.",
        max_length=4 * MAX_IDENTIFIER,
        examples=["alice"],
    ),
]
TenantName: TypeAlias = Annotated[
    str | None,
    Query(description="The tenant. Default: the key's own; without keys, the server's.", max_length=4 * MAX_IDENTIFIER),
]


@dataclass(frozen=True)
class Scoped:
    """Gives a route the memory of the user whom the query names, if the caller has the right, or each of several."""

    right: Right | Rights

    async def __call__(self, request: Request, user: UserName = None, tenant: TenantName = None) -> AsyncScopedMemory:
        scope = caller_of(request).scope(user, tenant=tenant, right=self.right)
        request.state.scope = scope
        return state_of(request).memory.scope(scope.user, tenant=scope.tenant)


@dataclass(frozen=True)
class Needs:
    """Lets callers with this right into a route that finds out by itself whose memory is meant, or needs none."""

    right: Right | Rights

    async def __call__(self, request: Request) -> Caller:
        caller = caller_of(request)
        caller.check(self.right)
        return caller


#: For routes: the memory of the user whom the query names, to read, to write, or for what does both. A write may answer with the item
#: that it wrote; what shows more than that reads.
Reader: TypeAlias = Annotated[AsyncScopedMemory, Depends(Scoped("read"))]
Writer: TypeAlias = Annotated[AsyncScopedMemory, Depends(Scoped("write"))]
ReaderWriter: TypeAlias = Annotated[AsyncScopedMemory, Depends(Scoped(BOTH))]
#: For routes that name no user in the query: who asks, once their right is checked.
ReadCaller: TypeAlias = Annotated[Caller, Depends(Needs("read"))]
WriteCaller: TypeAlias = Annotated[Caller, Depends(Needs("write"))]
Admin: TypeAlias = Annotated[Caller, Depends(Needs("admin"))]
State: TypeAlias = Annotated[ServerState, Depends(state_of)]


def declared(route: Any) -> Scoped | Needs | None:
    """What a route of FastAPI says it needs, by its dependencies; None: it says nothing."""
    dependant = getattr(route, "dependant", None)
    waiting = [dependant] if dependant is not None else []
    while waiting:
        one = waiting.pop()
        if isinstance(one.call, Scoped | Needs):
            return one.call
        waiting += one.dependencies
    return None


def declared_right(route: Any) -> Right | Rights | None:
    """The right that a route of FastAPI needs, or all of them; None: it says none."""
    needed = declared(route)
    return needed.right if needed is not None else None
