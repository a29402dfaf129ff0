// Code samples of the main operations, shown by the API reference (x-codeSamples).
// Promise: each is a whole program that runs as it stands, with MXPROOF_URL and MXPROOF_API_KEY set; tests run them, those in
// Python the Python client's own.

interface CodeSample {
  readonly lang: 'Shell' | 'TypeScript' | 'Python';
  readonly label: string;
  readonly source: string;
}

interface Call {
  /** What follows the URL on curl's line, and its path. */
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
}

const CALLS: Readonly<Record<string, Call>> = {
  verifyAddress: {
    curl: '"$MXPROOF_URL/v1/verify" --json \'{"email": "anna@example.com"}\'',
    typescript: `const { state, reason } = await mx.verify('anna@example.com');
console.log(state, reason);`,
    python: `checked = mx.verify("anna@example.com")
print(checked.state, checked.reason)`,
  },
  createList: {
    curl: '"$MXPROOF_URL/v1/lists" --json \'{"name": "newsletter", "emails": ["anna@example.com", "ben@example.org"]}\'',
    typescript: `const list = await mx.lists.create({ name: 'newsletter', emails: ['anna@example.com', 'ben@example.org'] });
console.log(list.id, list.total);`,
    python: `made = mx.lists.create(["anna@example.com", "ben@example.org"], name="newsletter")
print(made.id, made.total)`,
  },
  getList: {
    curl: '"$MXPROOF_URL/v1/lists/1"',
    typescript: `const list = await mx.lists.get(1);
console.log(list.status, list.checked, list.total);`,
    python: `found = mx.lists.get(1)
print(found.status, found.checked, found.total)`,
  },
  getResults: {
    curl: '"$MXPROOF_URL/v1/lists/1/results?limit=1000"',
    typescript: `for await (const row of mx.lists.results(1)) console.log(row.email, row.state, row.reason);`,
    python: `for row in mx.lists.results(1):
    print(row.email, row.state, row.reason)`,
  },
  getAccount: {
    curl: '"$MXPROOF_URL/v1/account"',
    typescript: `const { credits } = await mx.account.get();
console.log(credits);`,
    python: `print(mx.account.get().credits)`,
  },
};

/** Undefined where the reference's own, made from the schemas, are enough. */
export function codeSamples(operationId: string): CodeSample[] | undefined {
  const call = CALLS[operationId];
  if (!call) return undefined;
  return [
    { lang: 'Shell', label: 'curl', source: curl(call.curl) },
    { lang: 'TypeScript', label: 'TypeScript', source: typescript(call.typescript) },
    { lang: 'Python', label: 'Python', source: python(call.python) },
  ];
}

const curl = (rest: string) => `curl -sS --fail-with-body -H "Authorization: Bearer $MXPROOF_API_KEY" \\
  ${rest}`;

const typescript = (body: string) => `import { MXProof } from '@mxproof/client';

const mx = new MXProof(); // reads MXPROOF_URL and MXPROOF_API_KEY
${body}`;

const python = (body: string) => `from mxproof import MXProof

mx = MXProof()  # reads MXPROOF_URL and MXPROOF_API_KEY
${body}`;
