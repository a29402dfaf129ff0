// The first rows of the file that the dialog would make. Promise: it is the file itself that is shown, made by the code that
// makes it, and not another table like it.
import { cellText } from '@mxproof/files/result-columns';
import { useQuery } from '@tanstack/react-query';
import { formatCount } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import type { DownloadChoice, DownloadOrder } from './download-choice.ts';
import { extrasOf, ownTable } from './own-table.ts';
import { fileStem } from './save-rows.ts';
import { mergeOrder } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.downloads.preview;
const SHOWN_ROWS = 5;
/** A file may have thousands, and all of them are in what is downloaded. */
const SHOWN_COLUMNS = 40;
const SHOWN_CHARACTERS = 80;
/** A large file is not made for every tick on the way to the last one. */
const SETTLE_MS = 300;

interface Shown {
  readonly name: string;
  readonly head: readonly (readonly string[])[];
  /** Of the file, and of those how many stay; null: a table of our own. */
  readonly rows: { readonly kept: number; readonly all: number } | null;
}

export function DownloadPreview({
  listId,
  name,
  rows,
  order,
  format,
  choiceKey,
}: {
  readonly listId: number;
  /** Of the list. */
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly order: DownloadOrder;
  readonly format: DownloadChoice['format'];
  /** Another one for another order. */
  readonly choiceKey: string;
}) {
  const { part, words, rows: chosen } = order;
  const shown = useQuery({
    queryKey: ['download-preview', listId, rows.length, choiceKey],
    networkMode: 'always',
    gcTime: 0,
    retry: false,
    queryFn: async ({ signal }): Promise<Shown | null> => {
      if (format !== 'own') {
        const { headings, cells } = ownTable(words, extrasOf(rows));
        const first = (chosen ?? rows).slice(0, SHOWN_ROWS);
        const head = [headings, ...first.map((row) => cells(row).map(cellText))];
        return { name: `${fileStem(name, part)}.${format}`, head, rows: null };
      }
      await new Promise((done) => setTimeout(done, SETTLE_MS));
      signal.throwIfAborted();
      const { mergeOwnFile } = await import('../own-file/own-file.ts');
      const merged = await mergeOwnFile(listId, mergeOrder(rows, order), signal);
      if (merged === null) return null;
      const { kept, rows: all } = merged.found;
      return { name: merged.name, head: merged.head, rows: { kept, all } };
    },
  });
  return (
    <section className="download-part" aria-label={text.title} aria-busy={shown.isFetching}>
      <p className="download-preview-title">
        <strong>{text.title}</strong>{' '}
        <span className="small soft">{aboutText(shown.data, shown.isFetching)}</span>
      </p>
      {shown.isError && <ProblemNotice>{text.failed}</ProblemNotice>}
      {shown.data && <FirstRows head={shown.data.head.slice(0, SHOWN_ROWS + 1)} />}
    </section>
  );
}

function aboutText(shown: Shown | null | undefined, isFetching: boolean): string {
  if (shown == null) return isFetching ? text.preparing : '';
  const { name, rows } = shown;
  return rows === null ? name : text.about(name, formatCount(rows.kept), formatCount(rows.all));
}

function FirstRows({ head }: { readonly head: Shown['head'] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard.
    <div className="download-preview" tabIndex={0} role="group" aria-label={text.firstRows}>
      <table>
        <tbody>
          {head.map((row, y) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing else that is their own, and stay in place.
            <tr key={y}>
              {row.slice(0, SHOWN_COLUMNS).map((cell, x) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: nor have cells.
                <td key={x}>{cell.slice(0, SHOWN_CHARACTERS)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
