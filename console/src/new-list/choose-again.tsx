// A button beside a sentence that says to choose a file: it does that.
import { FileTrigger } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { newList } from '../messages/en-new-list.ts';
import { ACCEPT } from './choose-file.tsx';
import { takeFile } from './draft.ts';

export function ChooseAgain() {
  return (
    <FileTrigger
      acceptedFileTypes={ACCEPT.split(',')}
      onSelect={(files) => {
        const file = files?.[0];
        if (file) takeFile(file);
      }}
    >
      <Button>{newList.choose}</Button>
    </FileTrigger>
  );
}
