// Where a list begins: a file dropped or chosen, or addresses pasted; and what one gets for it.
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Label, Text, TextArea, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { StateMark } from '../design/state-mark.tsx';
import { fileFaults, newList } from '../messages/en-new-list.ts';
import { messages } from '../messages/messages.ts';
import { paste, takeFile, takePasted, useDraft } from './draft.ts';

const text = newList;
/** By name and by type: systems know one or the other. What a file is, its bytes decide. */
export const ACCEPT =
  '.csv,.tsv,.tab,.txt,.xlsx,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

export function ChooseFile({ isOver }: { readonly isOver: boolean }) {
  const { fault } = useDraft();
  return (
    <>
      <p className="soft new-list-intro">{text.intro}</p>
      {fault !== null && <ProblemNotice>{fileFaults[fault]}</ProblemNotice>}
      <div className="drop card" data-over={isOver || undefined}>
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <path d="M16 20V4m-6 6 6-6 6 6M5 22v3a3 3 0 0 0 3 3h16a3 3 0 0 0 3-3v-3" />
        </svg>
        <p className="drop-words">{isOver ? text.dropNow : text.drop}</p>
        <FileInput />
        <p className="small soft">{text.formats}</p>
      </div>
      <Paste />
      <Example />
    </>
  );
}

function FileInput() {
  const input = useRef<HTMLInputElement>(null);
  // What one comes here for: Enter opens the choice.
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <div className="file-field">
      <label htmlFor="new-list-file" className="visually-hidden">
        {text.file}
      </label>
      <input
        ref={input}
        id="new-list-file"
        type="file"
        accept={ACCEPT}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) takeFile(file);
        }}
      />
    </div>
  );
}

function Paste() {
  const { pasted } = useDraft();
  const [isNeeded, setNeeded] = useState(false);
  // Open where something was pasted before: after signing in again, it is where it was.
  const isOpen = useRef(pasted !== '').current;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (pasted.trim() === '') return setNeeded(true);
    setNeeded(false);
    takePasted(`${text.pastedName}.txt`);
  }
  return (
    <details className="paste card" open={isOpen}>
      <summary>{text.orPaste}</summary>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField className="field" value={pasted} onChange={paste} isInvalid={isNeeded}>
          <Label>{text.pasteField}</Label>
          <TextArea className="input mono" rows={6} spellCheck={false} autoCapitalize="none" />
          <Text slot="description" className="small soft">
            {text.pasteHint}
          </Text>
        </TextField>
        {isNeeded && <ProblemNotice>{text.pasteNeeded}</ProblemNotice>}
        <div>
          <Button type="submit">{text.pasteRead}</Button>
        </div>
      </form>
    </details>
  );
}

function Example() {
  return (
    <section className="example stack" aria-labelledby="example-title">
      <h2 id="example-title">{text.exampleTitle}</h2>
      <p className="soft">{text.exampleText}</p>
      <div className="example-table card">
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{text.exampleName}</th>
              <th scope="col">{text.exampleEmail}</th>
              <th scope="col" className="added">
                {text.exampleState}
              </th>
              <th scope="col" className="added">
                {text.exampleReason}
              </th>
            </tr>
          </thead>
          <tbody>
            {text.example.map(([name, email, state, reason]) => (
              <tr key={email}>
                <td>{name}</td>
                <td>{email}</td>
                <td className="added">
                  <StateMark state={state as 'deliverable'} />
                </td>
                <td className="added">{messages.reasons[reason as 'disposable']}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
