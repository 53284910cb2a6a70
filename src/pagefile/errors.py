"""Every error Pagefile raises, as one tree.

    PagefileError
    ├── InputError                 what the caller gave cannot be used; nothing was changed
    │   ├── InvalidIdentifier      a tenant, user, session … id that is empty, too long or has control characters
    │   ├── NotFound               no such record, message, block or session in this scope
    │   ├── ConflictError          it exists already with other content, or was changed in between
    │   │   ├── StaleRevision      records were changed since they were read; decide again on what there is now
    │   │   ├── Erased             it was erased, and was not said again since; it is not stored again
    │   │   └── SessionBusy        another turn of this session goes on and on; nothing was said
    │   └── BlockFull              a block would pass its token limit; nothing was written
    ├── StoreError                 the store cannot do its work
    │   ├── StoreUnavailable       it cannot be opened or written: missing folder, read-only, disk full, locked
    │   ├── StoreCorrupt           the file is damaged or is no Pagefile store; it was left untouched
    │   └── StoreTooNew            written by a newer Pagefile; it was left untouched
    ├── ModelError                 a language model endpoint failed
    │   ├── ModelUnavailable       it cannot be reached, or kept failing after the retries
    │   └── ModelRefused           it answered with an error that a retry does not mend (4xx)
    │       └── ContextExceeded    the request is longer than the model's context window
    ├── EmbedderError              an embedder failed; texts stay findable by words
    │   └── InvalidVector          a vector that is all zero, not finite, or of the wrong size
    ├── SettingsError              a setting has a value that cannot be used
    ├── AccessError                who asks a server may not do it
    │   ├── NotAuthenticated       no key was given, or one that is not known, was revoked or has expired
    │   ├── NotAllowed             the key does not have the right
    │   └── TooMany                more requests a minute than are allowed
    └── ToolError                  a system call failed; the text is written for the model that made it

Each message says what was tried, what went wrong and what to do. Errors of the libraries underneath are translated at the
border (``raise … from error``) and never reach a caller by themselves.
"""

from __future__ import annotations


class PagefileError(Exception):
    """The base of every error of this package."""


class InputError(PagefileError, ValueError):
    """What the caller gave cannot be used. Nothing was changed."""


class InvalidIdentifier(InputError):
    """An identifier is empty, longer than 256 characters, or has control characters."""


class NotFound(InputError):
    """There is nothing under this id in this scope."""


class ConflictError(InputError):
    """It exists already with other content, or somebody else changed it in between."""


class StaleRevision(ConflictError):
    """Records of the scope were changed since the decision was made. Read them again and decide anew."""


class Erased(ConflictError):
    """The same was erased, and nobody said it again since. It is not stored again."""


class SessionBusy(ConflictError):
    """Another turn of the session, perhaps in another program, did not end while this one waited. Nothing was written."""


class BlockFull(InputError):
    """A block would pass its token limit. Nothing was written."""


class StoreError(PagefileError):
    """The store cannot do its work."""


class StoreUnavailable(StoreError):
    """The store cannot be opened or written."""


class StoreCorrupt(StoreError):
    """The file is damaged, or is not a Pagefile store. It was left untouched."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of Pagefile. It was left untouched."""


class ModelError(PagefileError):
    """A language model endpoint failed."""


class ModelUnavailable(ModelError):
    """The endpoint cannot be reached, or kept failing after the retries."""


class ModelRefused(ModelError):
    """The endpoint answered with an error that a retry does not mend."""


class ContextExceeded(ModelRefused):
    """The request is longer than the model's context window."""


class EmbedderError(PagefileError):
    """An embedder failed. Texts stay findable by words."""


class InvalidVector(EmbedderError):
    """A vector is all zero, not finite, or of the wrong size."""


class SettingsError(PagefileError):
    """A setting has a value that cannot be used."""


class AccessError(PagefileError):
    """Who asks a server may not do it. Nothing was changed."""


class NotAuthenticated(AccessError):
    """No key was given, or one that is not known, was revoked or has expired."""


class NotAllowed(AccessError):
    """The key does not have the right that this needs."""


class TooMany(AccessError):
    """More requests a minute than are allowed."""

    def __init__(self, message: str, *, retry_after: float = 1.0) -> None:
        super().__init__(message)
        #: Seconds until it is worth another try.
        self.retry_after = retry_after


class ToolError(PagefileError):
    """A system call failed. The message is written for the model that made the call."""
