// Writes docs/guide/life-of-a-container.md: the image's size and start, a sign-in, lists through SIGTERM and kill -9, on one volume.
// Promise: every command on the page was run as it stands there, in a real container with a read-only root and without
// capabilities, against a simulated internet on loopback; a promise that does not hold ends it with status 1.
//   CONTAINER_ENGINE=podman node scripts/with-node.mjs node scripts/container-life.ts IMAGE BASE      as scripts/image.sh does
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../server/test/until.ts';
import { spawnWorld } from '../world/src/world-process.ts';
import { freePort } from './terminal.ts';
import { secondsText, Transcript } from './transcript.ts';

const PAGE = fileURLToPath(new URL('../docs/guide/life-of-a-container.md', import.meta.url));
const MAX_ABOVE_BASE_MB = 320;
const DOMAINS = 10;
const REPLY_MS = 300;
/** As Linux has it wherever Node runs. */
const TICKS_PER_SECOND = 100;
const CUSTOMERS = 2_000;
const SECRETS = /mx_(live|test)_|whsec_|sign-in\/[\w-]/;
/** Of this run only: containers and volumes of these names are removed at its end. */
const NAME = `mxproof-life-${process.pid}`;
/** What works on every machine that this runs on, whatever its kernel and firewall allow. */
const AROUND = '--network host --env-file world.env --ulimit nofile=8192:8192 --ulimit nproc=4096:4096';
const PASTED = `${NAME}-pasted`;
const RESTORED = `${NAME}-restored`;

const [, , image, base] = process.argv;
const engine = process.env.CONTAINER_ENGINE;
if (image === undefined || base === undefined || engine === undefined) {
  console.error('usage: CONTAINER_ENGINE=podman node scripts/container-life.ts IMAGE BASE');
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'mxproof-container-'));
const bin = join(work, 'bin');
mkdirSync(bin);
const isPodman = !/(^|\/)docker$/.test(engine);
// The page says docker, whichever of the two it is. What podman would mount in a read-only container, Docker does not.
const shim = `#!/bin/sh
if [ "$1" = run ]; then shift; set -- run ${isPodman ? '--read-only-tmpfs=false' : ''} "$@"; fi
exec ${engine} "$@"
`;
writeFileSync(join(bin, 'docker'), shim, { mode: 0o755 });
const page = new Transcript(work, (text) =>
  text
    .replaceAll(image, 'mxproof')
    .replaceAll(RESTORED, 'restored')
    .replaceAll(PASTED, 'mxproof')
    .replaceAll(NAME, 'mxproof'),
);
page.env.PATH = `${bin}:${process.env.PATH}`;
const docker = (...args: string[]): string =>
  execFileSync(join(bin, 'docker'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();

function expect(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`does not hold: ${promise}`);
}

let closing: () => Promise<void> = async () => {};
let url = '';
let key = '';
const figures: string[] = [];
const [load = 0] = loadavg();
const megabytes = (bytes: number) => Math.round(bytes / 1_000_000);
const logs = () => docker('logs', NAME);
const isReady = () => until(async () => (await fetch(`${url}/readyz`)).status === 200);
const exitCode = () => docker('inspect', '--format', '{{.State.ExitCode}}', NAME);

/** Until it answers; with the processor time of the service, which says more where other programs want the processors too. */
async function started(): Promise<string> {
  const seconds = await page.waited('from there until it answers', isReady);
  const stat = readFileSync(`/proc/${docker('inspect', '--format', '{{.State.Pid}}', NAME)}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  const busy = (user! + system!) / TICKS_PER_SECOND;
  return `${secondsText(seconds)}, of which ${secondsText(busy)} of processor time`;
}

/** README's commands, with names of this run. The image is built already. */
function pasted(): string {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const block = /^docker build -t mxproof \.\n((?:docker .*\n)+)/m.exec(readme)?.[1] ?? '';
  return block
    .replace('-p 127.0.0.1:8080:8080', AROUND)
    .replace('--name mxproof', `--name ${PASTED}`)
    .replace('-v mxproof:', `-v ${PASTED}:`)
    .replace(/ mxproof$/m, ` ${image} | cut -c1-12`)
    .replace('docker exec mxproof ', `docker exec ${PASTED} `)
    .trim();
}

interface List {
  readonly id: number;
  readonly status: string;
  readonly processed: number;
}

async function call(path: string, body?: object): Promise<List> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1${path}`, {
    headers,
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as List;
}

async function submit(name: string, from: number): Promise<number> {
  const emails = Array.from(
    { length: CUSTOMERS },
    (_, n) => `p${from + n}@firm${(from + n) % DOMAINS}.example`,
  );
  writeFileSync(join(work, `${name}.json`), JSON.stringify({ name, emails }));
  const said = await page.run(
    `curl -s ${url}/v1/lists -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @${name}.json`,
  );
  return (JSON.parse(said) as List).id;
}
const isChecking = (id: number) => until(async () => (await call(`/lists/${id}`)).status === 'checking');
const isDone = (id: number) => until(async () => (await call(`/lists/${id}`)).status === 'done');
/** Or what the page says of it would not be true. */
async function isNotDone(id: number): Promise<void> {
  expect(
    (await call(`/lists/${id}`)).status !== 'done',
    'the list outlives the container: make lists longer',
  );
}

async function live(): Promise<void> {
  const domain = { host: { replyDelayMs: REPLY_MS }, mailboxes: { share: 0.8 } };
  const names = Array.from({ length: DOMAINS }, (_, n) => `firm${n}.example`);
  const world = await spawnWorld({ spec: { domains: Object.fromEntries(names.map((n) => [n, domain])) } });
  closing = () => world.close();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const settings = {
    PORT: port,
    MXPROOF_HELO_NAME: 'verify.example.com',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_SMTP_PORT: world.smtpPort,
    MXPROOF_ALLOW_PRIVATE_TARGETS: 1,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(work, 'world.env'), lines.join(''));
  const confined = `${AROUND} --hostname mxproof --read-only --cap-drop ALL --security-opt no-new-privileges`;
  const options = `${confined} -v ${NAME}:/data`;

  await page.section(
    'The image',
    'One Node, the package, PostgreSQL. An ordinary user, no compiler, no package manager of Node.',
    async () => {
      const size = (of: string) => Number(docker('image', 'inspect', '--format', '{{.Size}}', of));
      const above = megabytes(size(image!) - size(base!));
      expect(above <= MAX_ABOVE_BASE_MB, `${above} MB are at most ${MAX_ABOVE_BASE_MB} above the base`);
      figures.push(`| size above its base | ${above} MB (the base: ${megabytes(size(base!))} MB) |`);
      await page.run(`docker run --rm ${options} ${image} --version`);
      const tools = await page.run(
        `docker run --rm ${options} --entrypoint sh ${image} -c 'id; touch /x; for tool in npm npx corepack gcc make git python3; do command -v $tool; done; true'`,
      );
      expect(/uid=10001\(mxproof\)/.test(tools), 'it runs as an ordinary user');
      expect(/Read-only file system/.test(tools), 'its root is read-only');
      expect(!/^\/.*bin/m.test(tools), 'no build tool is in it');
      const home = docker('run', '--rm', '--network', 'host', '--entrypoint', 'ls', image!, '/opt/mxproof');
      expect(home === 'node.LICENSE\nnode_modules', 'only packages are in it');
      const check = docker('image', 'inspect', '--format', '{{json .Config.Healthcheck}}', image!);
      expect(check.includes('"healthcheck"'), 'it has a health check');
    },
  );

  await page.section(
    'Pasted from README',
    'All at once: the last command waits until the first start has made the database.',
    async () => {
      const said = await page.run(pasted().replaceAll('\n', ' && '));
      expect(/^http:\/\/\S+sign-in\S+$/m.test(said), 'README’s commands end with a sign-in link');
      docker('rm', '-f', PASTED);
      docker('volume', 'rm', PASTED);
    },
  );

  await page.section(
    'The first start',
    'The log has no key: it says which command signs a browser in. The link works once.',
    async () => {
      await page.run(`docker run -d --name ${NAME} ${options} ${image} | cut -c1-12`);
      figures.push(`| first start, with a new database | ${await started()} |`);
      await until(() => logs().includes('mxproof account link 1'));
      expect(!SECRETS.test(logs()), 'the log has no secret');
      await page.run(`docker logs ${NAME} | grep -o '"msg":.*'`, /ready|first account/);
      await page.run(`docker exec ${NAME} mxproof healthcheck`);
      if (isPodman) docker('healthcheck', 'run', NAME);
      else await until(() => docker('inspect', '--format', '{{.State.Health.Status}}', NAME) === 'healthy');
      const [link = ''] = await page
        .run(`docker exec ${NAME} mxproof account link 1`)
        .then((text) => text.split('\n'));
      const pressed = await fetch(link, { method: 'POST', headers: { origin: url } });
      expect(pressed.status === 200 && pressed.headers.has('set-cookie'), 'the link signs a browser in');
      const again = await fetch(link, { method: 'POST', headers: { origin: url } });
      expect(again.status !== 200, 'it does so once');
      page.write('# the link is pressed as a browser does: signed in; a second time: refused', '');
    },
  );

  await page.section('A list', `${CUSTOMERS.toLocaleString('en')} addresses.`, async () => {
    await page.run(`docker exec ${NAME} mxproof credits add 1 100000`);
    const made = await page.run(`docker exec ${NAME} mxproof key create 1`);
    key = /mx_live_[\w-]+/.exec(made)?.[0] ?? '';
    page.env.KEY = key;
    page.write('$ export KEY=mx_live_…');
    const id = await submit('spring', 0);
    await page.waited('the list is done', () => isDone(id));
    await page.run(`docker exec ${NAME} mxproof ledger verify`);
  });

  await page.section(
    'A second container on the same volume',
    'Is refused: two PostgreSQL servers on one cluster would destroy it.',
    async () => {
      const said = await page.run(`docker run --rm ${options} ${image} || echo "status $?"`);
      expect(/Another container uses this volume/.test(said) && /status 1/.test(said), 'it is refused');
    },
  );

  await page.section(
    'SIGTERM in the middle of a list',
    'The container is removed and made anew on the same volume, as for an upgrade. The list goes on.',
    async () => {
      const id = await submit('summer', CUSTOMERS);
      await isChecking(id);
      await page.run(`docker stop --time 20 ${NAME}`);
      expect(exitCode() === '0', 'SIGTERM ends it with status 0');
      page.write('# exit status 0', '');
      expect(!SECRETS.test(logs()), 'the log has no secret');
      await page.run(`docker rm ${NAME}`);
      await page.run(`docker run -d --name ${NAME} ${options} ${image} | cut -c1-12`);
      figures.push(`| start on an existing volume | ${await started()} |`);
      await isNotDone(id);
      await page.waited('the list that was running is done', () => isDone(id));
      await page.run(`docker exec ${NAME} mxproof ledger verify`);
    },
  );

  await page.section(
    'kill -9 in the middle of a list, twice',
    'PostgreSQL dies with the container and replays its log. Nothing that was paid for is lost.',
    async () => {
      const id = await submit('autumn', 2 * CUSTOMERS);
      for (const time of [1, 2]) {
        await isChecking(id);
        await page.run(`docker kill -s KILL ${NAME}`);
        await until(() => exitCode() === '137');
        await page.run(`docker start ${NAME}`);
        const took = await started();
        if (time === 1) figures.push(`| start after kill -9 | ${took} |`);
        await isNotDone(id);
      }
      await page.waited('the list that was running is done', () => isDone(id));
      await page.run(`docker exec ${NAME} mxproof list show ${id} --any`);
      await page.run(`docker exec ${NAME} mxproof ledger verify`);
      expect(!SECRETS.test(logs()), 'the log has no secret');
    },
  );

  await page.section(
    'A backup into another volume',
    'As for the way back from an upgrade: with the secret key of the old volume.',
    async () => {
      await page.run(`docker exec ${NAME} mxproof backup /data/now.backup`);
      await page.run(`docker stop --time 20 ${NAME}`);
      const both = `${confined} -v ${NAME}:/old:ro -v ${RESTORED}:/data`;
      await page.run(`docker run --rm ${both} --entrypoint sh ${image} -c 'cp -p /old/secret-key /data/'`);
      await page.run(`docker run --rm ${both} ${image} restore /old/now.backup`);
      const said = await page.run(`docker run --rm ${confined} -v ${RESTORED}:/data ${image} ledger verify`);
      expect(/ 3 lists: no differences/.test(said), 'the copy has all lists, and its ledger is exact');
    },
  );
}

function text(): string {
  const version = docker('--version').replace(/^\w/, (first) => first.toLowerCase());
  const stands = base!.startsWith('localhost/') ? 'a Debian made with debootstrap' : base;
  return `# The life of a container

\`scripts/image.sh\` built the image on ${stands}, ran every command below and wrote this page, on a machine with
${availableParallelism()} cores on which ${Math.round(load)} processes wanted to run at a time. \`docker\` is ${version} here. The mail servers of a simulated internet take ${REPLY_MS} ms
to reply. A line that begins with \`#\` says how long it took. [Run MXProof in a container](container.md) explains each step.

| | |
|---|---|
${figures.join('\n')}

${page.page()}`;
}

try {
  await live();
  writeFileSync(PAGE, text());
  console.log(figures.join('\n'));
} catch (error) {
  console.error(
    `The container's log:\n${execFileSync('sh', ['-c', `${engine} logs --tail 30 ${NAME} 2>&1 || true`], { encoding: 'utf8' })}`,
  );
  throw error;
} finally {
  docker('rm', '-f', NAME, PASTED);
  docker('volume', 'rm', '-f', NAME, PASTED, RESTORED);
  await closing();
  rmSync(work, { recursive: true, force: true });
}
