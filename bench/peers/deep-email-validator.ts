// deep-email-validator as its users run it: validate() per address, as many at once as told. One JSON object in on
// standard input, one out on standard output. Names and hosts are the simulated world's: the benchmark runs this
// where /etc/resolv.conf names it and its hosts answer on port 25.
import { text } from 'node:stream/consumers';

interface Order {
  readonly concurrency: number;
  readonly emails: readonly string[];
}

interface PeerOutput {
  readonly valid: boolean;
  readonly validators: { readonly smtp?: { readonly valid: boolean; readonly reason?: string } };
}

const order = JSON.parse(await text(process.stdin)) as Order;
const { validate } = (await import('deep-email-validator')) as unknown as {
  validate(options: object): Promise<PeerOutput>;
};

const answers: string[] = new Array(order.emails.length);
/** Its own words. */
const said: string[] = new Array(order.emails.length);
let next = 0;
const cpu = process.cpuUsage();
const startMs = performance.now();

async function ask(): Promise<void> {
  for (let i = next++; i < order.emails.length; i = next++) {
    const output = await validate({
      email: order.emails[i],
      sender: 'bench@bench.example',
      validateTypo: false,
      validateDisposable: true,
    });
    const reason = output.validators.smtp?.reason;
    said[i] = `valid: ${output.valid}${reason === undefined ? '' : `, reason: ${reason}`}`;
    answers[i] = output.valid ? 'yes' : reason === 'Mailbox not found.' ? 'no' : 'lost';
  }
}

await Promise.all(Array.from({ length: order.concurrency }, ask));
const seconds = (performance.now() - startMs) / 1000;
const used = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ seconds, cpuSeconds: (used.user + used.system) / 1e6, answers, said }));
