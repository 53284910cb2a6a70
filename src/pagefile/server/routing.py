"""The router of one part of the API: what every route under ``/api/v1`` has in common."""

from __future__ import annotations

from fastapi import APIRouter, Depends
from fastapi.routing import APIRoute

from pagefile.server.idempotency import OnceRoute
from pagefile.server.parameters import only_known_parameters
from pagefile.server.problems import RESPONSES

PREFIX = "/api/v1"


def _name(route: APIRoute) -> str:
    """What generated clients call a route."""
    return route.name


def api_router(tag: str, *, route_class: type[APIRoute] = OnceRoute) -> APIRouter:
    """A router whose routes can be taken over as they are: one that is included makes all its models a second time."""
    return APIRouter(
        prefix=PREFIX,
        tags=[tag],
        route_class=route_class,
        responses=RESPONSES,
        dependencies=[Depends(only_known_parameters)],
        generate_unique_id_function=_name,
    )
