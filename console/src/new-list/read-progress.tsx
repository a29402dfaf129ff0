// The progress of reading a large file, with a cancel button; screen readers are told that it is being read.
import { Button } from '../design/button.tsx';
import { newList } from '../messages/en-new-list.ts';
import { messages } from '../messages/messages.ts';
import { cancelReading, type Draft } from './draft.ts';

const text = newList;

export function ReadProgress({ draft: { progress, reading, file } }: { readonly draft: Draft }) {
  const said =
    progress === null
      ? reading === null
        ? ''
        : text.read(reading.summary.rows, reading.summary.unique)
      : progress === 0
        ? text.reading
        : text.readingRows(progress);
  return (
    <div
      className={progress === null ? 'visually-hidden' : 'card row read-progress'}
      data-again={reading !== null || undefined}
    >
      {progress !== null && reading === null && <strong>{file?.name}</strong>}
      <span role="status">{said}</span>
      {progress !== null && (
        <span className="push">
          <Button onPress={cancelReading}>{messages.cancel}</Button>
        </span>
      )}
    </div>
  );
}
