// A list whose results are past their retention: what the summary still says, and nothing that would be empty.
import type { ListSummary } from '@mxproof/client';
import { createPortal } from 'react-dom';
import { Button } from '../design/button.tsx';
import { formatDay } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { listMessages } from '../messages/en-list.ts';
import { StatesChart } from './charts.tsx';
import { DeleteList } from './delete-list.tsx';
import type { SubmittedFile } from './file-facts.ts';
import { Report } from './report.tsx';

const text = listMessages.list;

export function ExpiredResults({
  list,
  file,
  parts,
  expiredAt,
  tools,
}: {
  readonly list: ListSummary;
  readonly file: SubmittedFile | null;
  readonly parts: readonly ListSummary[];
  readonly expiredAt: number;
  readonly tools: HTMLElement | null;
}) {
  return (
    <>
      {tools &&
        createPortal(
          <>
            <Button variant="primary" isDisabled>
              {listMessages.downloads.goodRows}
            </Button>
            <Button onPress={() => window.print()}>{text.report}</Button>
            <DeleteList list={list} parts={parts} />
          </>,
          tools,
        )}
      <Notice>
        <p>
          <strong>{text.expired(formatDay(expiredAt))}</strong> {text.expiredHint}
        </p>
      </Notice>
      <div className="charts">
        <StatesChart list={list} />
      </div>
      <Report list={list} checked={list.checked} file={file} retries={[]} corrections={[]} />
    </>
  );
}
