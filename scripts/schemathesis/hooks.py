"""Values that a schema can name but not describe."""
import schemathesis
from hypothesis import strategies as st

# A callback_url is any https URL that parses; its pattern alone would allow "https://" and a space.
schemathesis.openapi.format("https-url", st.from_regex(r"https://[a-z]{1,20}\.example/[a-z0-9]{0,20}", fullmatch=True))
# A domain has labels that may be registered, in any script: what IDNA forbids no pattern can say.
schemathesis.openapi.format("idn-hostname", st.from_regex(r"[a-zäöüßéøαбд日本]{1,20}(\.[a-z]{1,10}){1,3}", fullmatch=True))
