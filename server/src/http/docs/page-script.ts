// Our own lines in front of Scalar's script: what its page knows of the browser's session, whose kind the page says.
import { CONSOLE_HEADER } from '../wire/same-origin.ts';

/** One of Scalar's parts tries whether it may compile code, which the policy would refuse and report; told so, it does not. */
const NO_EVAL = 'globalThis.__zod_globalConfig={jitless:true};\n';

/** Requests without a key (Scalar then sends the bare word) go as this browser's session, as those of the console do. */
const AS_SESSION = `
  const send = globalThis.fetch;
  const kind = document.getElementById('bar').dataset;
  const proofOf = () => { try { return localStorage.getItem(kind.stored); } catch { return null; } };
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const proof = proofOf();
    const isOurs = new URL(request.url).origin === location.origin;
    const hasKey = !/^(bearer)?$/i.test((request.headers.get('authorization') ?? '').trim());
    if (!proof || !isOurs || hasKey) return send(request);
    request.headers.delete('authorization');
    request.headers.set(kind.header, proof);
    request.headers.set('${CONSOLE_HEADER}', '1');
    return send(request);
  };
`;

/** Whose requests they are. Asked only where there may be a session, and again when the page comes back into view. */
const WHO = `
  const who = document.getElementById('who');
  const signedOut = [...who.childNodes];
  const tell = async () => {
    const answer = proofOf() && await fetch(kind.who).catch(() => null);
    if (!answer?.ok) return who.replaceChildren(...signedOut);
    const { name, scope } = await answer.json();
    const mode = answer.headers.get('mxproof-mode') === 'test' ? ' in test mode' : '';
    const account = document.createElement('b');
    account.textContent = scope ? 'operator' : name || 'your account';
    who.replaceChildren('Signed in as ', account, mode + (scope === 'read' ? ', who may only look' : '') + ': no key needed');
  };
  tell();
  document.addEventListener('visibilitychange', () => { if (!document.hidden) tell(); });
`;

export const PAGE_SCRIPT = `${NO_EVAL}{${AS_SESSION}${WHO}}\n`;
