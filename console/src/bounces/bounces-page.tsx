// A pasted reply, log or bounce: what each recipient was answered, and what to do. Nothing of it is kept, here or there.
import './bounces.css';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Label, Text, TextArea, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatSize } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { saveCsv } from '../design/save-csv.ts';
import { bounces as text } from '../messages/en-bounces.ts';
import { messages } from '../messages/messages.ts';
import { mx } from '../shell/api.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { type NamedReply, repliesTable } from './replies-table.ts';
import { ReplyCard } from './reply-card.tsx';

/** As the service says. */
const MAX_BYTES = 256 * 1_024;
/** Cards shown at first, and with each press for more. */
const CARDS_AT_ONCE = 50;

export function BouncesPage() {
  const [pasted, setPasted] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const reading = useMutation({ mutationFn: readNamed });
  const replies = reading.data;
  const problem = fault ?? (reading.isError ? problemText(reading.error) : null);

  function explain() {
    if (reading.isPending) return;
    const found = faultOf(pasted);
    setFault(found);
    if (found === null) reading.mutate(pasted);
    else reading.reset();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    explain();
  }

  /** Enter begins a line. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) explain();
  }

  return (
    <section className="bounces stack">
      <PageTitle>{text.title}</PageTitle>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField className="field" value={pasted} onChange={setPasted} isInvalid={problem !== null}>
          <Label>{text.field}</Label>
          <TextArea
            className="input mono"
            rows={8}
            placeholder={text.placeholder}
            spellCheck={false}
            autoCapitalize="none"
            autoComplete="off"
            onKeyDown={onKeyDown}
            {...SEARCH_FIELD}
          />
          <Text slot="description" className="small soft">
            {text.intro}
          </Text>
        </TextField>
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <div>
          <Button type="submit" variant="primary" isDisabled={reading.isPending}>
            {reading.isPending ? text.busy : text.submit}
          </Button>
        </div>
      </form>
      {replies?.length === 0 && <Notice>{text.none}</Notice>}
      {replies !== undefined && replies.length > 0 && <Replies replies={replies} />}
    </section>
  );
}

/** The service answers by position; the recipient of each answer is read here. */
async function readNamed(bounce: string): Promise<readonly NamedReply[]> {
  const [replies, { bounceRecipients }] = await Promise.all([
    mx.readBounce(bounce),
    import('@mxproof/engine/bounce-recipients'),
  ]);
  const addresses = bounceRecipients(bounce);
  return replies.map((reply) => ({ ...reply, address: addresses[reply.position] ?? '' }));
}

function faultOf(pasted: string): string | null {
  if (pasted.trim() === '') return text.needed;
  const { size } = new Blob([pasted]);
  return size > MAX_BYTES ? text.tooLong(formatSize(size)) : null;
}

function Replies({ replies }: { readonly replies: readonly NamedReply[] }) {
  const [shown, setShown] = useState(CARDS_AT_ONCE);
  return (
    <div className="stack">
      <div className="row">
        <div role="status">
          <h2>{text.found(replies.length)}</h2>
          {replies.length > 1 && <p className="small soft">{text.order}</p>}
        </div>
        <div className="push">
          <Button onPress={() => void saveCsv(text.fileName, repliesTable(replies))}>{text.save}</Button>
        </div>
      </div>
      {replies.slice(0, shown).map((reply) => (
        <ReplyCard key={reply.position} reply={reply} />
      ))}
      <p>
        {text.doubt} <Link to="/">{messages.check.title}</Link>
      </p>
      {shown < replies.length && (
        <div>
          <Button onPress={() => setShown(shown + CARDS_AT_ONCE)}>{text.more}</Button>
        </div>
      )}
    </div>
  );
}
