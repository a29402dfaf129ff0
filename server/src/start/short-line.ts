// One line of the log for a person at a terminal: what happened, and the few words that tell it from others.
// Promise: no control character of a message or a field gets through.

const LEFT_OUT = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'id']);
const ERROR_LEVEL = 50;
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const WORD = /^[\w./:@%+\-[\]]+$/;

type Fields = Readonly<Record<string, unknown>>;

export function shortLine(line: Fields): string {
  const { msg, method, route, status, durationMs, ...rest } = line;
  const isRequest = typeof method === 'string' && typeof status === 'number';
  const said = isRequest
    ? `${method} ${route ?? '(no such path)'} ${status} ${durationMs} ms`
    : String(msg ?? '');
  const others = isRequest ? rest : { ...rest, ...without({ method, route, status, durationMs }) };
  const fields = Object.entries(others)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}=${shown(name, value, Number(line.level))}`);
  return `${said}${fields.join('')}`.replaceAll(CONTROL, '�');
}

function without(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function shown(name: string, value: unknown, level: number): string {
  // Of a defect, all that is known; of what passes, why.
  if (name === 'err' && level < ERROR_LEVEL && typeof value === 'object') {
    const { type, message, code } = value as Fields;
    return JSON.stringify(message ?? code ?? type);
  }
  if (typeof value === 'string' && WORD.test(value)) return value;
  return JSON.stringify(value) ?? '';
}
