// The first program of a reader, with this service's address in it. Promise: the key is a placeholder, never a real one.
export const LANGUAGES = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface CodeSample {
  /** As it calls itself. */
  readonly name: string;
  /** What installs its client, which is on no registry; null: there is none. */
  readonly install: string | null;
  readonly source: string;
}

export function codeSamples(origin: string, isTest: boolean): Readonly<Record<Language, CodeSample>> {
  const key = isTest ? 'mx_test_YOUR_KEY' : 'mx_live_YOUR_KEY';
  return {
    curl: {
      name: 'curl',
      install: null,
      source: `curl ${origin}/v1/verify \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"email": "anna@example.com"}'`,
    },
    typescript: {
      name: 'TypeScript',
      install: `npm run pack -- /tmp/mxproof                    # in the checkout
npm install /tmp/mxproof/mxproof-client-*.tgz   # in your project`,
      source: `import { MXProof } from '@mxproof/client';

const mx = new MXProof({
  baseUrl: '${origin}',
  apiKey: '${key}',
});

const { state, reason } = await mx.verify('anna@example.com');
console.log(state, reason);`,
    },
    python: {
      name: 'Python',
      install: 'pip install ./clients/python   # in the checkout',
      source: `from mxproof import MXProof

mx = MXProof(
    base_url="${origin}",
    api_key="${key}",
)

checked = mx.verify("anna@example.com")
print(checked.state, checked.reason)`,
    },
  };
}
