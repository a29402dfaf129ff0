// The programs of /llms.txt. Promise: each runs as it stands with MXPROOF_URL and MXPROOF_API_KEY set; cli/src/llms-text.test.ts runs
// those of the shell and TypeScript, clients/python/tests/test_guides.py those in Python.

export const CHECK_ONE = `\`\`\`sh
curl -sS --fail-with-body "$MXPROOF_URL/v1/verify?include=detail,suggestion" \\
  -H "Authorization: Bearer $MXPROOF_API_KEY" -H 'Prefer: wait=5' --json '{"email": "ann@example.com"}'
\`\`\`

\`\`\`json
{"email": "ann@example.com", "state": "deliverable", "reason": "accepted_email", "score": 100, "accept_all": false,
 "role": false, "free": false, "disposable": false, "mx": "mx.mxproof.test", "detail": "accepted", "suggestion": null}
\`\`\``;

export const CHECK_MANY = `\`\`\`sh
auth="Authorization: Bearer $MXPROOF_API_KEY"
id=$(curl -sS --fail-with-body "$MXPROOF_URL/v1/lists" -H "$auth" -H "Idempotency-Key: import-$(date +%s)" \\
  --json '{"emails": ["ann@example.com", "rejected-email@example.com"], "name": "spring"}' | grep -o '"id":[0-9]*' | cut -d: -f2)
curl -sSN --fail-with-body "$MXPROOF_URL/v1/lists/$id/events" -H "$auth"
curl -sS --fail-with-body "$MXPROOF_URL/v1/lists/$id/results?offset=0&limit=10000" -H "$auth"
\`\`\``;

export const TYPESCRIPT = `\`\`\`ts
import { InsufficientCredits, MXProof, Refusal } from '@mxproof/client';

const mx = new MXProof();
try {
  const one = await mx.verify('ann@example.com', { include: ['detail', 'suggestion'] });
  console.log(one.state, one.reason, one.detail); // deliverable accepted_email accepted

  const list = await mx.lists.create({ emails: ['ann@example.com', 'rejected-email@example.com'], name: 'spring' });
  await mx.lists.wait(list.id);
  for await (const row of mx.lists.results(list.id)) console.log(row.email, row.state, row.reason);
} catch (error) {
  if (error instanceof InsufficientCredits) console.error(\`\${error.needed} credits needed\`);
  else if (error instanceof Refusal) console.error(error.status, error.kind, error.message, error.requestId);
  throw error;
}
\`\`\``;

export const PYTHON = `\`\`\`python
from mxproof import InsufficientCredits, MXProof, Refusal

with MXProof() as mx:
    try:
        one = mx.verify("ann@example.com", include=["detail", "suggestion"])
        print(one.state, one.reason, one.detail)  # deliverable accepted_email accepted

        made = mx.lists.create(["ann@example.com", "rejected-email@example.com"], name="spring")
        mx.lists.wait(made.id)
        for row in mx.lists.results(made.id):
            print(row.email, row.state, row.reason)
    except InsufficientCredits as error:
        raise SystemExit(f"{error.needed} credits needed") from error
    except Refusal as error:
        raise SystemExit(f"{error.status} {error.kind}: {error} ({error.request_id})") from error
\`\`\``;
