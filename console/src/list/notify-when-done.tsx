// A browser notification when the list is done, if the user wants one. Promise: permission is requested only on a click.
import { type ListSummary, Refusal } from '@mxproof/client';
import { useEffect, useState } from 'react';
import { Button } from '../design/button.tsx';
import { nameOf } from '../lists/rename-list.tsx';
import { listMessages } from '../messages/en-list.ts';
import { mx } from '../shell/api.ts';
import { useIsVisible } from './use-is-visible.ts';

const text = listMessages.list;
/** A machine that slept has no network for a while. */
const RECONNECT_MS = 10_000;

export function NotifyWhenDone({
  list,
  parts,
}: {
  readonly list: ListSummary;
  readonly parts: readonly ListSummary[];
}) {
  const [isOn, setOn] = useState('Notification' in window && Notification.permission === 'granted');
  const isVisible = useIsVisible();
  const name = nameOf(list);
  const ids = parts.map(({ id }) => id).join();
  useEffect(() => {
    // A visible tab shows it; a hidden one holds no stream, and polls.
    if (!isOn || isVisible) return;
    const left = new AbortController();
    const waitFor = async (id: number) => {
      for (;;)
        try {
          return await mx.lists.wait(id, { signal: left.signal, events: false });
        } catch (error) {
          if (left.signal.aborted || error instanceof Refusal) throw error;
          await new Promise((done) => setTimeout(done, RECONNECT_MS));
        }
    };
    const wait = async () => {
      for (const id of ids.split(',')) await waitFor(Number(id));
      const shown = new Notification(text.notification(name), { tag: ids });
      shown.onclick = () => window.focus();
    };
    wait().catch(() => {});
    return () => left.abort();
  }, [isOn, isVisible, ids, name]);
  if (!('Notification' in window) || Notification.permission === 'denied') return null;
  if (isOn) return <span className="small soft">{text.willNotify}</span>;
  return (
    <Button
      variant="quiet"
      onPress={() => void Notification.requestPermission().then((answer) => setOn(answer === 'granted'))}
    >
      {text.notify}
    </Button>
  );
}
