// Prints two digests of what the engine does in worlds made up from seeds: of every verdict, and of every byte it sends
// on every connection, in order. A change that only moves code leaves both as they are:
//   npm run digest -- [--verdicts 10000] [--bytes 1500] [--first 1]
import '../../common/test/strict.ts';
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { Connect, Finding } from '@mxproof/engine';
import { runRandomWorld } from './run-random-world.ts';

const { values } = parseArgs({
  options: {
    verdicts: { type: 'string', default: '10000' },
    bytes: { type: 'string', default: '1500' },
    first: { type: 'string', default: '1' },
    /** Prints a digest for each world as well, to find the first that differs. */
    each: { type: 'boolean', default: false },
  },
});

/** Named one by one: a field that is added to findings is no changed verdict. */
function verdictOf(finding: Finding): string {
  const { email, state, reason, score, acceptAll, role, free, disposable, mx, provider } = finding;
  const { attempts } = finding.evidence;
  return JSON.stringify([
    email,
    state,
    reason,
    score,
    acceptAll,
    role,
    free,
    disposable,
    mx,
    provider,
    attempts,
  ]);
}

/** Notes what is sent: connections by number, in the order of their opening. */
function noteBytes(connect: Connect, note: (line: string) => void): Connect {
  let connections = 0;
  return (target, events) => {
    connections += 1;
    const number = connections;
    note(`${number} connect ${target.ip} from ${target.source}`);
    const wire = connect(target, events);
    return {
      write(text) {
        note(`${number} ${text}`);
        wire.write(text);
      },
      startTls() {
        note(`${number} (TLS)`);
        wire.startTls();
      },
      destroy: () => wire.destroy(),
    };
  };
}

const first = Number(values.first);
const verdictWorlds = Number(values.verdicts);
const byteWorlds = Number(values.bytes);
const verdicts = createHash('sha256');
const bytes = createHash('sha256');
for (let index = 0; index < Math.max(verdictWorlds, byteWorlds); index += 1) {
  const seed = first + index;
  const sent: string[] = [];
  const { findings } = await runRandomWorld(seed, (connect) =>
    index < byteWorlds ? noteBytes(connect, (line) => sent.push(line)) : connect,
  );
  const found = [...findings.values()].map(verdictOf).sort().join('\n');
  const asked = sent.join('\n');
  if (index < verdictWorlds) verdicts.update(`${seed}\n${found}\n`);
  if (index < byteWorlds) bytes.update(`${seed}\n${asked}\n`);
  if (values.each) {
    const short = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
    console.log(`${seed} ${short(found)} ${short(asked)}`);
  }
}
console.log(`verdicts of ${verdictWorlds} worlds: ${verdicts.digest('hex')}`);
console.log(`bytes asked in ${byteWorlds} worlds: ${bytes.digest('hex')}`);
