// Every command of the operator on a real store: what changes something is one row of the audit trail, by the user who ran it.
import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFakeChecker } from '../../../server/test/fake-checker.ts';
import { startTestService, type TestService } from '../../../server/test/service.ts';
import { COMMANDS } from '../commands.ts';
import { run } from '../main.ts';

let s: TestService;
const folder = mkdtempSync(join(tmpdir(), 'mxproof-audited-'));
const { env } = process;

beforeAll(async () => {
  s = await startTestService();
  process.env = {
    PATH: env.PATH,
    HOME: folder,
    DATABASE_URL: s.url,
    MXPROOF_DATA_DIR: folder,
    MXPROOF_SECRET_KEY: 'test',
    MXPROOF_SECRET_KEY_NEXT: 'another one',
  };
});
afterAll(async () => {
  process.env = env;
  await s.close();
  rmSync(folder, { recursive: true, force: true });
});

/** In this order, with what is in the trail afterwards. A word in capitals stands for an id or a path. */
const WALK: readonly (readonly [line: string, actions: readonly string[] | null])[] = [
  ['account create --name first --credits 5 --note opening --external-id c-1', ['account.created']],
  ['account rename ACCOUNT other', ['account.changed']],
  [
    'account set ACCOUNT --rate-requests 5 --monthly-credits 9 --outcomes on --mail a@b.org',
    ['account.changed'],
  ],
  ['account set ACCOUNT', []],
  ['account set ACCOUNT --rate-requests 5', []],
  ['account suspend ACCOUNT', ['account.changed']],
  ['account suspend ACCOUNT', []],
  ['account resume ACCOUNT', ['account.changed']],
  ['account list --search other', []],
  ['account show ACCOUNT', []],
  ['account link ACCOUNT', ['link.created']],
  ['account sign-out ACCOUNT', ['sessions.ended']],
  ['credits add ACCOUNT 10 --idempotency-key one', ['credits.changed']],
  ['credits add ACCOUNT 10 --idempotency-key one', []],
  ['credits take ACCOUNT 3', ['credits.changed']],
  ['key create ACCOUNT --label form', ['key.created']],
  ['key list ACCOUNT', []],
  ['key revoke KEY', ['key.revoked']],
  ['secret rotate ACCOUNT', ['webhook_secret.replaced']],
  ['ledger verify', []],
  ['list ls --any', []],
  ['list show LIST --any', []],
  ['list cancel LIST --any', ['list.cancelled']],
  ['callback list', []],
  ['callback show DONE', []],
  ['callback resend DONE', ['callback.resent']],
  ['sources', []],
  ['sources rest own google --hours 1', ['source.rested']],
  ['sources resume own google', ['source.resumed']],
  ['admin link', ['operator.link_created']],
  ['admin sign-out', ['operators.signed_out']],
  ['admin key create --scope read', ['admin_key.created']],
  ['admin key list', []],
  ['admin key revoke 1', ['admin_key.revoked']],
  ['audit', []],
  ['audit --ndjson', ['audit.exported']],
  ['erase ann@example.com --yes', ['address.erased']],
  ['nodes', []],
  ['alerts', []],
  ['config', []],
  ['migrate', []],
  ['backup BACKUP', ['store.backed_up']],
  ['backup verify BACKUP', []],
  ['reapply FOLDER', ['store.reapplied']],
  ['account delete ACCOUNT --yes', ['account.deleted']],
  ['secret-key rotate --progress', []],
  ['secret-key rotate', ['secret_key.rotated']],
  // One for the key, and one in the trail of each account: there is one left.
  ['secret rotate-all', ['secret_key.rotated', 'webhook_secret.replaced']],
];

/** Of these no store is changed, or only the machine's, or one that is empty. */
const NOT_WALKED = ['doctor', 'alerts test', 'restore'];
const HEADINGS = Object.entries(COMMANDS).filter(([heading]) => heading.includes('(operator)'));
const MAINTAINING = COMMANDS['Running the service']!.filter(
  ({ name }) => !/^(serve|work|demo|healthcheck|service)/.test(name),
);

test('no command of the operator is left out', () => {
  const names = [...HEADINGS.flatMap(([, specs]) => specs), ...MAINTAINING].map(({ name }) => name);
  const walked = WALK.map(([line]) => line);
  const missing = names.filter(
    (name) =>
      !NOT_WALKED.includes(name) && !walked.some((line) => line === name || line.startsWith(`${name} `)),
  );
  expect(missing).toEqual([]);
});

/** As `mxproof` does, without a process of its own; what it prints. */
async function mxproof(...args: string[]): Promise<string> {
  const out: string[] = [];
  const err: string[] = [];
  const into = (said: string[]) => (text: unknown) => said.push(String(text)) > 0;
  const writing = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(into(err)),
  ];
  const io = {
    stdin: (async function* () {})(),
    stdout: () => {},
    stderr: into(err),
  };
  try {
    expect(await run(args, io), `${args.join(' ')}\n${err.join('')}`).toBe(0);
  } finally {
    for (const each of writing) each.mockRestore();
  }
  return out.join('');
}

test('each change is one row of the trail, by the user who made it; what only looks is none', async () => {
  const done = await s.submit(['bob@example.com'], { callbackUrl: 'https://example.com/hook' });
  const node = await s.node(createFakeChecker());
  await s.done(done.id);
  await node.stop();
  await s.db.query("UPDATE mxproof.callbacks SET state = 'failed', next_attempt_at = NULL");
  const list = await s.submit(['ann@example.com']);
  const words: Record<string, string> = {
    LIST: `${list.id}`,
    DONE: `${done.id}`,
    FOLDER: folder,
    BACKUP: join(folder, 'own'),
  };
  const by = { actor: 'command', name: userInfo().username, client: hostname() };
  const after = async (id: number) =>
    s.db.query<{ id: number; action: string; actor: string; name: string; client: string }>(
      'SELECT id, action, actor, actor_name AS name, client FROM mxproof.audit WHERE id > $1 ORDER BY id',
      [id],
    );
  let last = (await after(0)).at(-1)?.id ?? 0;
  for (const [line, actions] of WALK) {
    const args = line.split(' ').map((word) => words[word] ?? word);
    const printed = await mxproof(...args, ...(line.includes('--ndjson') ? [] : ['--json']));
    if (line.startsWith('account create')) words.ACCOUNT = String(JSON.parse(printed).account_id);
    if (line.startsWith('key create')) words.KEY = String(JSON.parse(printed).key_id);
    const rows = await after(last);
    last = rows.at(-1)?.id ?? last;
    expect(
      rows.map(({ action }) => action),
      line,
    ).toEqual(actions);
    for (const { actor, name, client } of rows) expect({ actor, name, client }, line).toEqual(by);
  }
});
