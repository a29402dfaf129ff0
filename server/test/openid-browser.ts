// A browser that signs in at a provider: it follows redirects, keeps cookies by host, and presses what a page presses by itself.
import type { TestProvider } from './openid-provider.ts';

/** Where the provider sends browsers back to; the test's service stands for it. */
export const PUBLIC_URL = 'https://mxproof.example';
export const REDIRECT_URI = `${PUBLIC_URL}/sign-in/openid/callback`;
const HTML = { accept: 'text/html' };

export interface Redeemed {
  readonly status: number;
  readonly cookie: string;
  readonly json: { readonly proof?: string; readonly error?: string };
}

export function openBrowser(port: number, provider: TestProvider) {
  const origin = `http://127.0.0.1:${port}`;
  /** Of the service. */
  const cookies = new Map<string, string>();
  const own = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...HTML, ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };

  const browser = {
    cookies,
    get: (path: string) => own(`${origin}${path}`),
    /** Where it is sent. As from a link of our own page, unless `headers` say otherwise. */
    async begin(
      path = '/sign-in/openid',
      headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
    ): Promise<URL> {
      const answer = await own(`${origin}${path}`, { headers });
      if (answer.status !== 302) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return new URL(answer.headers.get('location')!, origin);
    },
    /** Signs in there; returns the query with which the browser is sent back. */
    async signInAt(url: URL): Promise<URLSearchParams> {
      const theirs = new Map<string, string>();
      let at = url;
      for (let hops = 0; hops < 10; hops += 1) {
        if (at.href.startsWith(REDIRECT_URI)) return at.searchParams;
        if (at.origin !== provider.issuer) throw new Error(`sent to ${at.origin}`);
        const cookie = [...theirs].map((pair) => pair.join('=')).join('; ');
        const answer = await fetch(at, { headers: { cookie }, redirect: 'manual' });
        for (const set of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          theirs.set(name, value);
        }
        const location = answer.headers.get('location');
        if (location === null)
          throw new Error(`${at.pathname} answered ${answer.status}: ${await answer.text()}`);
        at = new URL(location, at);
      }
      throw new Error('too many redirects');
    },
    comeBack: (query: URLSearchParams | string) => own(`${origin}/sign-in/openid/callback?${query}`),
    /** What the page does that it came back to. */
    async redeem(page: Response | string, headers: Record<string, string> = { origin }): Promise<Redeemed> {
      const html = typeof page === 'string' ? page : await page.text();
      const [, path] = /<button autofocus value="([^"]+)">/.exec(html) ?? [];
      if (path === undefined) throw new Error(`no page that signs in: ${sentenceOf(html)}`);
      const answer = await own(`${origin}${path}`, { method: 'POST', headers });
      const cookie =
        answer.headers.getSetCookie().find((set) => /^mxproof_(session|operator)=/.test(set)) ?? '';
      const json = (await answer.json()) as Redeemed['json'];
      return { status: answer.status, cookie: cookie.split(';')[0]!, json };
    },
    async signIn(path?: string): Promise<Redeemed> {
      return browser.redeem(await browser.comeBack(await browser.signInAt(await browser.begin(path))));
    },
  };
  return browser;
}

/** Of a page that says why nobody was signed in. */
export function sentenceOf(html: string): string {
  return /<h1>Not signed in<\/h1>\s*<p>([^<]*)<\/p>/.exec(html)?.[1] ?? html;
}
