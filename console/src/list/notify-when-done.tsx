// A notification of the browser when the list is done, if the reader wants one. Promise: never asked for unasked.
import type { ListSummary } from '@mxproof/client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { nameOf } from '../lists/list-row.tsx';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';

const text = messages.list;

export function NotifyWhenDone({ list }: { readonly list: ListSummary }) {
  const [isOn, setOn] = useState(false);
  const waits = useRef<AbortController | null>(null);
  const { id } = list;
  const name = nameOf(list);
  useEffect(() => {
    if (!isOn) return;
    const left = new AbortController();
    waits.current = left;
    // By asking rather than by events: it goes on while the tab is hidden, which holds no stream.
    mx.lists.wait(id, { signal: left.signal, events: false }).then(
      () => document.visibilityState === 'hidden' && new Notification(text.notification(name)),
      () => {},
    );
    return () => left.abort();
  }, [isOn, id, name]);
  if (!('Notification' in window) || Notification.permission === 'denied') return null;
  if (isOn) return <span className="small soft">{text.willNotify}</span>;
  return (
    <Button
      look="quiet"
      onPress={() => void Notification.requestPermission().then((answer) => setOn(answer === 'granted'))}
    >
      {text.notify}
    </Button>
  );
}
