// The answer to "mxproof healthcheck" where all is well, by one request and without the program: supervisors ask every few seconds.
// Promise: true only where the command would say the same; whatever else is found is left to the command, which says what is wrong.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { parseEnv } from 'node:util';

const LIMIT_MS = 1_000;
const MAX_CHARACTERS = 4_096;
const READY = /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"status":"ok"\}$/;
const LOOPBACK = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether it was answered, in a sentence on standard output. */
export async function isWell(words) {
  const role = roleOf(words);
  if (role === null) return false;
  const env = settings();
  const tls = env.MXPROOF_TLS_CERT ? 'https' : 'http';
  const service = urlOf(tls, env.HOST, env.PORT ?? '8080');
  const answer = await ask(service);
  if (answer === 'ready' && role !== 'work') return say('service', service);
  // Where a service is, the command finds out whether it checks.
  if (answer !== 'refused' || role === 'serve') return false;
  const node = urlOf('http', env.MXPROOF_METRICS_HOST, env.MXPROOF_METRICS_PORT);
  return (await ask(node)) === 'ready' && say('node', node);
}

/** Null: there is more to it. */
function roleOf([command, option, value, ...more]) {
  if (command !== 'healthcheck' || more.length > 0) return null;
  if (option === undefined) return 'either';
  return option === '--role' && (value === 'serve' || value === 'work') ? value : null;
}

/** As config-file.ts reads them; what is wrong with the file, the command says. */
function settings() {
  const set = Object.entries(process.env).filter(([, value]) => value.trim() !== '');
  const env = Object.fromEntries(set.map(([name, value]) => [name, value.trim()]));
  try {
    return env.MXPROOF_CONFIG ? { ...parseEnv(readFileSync(env.MXPROOF_CONFIG, 'utf8')), ...env } : env;
  } catch {
    return env;
  }
}

function urlOf(protocol, host = '127.0.0.1', port = '') {
  const reached = LOOPBACK[host] ?? host;
  if (!/^[1-9]\d{0,4}$/.test(port)) return null;
  return `${protocol}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** By hand: loading Node's HTTP takes longer than all the rest. */
async function ask(url) {
  if (url === null || !URL.canParse(url)) return 'refused';
  const { protocol, hostname, port, host } = new URL(url);
  const at = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
  // A certificate is for the service's public name, which this address is not.
  const open = async () =>
    protocol === 'https:'
      ? (await import('node:tls')).connect({ ...at, rejectUnauthorized: false })
      : connect(at);
  const socket = await open();
  socket.write(`GET /readyz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.destroy(), LIMIT_MS);
    let text = '';
    socket.setEncoding('latin1').on('data', (more) => {
      text += more;
      if (text.length > MAX_CHARACTERS) socket.destroy();
    });
    socket.on('error', ({ code }) => resolve(code === 'ECONNREFUSED' ? 'refused' : 'other'));
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(READY.test(text) ? 'ready' : 'other');
    });
  });
}

function say(what, url) {
  console.log(`The ${what} answers at ${url}, and so does its database.`);
  return true;
}
