// A list is made: choose a file, see what is in it and what it costs, begin.
import './new-list.css';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { newList } from '../messages/en-new-list.ts';
import { messages } from '../messages/messages.ts';
import { useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { ChooseFile } from './choose-file.tsx';
import { putBack, takeFile, type UnsavedStart, useDraft } from './draft.ts';
import { ReadProgress } from './read-progress.tsx';
import { ReviewFile } from './review-file.tsx';
import { useFileDrop } from './use-file-drop.ts';

const text = newList;

export function NewListPage() {
  const draft = useDraft();
  const isOver = useFileDrop(takeFile);
  const { reading, progress, begun } = draft;
  const may = useMay();
  if (!may.change)
    return (
      <section className="stack new-list">
        <PageTitle>{text.title}</PageTitle>
        <Notice>{messages.problems.role}</Notice>
      </section>
    );
  return (
    <section className="stack new-list">
      <PageTitle>{text.title}</PageTitle>
      <ReadProgress draft={draft} />
      {begun !== null && <NotKept begun={begun} />}
      {reading !== null && <ReviewFile draft={draft} reading={reading} />}
      {reading === null && progress === null && begun === null && <ChooseFile isOver={isOver} />}
    </section>
  );
}

function NotKept({ begun }: { readonly begun: UnsavedStart }) {
  return (
    <>
      <Notice tone="warning">{text.notKept[begun.kept]}</Notice>
      <div className="row">
        <Link to="/lists/$id" params={{ id: String(begun.listId) }} className="button" data-primary>
          {text.openList}
        </Link>
        <Button onPress={putBack}>{text.another}</Button>
      </div>
    </>
  );
}
