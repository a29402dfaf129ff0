// The path a request names, before it is routed.
const NOWHERE = '/nowhere';
/** Below these, every path is refused without a credential, also one that does not exist. */
const GUARDED = /^(?:\/admin)?\/v1(?=[/?]|$)/;

/** Absolute form is what proxies send (RFC 9112). A path that cannot be decoded names nothing, in its own place. */
export function pathOf(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?#]*(?=[/?#]|$)/i, '');
  if (!path.startsWith('/')) return path.startsWith('?') ? `/${path}` : NOWHERE;
  if (canDecode(path)) return path;
  return `${GUARDED.exec(path)?.[0] ?? ''}${NOWHERE}`;
}

function canDecode(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path.split('?', 1)[0]!);
    return true;
  } catch {
    return false;
  }
}
