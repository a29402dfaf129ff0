// One API key: what it is for, what it may do, and whether it is used.
import type { Key } from '@mxproof/client';
import { Button } from '../design/button.tsx';
import { formatDay } from '../design/format.ts';
import { apiKeys } from '../messages/en-account.ts';
import { keyNameOf } from './key-name.ts';

const text = apiKeys;

export function KeyRow({
  apiKey,
  onRevoke,
}: {
  readonly apiKey: Key;
  /** Unset: it is only looked at. */
  readonly onRevoke?: () => void;
}) {
  const { prefix, test, manage, access, created_at, last_used_at, expires_at, allowed_ips } = apiKey;
  const name = keyNameOf(apiKey);
  const isExpired = expires_at !== null && expires_at * 1000 <= Date.now();
  const facts = [
    text.createdAt(formatDay(created_at)),
    last_used_at === null ? text.neverUsed : text.lastUsed(formatDay(last_used_at)),
    expires_at !== null && (isExpired ? text.expiredAt : text.expiresAt)(formatDay(expires_at)),
    allowed_ips !== null && text.onlyFrom(allowed_ips.join(', ')),
  ].filter((fact) => fact !== false);
  return (
    <li className="entry">
      <div>
        <p className="row">
          <strong className="entry-name">{name}</strong>
          {test && <span className="tag tag-test">{text.isTest}</span>}
          {access !== 'full' && <span className="tag">{text.accesses[access]}</span>}
          {manage && <span className="tag">{text.manages}</span>}
          {isExpired && <span className="tag tag-bad">{text.expired}</span>}
        </p>
        <p className="mono small">{prefix}…</p>
        <p className="small soft">
          {facts.map((fact, at) => (
            <span key={fact} className="fact">
              {fact}
              {at < facts.length - 1 && <span aria-hidden="true"> ·&nbsp;</span>}
            </span>
          ))}
        </p>
      </div>
      {onRevoke && (
        <Button variant="quiet" aria-label={text.revoke(name)} onPress={onRevoke}>
          {text.revokeShort}
        </Button>
      )}
    </li>
  );
}
