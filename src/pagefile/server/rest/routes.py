"""All routes under ``/api/v1``, and the page that explains them."""

from __future__ import annotations

from fastapi import APIRouter

import pagefile.server.events as events
import pagefile.server.rest.blocks as blocks
import pagefile.server.rest.changes as changes
import pagefile.server.rest.chat as chat
import pagefile.server.rest.context as context
import pagefile.server.rest.entities as entities
import pagefile.server.rest.messages as messages
import pagefile.server.rest.page as page
import pagefile.server.rest.records as records
import pagefile.server.rest.sessions as sessions
import pagefile.server.rest.tasks as tasks
import pagefile.server.rest.transfer as transfer
import pagefile.server.rest.usage as usage

router = APIRouter()
for _part in (messages, records, entities, changes, events, blocks, tasks, sessions, context, chat, transfer, usage):
    router.routes.extend(_part.router.routes)
router.routes.extend(page.router.routes)
