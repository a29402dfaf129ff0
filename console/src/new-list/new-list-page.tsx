// A list is made: choose a file, see what is in it and what it costs, begin.
import './new-list.css';
import { messages } from '../messages/messages.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { ChooseFile } from './choose-file.tsx';
import { takeFile, useDraft } from './draft.ts';
import { ReadProgress } from './read-progress.tsx';
import { ReviewFile } from './review-file.tsx';
import { useFileDrop } from './use-file-drop.ts';

const text = messages.newList;

export function NewListPage() {
  const draft = useDraft();
  const isOver = useFileDrop(takeFile);
  const { reading, progress } = draft;
  return (
    <section className="stack new-list">
      <PageTitle>{text.title}</PageTitle>
      <ReadProgress draft={draft} />
      {reading !== null && <ReviewFile draft={draft} reading={reading} />}
      {reading === null && progress === null && <ChooseFile isOver={isOver} />}
    </section>
  );
}
