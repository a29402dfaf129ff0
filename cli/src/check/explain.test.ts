import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../server/test/until.ts';
import { mxproof, onTerminal } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

/** A server that tries to clear the screen and to look like our own verdict. */
const HOSTILE = '220 \u001b[2J\u001b[32m\u009b1m✓ deliverable\u202e\u0007 ESMTP';
let service: CliService;

beforeAll(async () => {
  service = await startCliService({
    domains: {
      'shop.example': { host: {}, mailboxes: { known: ['ann', 'info'] } },
      'hostile.example': { host: { at: { banner: { reply: HOSTILE } } }, mailboxes: { known: ['ann'] } },
    },
  });
});
afterAll(() => service.close());

const EXPLAIN = ['check', '--explain', '--service'];
const explain = (...args: string[]) => mxproof([...EXPLAIN, ...args], service.shell);
const credits = async () => (await service.call('GET', '/account')).credits as number;

test('an address is explained: verdict, sentence, DNS, host and the dialogue line by line', async () => {
  const { status, stdout, stderr } = await explain('Bob@shop.example');
  expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
  expect(stdout).toMatch(
    /^✗ undeliverable {2}bob@shop\.example\n {4}The mail server says that this mailbox does not exist\.\n/,
  );
  expect(stdout).toMatch(/^ {4}detail: no_such_mailbox \(the mailbox does not exist\)$/m);
  expect(stdout).toMatch(/^ {4}DNS: .*mx\.shop\.example/m);
  expect(stdout).toMatch(/^ {4}server: mx\.shop\.example 127\.\S+.*, 1 attempt, checked 20/m);
  expect(stdout).toMatch(/ms ← 220 .*ms → RCPT TO:<bob@shop\.example>\n.*ms ← 550 /s);
  const good = await explain('ann@shop.example', '--json');
  expect(good.status).toBe(0);
  expect(JSON.parse(good.stdout)).toMatchObject({
    email: 'ann@shop.example',
    state: 'deliverable',
    evidence: {
      attempts: 1,
      detail: 'accepted',
      dialogue: expect.any(Array),
      explanation: expect.any(String),
    },
  });
});

test('an address of a list is explained without another credit', async () => {
  const emails = ['bobby@shop.example', 'bob@shop.example', 'ann@shop.example'];
  const { id } = await service.call('POST', '/lists', { emails });
  await until(async () => (await service.call('GET', `/lists/${id}`)).status === 'done');
  const before = await credits();
  const { stdout } = await explain('bob@shop.example', '--list', String(id), '--json');
  expect(JSON.parse(stdout)).toMatchObject({ email: 'bob@shop.example', evidence: { position: 1 } });
  expect(await explain('eve@shop.example', '--list', String(id))).toMatchObject({
    status: 1,
    stderr: `List ${id} has no address eve@shop.example.\n`,
  });
  const address = ['bob@shop.example', '--list', String(id)];
  const old = await mxproof(['explain', ...address], service.shell);
  expect(old).toEqual({
    ...(await mxproof(['check', '--explain', ...address], service.shell)),
    stderr: '"mxproof explain" is now "mxproof check --explain --service".\n',
  });
  expect(old).toMatchObject({ status: 1, stdout: expect.stringContaining('bob@shop.example') });
  expect(await credits()).toBe(before);
});

test.each([
  [['--service', 'ann@shop.example']],
  [['--explain', '--service']],
  [['--explain', '--service', 'ann@shop.example', 'bob@shop.example']],
  [['--explain', '--url', 'http://127.0.0.1:1', '--file', 'addresses.txt']],
  [['--explain', '--list', '1', '--syntax-only', 'ann@shop.example']],
])('a service explains one address and does nothing else: check %j is refused', async (args) => {
  expect(await mxproof(['check', ...args], service.shell)).toEqual({
    status: 2,
    stdout: '',
    stderr: '--service, --list and --url go with --explain and one address.\n',
  });
});

test('what a hostile server says reaches no terminal as control characters', async () => {
  const onPipe = await explain('bob@hostile.example');
  expect(onPipe.stdout).toMatch(/← 220 .*✓ deliverable.* ESMTP/);
  expect(onPipe.stdout).not.toMatch(/[^\P{C}\n]/u);
  const env = { ...service.shell, NO_COLOR: '1' };
  const { stdout } = await onTerminal([...EXPLAIN, 'bob@hostile.example'], env).ran;
  expect(stdout).toMatch(/← 220 .*✓ deliverable.* ESMTP/);
  expect(stdout).not.toMatch(/[^\P{C}\r\n]/u);
});

test('colours come on a terminal, unless NO_COLOR is set', async () => {
  const coloured = await onTerminal([...EXPLAIN, 'ann@shop.example'], service.shell).ran;
  expect(coloured.stdout).toContain('\u001b[32m✓ deliverable\u001b[0m');
  const plain = await onTerminal([...EXPLAIN, 'ann@shop.example'], { ...service.shell, NO_COLOR: '1' }).ran;
  expect(plain.stdout).toContain('✓ deliverable  ann@shop.example');
  expect(plain.stdout).not.toContain('\u001b');
});
