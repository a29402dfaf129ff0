// What another page, another account or an old cookie can do with a user's session: nothing.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { closePage, type Rig } from '../rig.ts';

export function theft(rig: () => Rig): void {
  test('a page of another origin, whose requests carry the cookie, reads nothing, changes nothing and frames nothing', async () => {
    const list = (await (
      await rig().call(rig().first, 'POST', '/lists', { emails: ['not an address'] })
    ).json()) as {
      id: number;
    };
    // Another port is the same site: the browser sends the cookie along.
    const server = createServer((_, response) =>
      response.setHeader('content-type', 'text/html').end(`<!doctype html><title>another</title>`),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await rig().open(rig().first);
    try {
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const tried = await page.evaluate(
        async ([url, id]) => {
          const credentials = 'include' as const;
          const tries = [
            () => fetch(`${url}/v1/account`, { credentials }),
            () => fetch(`${url}/v1/lists/${id}`, { credentials, method: 'DELETE' }),
            () =>
              fetch(`${url}/v1/lists/${id}`, {
                credentials,
                method: 'DELETE',
                headers: { 'x-mxproof-console': '1' },
              }),
            () => fetch(`${url}/session`, { credentials, method: 'POST', mode: 'no-cors', body: '{}' }),
          ];
          const seen: string[] = [];
          for (const one of tries)
            seen.push(
              await one().then(
                (answer) => `${answer.type}:${answer.status}`,
                () => 'blocked',
              ),
            );
          const frame = document.createElement('iframe');
          frame.src = `${url}/`;
          document.body.append(frame);
          await new Promise((done) => frame.addEventListener('load', done, { once: true }));
          seen.push(frame.contentDocument === null ? 'blocked' : 'framed');
          return seen;
        },
        [rig().url, list.id] as const,
      );
      expect(tried).toEqual(['blocked', 'blocked', 'blocked', 'opaque:0', 'blocked']);
      expect((await rig().call(rig().first, 'GET', `/lists/${list.id}`)).status).toBe(200);
    } finally {
      await page.context().close();
      server.close().closeAllConnections();
      await once(server, 'close');
    }
  });

  test('a request of the console’s own origin without its header changes nothing', async () => {
    const page = await rig().open(rig().first);
    await page.goto('/');
    const statuses = await page.evaluate(async () => {
      const ask = (headers: Record<string, string>) =>
        fetch('/v1/verify', { method: 'POST', headers, body: '{"email":"not an address"}' }).then(
          (one) => one.status,
        );
      const proof = { 'mxproof-session-proof': localStorage.getItem('mxproof-session-proof')! };
      const own = { 'x-mxproof-console': '1' };
      return [await ask(proof), await ask(own), await ask({ ...own, ...proof })];
    });
    expect(statuses).toEqual([403, 401, 200]);
    await closePage(page);
  });

  test('a cookie that was copied before signing out is worth nothing afterwards', async () => {
    const account = await rig().openAccount(5);
    const page = await rig().open(account);
    await page.goto('/');
    await page.getByRole('textbox', { name: 'Address' }).waitFor();
    const stolen = await page.context().cookies();
    const signedOut = await page.evaluate(async () => {
      const proof = localStorage.getItem('mxproof-session-proof')!;
      const headers = { 'x-mxproof-console': '1', 'mxproof-session-proof': proof };
      return (await fetch('/session', { method: 'DELETE', headers })).status;
    });
    expect(signedOut).toBe(200);
    await page.context().addCookies(stolen);
    await page.goto('/account');
    await page.getByRole('textbox', { name: 'API key' }).waitFor();
    await closePage(page);
  });

  test('another port of the host, which is sent the cookie, makes no key with it and plants none of its own', async () => {
    const [mine, thief] = [rig().first, await rig().openAccount(5)];
    const thiefsPage = await rig().open(thief);
    const cookies = await thiefsPage.context().cookies();
    const planted = cookies.find(({ name }) => name === 'mxproof_session')!.value;
    await closePage(thiefsPage);
    let seen = '';
    const server = createServer((request, response) => {
      seen = request.headers.cookie ?? '';
      response
        .setHeader('set-cookie', `mxproof_session=${planted}; Path=/; HttpOnly; SameSite=Strict`)
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>another</title>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await rig().open(mine);
    const another = await page.context().newPage();
    try {
      await another.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(seen).toMatch(/mxproof_session=/);
      // A program of the thief's, which can say whatever a browser would.
      const made = await fetch(`${rig().url}/v1/keys`, {
        method: 'POST',
        headers: {
          cookie: seen,
          origin: rig().url,
          'sec-fetch-site': 'same-origin',
          'x-mxproof-console': '1',
        },
        body: JSON.stringify({ label: 'stolen', manage: true }),
      });
      expect(made.status).toBe(401);
      // The planted session is not this page's: it shows the sign-in, not the thief's account.
      await page.goto('/account');
      await page.getByRole('textbox', { name: 'API key' }).fill(mine.apiKey);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
      expect(await page.getByText('With 5').count()).toBe(0);
    } finally {
      server.close().closeAllConnections();
      await once(server, 'close');
    }
    await another.close();
    await closePage(page);
  });

  test('an account does not see another one’s lists, not even by their address', async () => {
    const [mine, other] = [rig().first, await rig().openAccount(5)];
    const list = (await (
      await rig().call(mine, 'POST', '/lists', { emails: ['ann@shop.example'], name: 'Only mine' })
    ).json()) as { id: number };
    const [page, stranger] = [await rig().open(mine), await rig().open(other)];
    await Promise.all([page.goto(`/lists/${list.id}`), stranger.goto(`/lists/${list.id}`)]);
    await page.getByRole('heading', { name: 'Only mine', level: 1 }).waitFor();
    await stranger.getByRole('heading', { name: 'List not found' }).waitFor();
    await stranger.getByRole('link', { name: 'Lists', exact: true }).click();
    await stranger.getByRole('heading', { name: 'No lists yet' }).waitFor();
    expect(await stranger.getByText('Only mine').count()).toBe(0);
    await closePage(page);
    await closePage(stranger);
  });
}
