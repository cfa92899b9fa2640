"""Makes values that the OpenAPI document can only describe in words, for the phase that makes up requests."""

import uuid
from datetime import datetime, timedelta, timezone

import schemathesis
from hypothesis import strategies as st

names = st.from_regex(r"[a-z]{1,10}", fullmatch=True)
paths = st.from_regex(r"(/[a-zA-Z0-9_.~-]{0,20}){0,4}(\?[a-z]{1,5}=[a-z0-9%+-]{0,10})?", fullmatch=True)
pages = st.builds("https://{}.example{}".format, names, paths)
apps = st.builds("android-app://com.{}".format, names)

addresses = st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str)
schemathesis.openapi.format("ip", addresses)
schemathesis.openapi.format("iri", pages)
# A record may only have happened in the last hours.
recent = st.integers(0, 24 * 3600).map(
    lambda seconds: (datetime.now(timezone.utc) - timedelta(seconds=seconds)).isoformat(timespec="milliseconds")
)
schemathesis.openapi.format("date-time", recent)
schemathesis.openapi.format("iri-reference", st.one_of(st.just(""), pages, apps))


@schemathesis.hook
def map_headers(context, headers):
    """Each record needs its own key: one that was used for another record is refused."""
    if headers and "Idempotency-Key" in headers:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    return headers
