// A name, being changed in its place: Enter saves it, Escape leaves it as it was.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import { flushSync } from 'react-dom';
import { messages } from '../messages/messages.ts';
import { problemText } from '../shell/problem.ts';
import { Button } from './button.tsx';
import { ProblemNotice } from './notice.tsx';

/** Characters of the name of a list or an account, as the service takes it. */
export const NAME_MAX = 200;

/** Whether the name is being changed, and the button that begins it, which has the focus again afterwards. */
export function useRenaming() {
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = () => {
    // The button has to be there before it can have the focus.
    flushSync(() => setRenaming(false));
    button.current?.focus();
  };
  return { isRenaming, button, begin: () => setRenaming(true), end };
}

interface RenameFormProps {
  readonly label: string;
  readonly name: string;
  readonly className?: string;
  /** Unset: an empty name is refused. */
  readonly mayBeEmpty?: boolean;
  readonly rename: (name: string) => Promise<void>;
  /** What an error says; unset: as everywhere. */
  readonly problem?: (error: Error) => string;
  readonly onEnd: () => void;
}

export function RenameForm({
  label,
  name: given,
  className,
  mayBeEmpty,
  rename,
  problem = problemText,
  onEnd,
}: RenameFormProps) {
  const [name, setName] = useState(given);
  const isFit = mayBeEmpty === true || name.trim() !== '';
  const saving = useMutation({ mutationFn: () => rename(name), onSuccess: onEnd });
  return (
    <form
      className={className === undefined ? 'row' : `row ${className}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (isFit) saving.mutate();
      }}
    >
      <TextField
        aria-label={label}
        value={name}
        onChange={setName}
        maxLength={NAME_MAX}
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onEnd()}
      >
        {/* Typing replaces the name; an arrow key goes on from it. */}
        <Input className="input" onFocus={({ currentTarget }) => currentTarget.select()} />
      </TextField>
      <Button type="submit" isDisabled={saving.isPending || !isFit}>
        {messages.lists.save}
      </Button>
      <Button variant="quiet" onPress={onEnd}>
        {messages.cancel}
      </Button>
      {saving.isError && <ProblemNotice>{problem(saving.error)}</ProblemNotice>}
    </form>
  );
}
