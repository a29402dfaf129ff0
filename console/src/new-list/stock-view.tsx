// What the file holds, in numbers; what is invalid, with its lines.
import '../list/list.css';
import { formatCount } from '../design/format.ts';
import { Bars } from '../list/bars.tsx';
import { messages } from '../messages/messages.ts';
import type { Stock } from './stock.ts';

const text = messages.newList;
const NAMED_LINES = 8;
const lineList = new Intl.ListFormat(undefined, { style: 'short', type: 'unit' });

export function StockView({ stock }: { readonly stock: Stock }) {
  const facts = [
    { name: text.rows, count: stock.rows },
    { name: text.unique, count: stock.unique },
    { name: text.duplicates, count: stock.duplicates, hint: stock.duplicates > 0 ? text.duplicatesHint : '' },
    { name: text.blank, count: stock.blank },
    { name: text.invalid, count: stock.invalid, hint: linesText(stock) },
    { name: text.throwaway, count: stock.throwaway },
    { name: text.role, count: stock.role },
  ];
  return (
    <section className="card stack" aria-labelledby="stock-title">
      <h2 id="stock-title">{text.stock}</h2>
      <dl className="facts">
        {facts.map(({ name, count, hint }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{formatCount(count)}</strong>
              {hint && <span className="small soft">{hint}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {stock.invalid > 0 && <Faults stock={stock} />}
      {stock.domains.length > 0 && <Domains stock={stock} />}
    </section>
  );
}

function linesText({ faults, invalid }: Stock): string {
  if (invalid === 0) return '';
  const named = faults.slice(0, NAMED_LINES).map(({ line }) => formatCount(line));
  if (invalid === 1) return text.line(named[0]!);
  return text.lines(lineList.format(named), invalid - named.length);
}

function Faults({ stock: { faults, invalid, notSent } }: { readonly stock: Stock }) {
  return (
    <details className="faults">
      <summary>{text.showLines}</summary>
      <div className="stack fault-body">
        {notSent > 0 && <p className="small soft">{text.notSent(notSent)}</p>}
        {invalid > faults.length && <p className="small soft">{text.firstLines(faults.length)}</p>}
        <ol className="fault-lines">
          {faults.map(({ line, text: cell }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a line may both be wrong; the list never changes.
            <li key={at}>
              <span className="soft">{text.line(formatCount(line))}</span> <code>{cell}</code>
            </li>
          ))}
        </ol>
      </div>
    </details>
  );
}

function Domains({ stock: { domains, otherDomains } }: { readonly stock: Stock }) {
  const rows = domains.map(({ domain, count }) => [domain, count] as const);
  return (
    <div className="stack domains">
      <h3>{text.domains}</h3>
      <Bars rows={otherDomains > 0 ? [...rows, [text.otherDomains, otherDomains]] : rows} />
    </div>
  );
}
