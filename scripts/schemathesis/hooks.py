"""Values that a schema can name but not describe."""
import json

import schemathesis
from hypothesis import strategies as st

# A callback_url is any https URL that parses; its pattern alone would allow "https://" and a space.
schemathesis.openapi.format("https-url", st.from_regex(r"https://[a-z]{1,20}\.example/[a-z0-9]{0,20}", fullmatch=True))
# One mailbox, as mail is written to it.
schemathesis.openapi.format("mailbox", st.from_regex(r"[a-z]{1,20}@[a-z]{1,20}\.example", fullmatch=True))
# A domain has labels that may be registered, in any script: what IDNA forbids no pattern can say.
schemathesis.openapi.format("idn-hostname", st.from_regex(r"[a-zäöüßéøαбд日本]{1,20}(\.[a-z]{1,10}){1,3}", fullmatch=True))

# Files of outcomes, which a schema of text cannot describe.
outcome_emails = st.from_regex(r"[a-z]{1,20}@[a-z]{1,20}\.example", fullmatch=True)
outcome_words = st.sampled_from(["delivered", "bounced", "complained"])
outcome_rows = st.lists(st.tuples(outcome_emails, outcome_words), min_size=1, max_size=5)


def in_csv(rows):
    return "".join(f"{row}\r\n" for row in ["email,outcome", *(",".join(row) for row in rows)]).encode()


def in_ndjson(rows):
    return "".join(json.dumps({"email": email, "outcome": outcome}) + "\n" for email, outcome in rows).encode()


schemathesis.openapi.media_type("text/csv", outcome_rows.map(in_csv))
schemathesis.openapi.media_type("application/x-ndjson", outcome_rows.map(in_ndjson))


@schemathesis.serializer("text/csv", "application/x-ndjson")
def as_it_is(_context, value):
    """What the document does not describe may be anything."""
    if isinstance(value, bytes):
        return value
    return (value if isinstance(value, str) else json.dumps(value)).encode()


@schemathesis.hook
def before_load_schema(_context, schema):
    """Where values are generated, schemathesis takes examples as bytes alone, which a JSON document cannot hold."""
    outcomes = schema["paths"].get("/v1/outcomes")
    if outcomes is None:
        return
    content = outcomes["post"]["requestBody"]["content"]
    for media_type in ("text/csv", "application/x-ndjson"):
        content[media_type].pop("example", None)
        content[media_type].pop("examples", None)
        content[media_type]["schema"].pop("examples", None)
