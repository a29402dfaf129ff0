// Misspelt domains of the file, before anything is charged: each with what was likely meant, fixed one by one or all at
// once. Promise: what is fixed is checked, charged and written into the file as it is meant; whatever is fixed can be undone.
import type { Fixes } from '@mxproof/files/address-text';
import { Button } from '../design/button.tsx';
import { newList } from '../messages/en-new-list.ts';
import { fixDomains } from './draft.ts';
import type { MisspeltDomain } from './file-summary.ts';

const text = newList.misspelt;

export function MisspeltDomains({
  misspelt,
  fixes,
}: {
  readonly misspelt: readonly MisspeltDomain[];
  readonly fixes: Fixes;
}) {
  if (misspelt.length === 0) return null;
  const { fixed, open } = countFixed(misspelt, fixes);
  const toggle = ({ domain, suggestion }: MisspeltDomain) => {
    const next = new Map(fixes);
    if (!next.delete(domain)) next.set(domain, suggestion);
    fixDomains(next);
  };
  return (
    <section className="card stack to-fix" aria-labelledby="to-fix-title">
      <div className="row to-fix-head">
        <div>
          <h2 id="to-fix-title">{text.title(misspelt.length, fixed + open)}</h2>
          <p className="small soft" role="status">
            {fixed === 0 ? text.hint : open === 0 ? text.allFixed(fixed) : text.someFixed(fixed, open)}
          </p>
        </div>
        <Button
          variant={open > 0 ? 'primary' : 'plain'}
          onPress={() => fixDomains(open > 0 ? fixesOf(misspelt) : new Map())}
        >
          {open > 0 ? text.fixAll(open) : text.undoAll}
        </Button>
      </div>
      <ul className="to-fix-list">
        {misspelt.map((one) => {
          const isFixed = fixes.has(one.domain);
          return (
            <li key={one.domain} data-fixed={isFixed || undefined}>
              <span className="to-fix-pair">
                {one.domain} → <strong>{one.suggestion}</strong>
              </span>
              <span className="small soft">{text.addresses(one.addresses)}</span>
              <Button variant="quiet" onPress={() => toggle(one)}>
                {isFixed ? text.undo : text.fix}
                <span className="visually-hidden"> {one.domain}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Beside the price: what would be paid for in its wrong spelling. */
export function UnfixedHint({
  misspelt,
  fixes,
}: {
  readonly misspelt: readonly MisspeltDomain[];
  readonly fixes: Fixes;
}) {
  const { open } = countFixed(misspelt, fixes);
  if (open === 0) return null;
  return (
    <div className="notice" data-tone="warning">
      <span>{text.unfixed(open)}</span>
      <Button onPress={() => fixDomains(fixesOf(misspelt))}>{text.fixAll(open)}</Button>
    </div>
  );
}

function fixesOf(misspelt: readonly MisspeltDomain[]): Fixes {
  return new Map(misspelt.map(({ domain, suggestion }) => [domain, suggestion]));
}

/** Addresses that are fixed, and that are not. */
function countFixed(misspelt: readonly MisspeltDomain[], fixes: Fixes) {
  const all = misspelt.reduce((sum, { addresses }) => sum + addresses, 0);
  const open = misspelt.reduce((sum, one) => sum + (fixes.has(one.domain) ? 0 : one.addresses), 0);
  return { fixed: all - open, open };
}
