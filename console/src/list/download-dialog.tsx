// Which rows, in which format, in whose words: chosen once, remembered in this browser.
import { ACTION_WORDS, ACTIONS } from '@mxproof/common/vocabulary/labels';
import './download-dialog.css';
import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { Notice } from '../design/notice.tsx';
import { StateShape } from '../design/state-mark.tsx';
import { listMessages } from '../messages/en-list.ts';
import { messages } from '../messages/messages.ts';
import { useSides } from './careful-few.tsx';
import type { ActionCounts } from './count-actions.ts';
import { type DownloadChoice, FORMATS, keepChoice, lastChoice, orderOf } from './download-choice.ts';
import { DownloadPreview } from './download-preview.tsx';
import { LimitField } from './limit-field.tsx';
import { fileStem, saveRows } from './save-rows.ts';
import type { useOwnFile } from './use-own-file.ts';
import type { PlacedRow } from './use-rows.ts';

const text = listMessages.downloads;

export function DownloadDialog({
  name,
  listId,
  rows,
  counts,
  unchecked,
  own,
  onClose,
}: {
  readonly name: string;
  readonly listId: number;
  readonly rows: readonly PlacedRow[];
  readonly counts: ActionCounts | null;
  /** While the list runs. */
  readonly unchecked: number;
  readonly own: ReturnType<typeof useOwnFile>;
  readonly onClose: () => void;
}) {
  const [choice, setChoice] = useState(lastChoice);
  const choose = (change: Partial<DownloadChoice>) => setChoice({ ...choice, ...change });
  const { actions, rest, isLimited, limit, format, withResults, words } = choice;
  const isAll = rest && !isLimited && actions.length === ACTION_WORDS.length;
  const sides = useSides(rows, limit);
  const suppressed = useMemo(() => rows.filter(({ row }) => row.suppressed).length, [rows]);
  const isNone = !rest && actions.length === 0;
  const kept = useQuery({
    queryKey: ['own-file', listId],
    networkMode: 'always',
    queryFn: async () => {
      const { findOwnFile } = await import('../own-file/own-file.ts');
      const found = await findOwnFile(listId);
      return found?.file ? { name: found.name, dropsRepeated: found.dropsRepeated ?? false } : null;
    },
  });
  const [repeats, setRepeats] = useState<boolean | null>(null);
  const dropsRepeated = repeats ?? kept.data?.dropsRepeated ?? false;
  const hints = {
    own: kept.data ? text.ownHint(kept.data.name) : kept.isSuccess ? text.ownMissing : '',
    csv: text.tableHint,
    xlsx: text.tableHint,
  };
  const order = { ...orderOf(rows, choice, { unchecked, counts }), dropsRepeated };
  const download = () => {
    keepChoice(choice);
    if (format === 'own') own.give(order, 'ask');
    else void saveRows(order.rows ?? rows, fileStem(name, order.part), format, words);
    onClose();
  };
  return (
    <DialogBox title={text.title} onClose={onClose}>
      {unchecked > 0 && <Notice tone="warning">{text.soFar(unchecked)}</Notice>}
      <fieldset className="download-part">
        <legend>{text.rows}</legend>
        <Tick
          isSet={isAll}
          isPart={!isAll && !isNone}
          onChange={(isSet) => choose({ actions: isSet ? ACTION_WORDS : [], rest: isSet, isLimited: false })}
        >
          {text.allRows}
        </Tick>
        <div className="download-rows">
          {ACTION_WORDS.map((action) => (
            <Fragment key={action}>
              <Tick
                isSet={actions.includes(action)}
                onChange={(isSet) =>
                  choose({
                    actions: ACTION_WORDS.filter((each) =>
                      each === action ? isSet : actions.includes(each),
                    ),
                  })
                }
              >
                <span className="download-action">
                  <StateShape state={ACTIONS[action].mark} /> {ACTIONS[action].title}{' '}
                  <span className="soft">{counts?.[action] != null && text.addresses(counts[action])}</span>
                </span>
              </Tick>
              {action === 'separate' && actions.includes(action) && sides.below + sides.above > 0 && (
                <div className="download-below">
                  <div className="row download-limit">
                    <Tick isSet={isLimited} onChange={(isLimited) => choose({ isLimited })}>
                      {listMessages.risk.only}
                    </Tick>
                    <LimitField limit={limit} onChange={(limit) => choose({ limit })} />
                  </div>
                  <p className="small soft">{listMessages.risk.sides(sides)}</p>
                </div>
              )}
            </Fragment>
          ))}
          <Tick isSet={rest} onChange={(isSet) => choose({ rest: isSet })}>
            {text.rest}
          </Tick>
        </div>
        <p className="small soft">{text.rowsHint}</p>
        {suppressed > 0 && <p className="small soft">{listMessages.risk.suppressedRows(suppressed)}</p>}
      </fieldset>
      <Options
        title={text.format}
        options={FORMATS.map((each) => [each, text.formats[each], hints[each]])}
        value={format}
        onChange={(format) => choose({ format })}
        below={{
          own: format === 'own' && (
            <>
              <Tick isSet={withResults} onChange={(withResults) => choose({ withResults })}>
                {text.withResults}
              </Tick>
              <Tick isSet={dropsRepeated} onChange={setRepeats}>
                {text.dropRepeated}
              </Tick>
            </>
          ),
        }}
      />
      {(format !== 'own' || withResults) && (
        <Options
          title={text.words}
          options={[
            ['people', text.people, text.peopleHint],
            ['machine', text.machine, text.machineHint],
          ]}
          value={words}
          onChange={(words) => choose({ words })}
        />
      )}
      {!isNone && (format !== 'own' || kept.data) && (
        <DownloadPreview
          {...{ listId, name, rows, order, format }}
          choiceKey={JSON.stringify([choice, dropsRepeated])}
        />
      )}
      <div className="row">
        <Button variant="primary" isDisabled={isNone} onPress={download}>
          {text.download}
        </Button>
        <Button onPress={onClose}>{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}

function Tick({
  isSet,
  isPart = false,
  onChange,
  children,
}: {
  readonly isSet: boolean;
  /** Set in part. */
  readonly isPart?: boolean;
  readonly onChange: (isSet: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="download-option">
      <input
        type="checkbox"
        checked={isSet}
        ref={(input) => {
          if (input) input.indeterminate = isPart;
        }}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

function Options<Value extends string>({
  title,
  options,
  value,
  onChange,
  below,
}: {
  readonly title: string;
  readonly options: readonly (readonly [value: Value, name: string, hint: string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** What belongs to one of them. */
  readonly below?: Readonly<Partial<Record<Value, ReactNode>>>;
}) {
  const id = useId();
  return (
    <fieldset className="download-part">
      <legend>{title}</legend>
      {options.map(([option, name, hint]) => (
        <Fragment key={option}>
          <label className="download-option">
            <input type="radio" name={id} checked={option === value} onChange={() => onChange(option)} />
            <span>
              {name} <span className="small soft">{hint}</span>
            </span>
          </label>
          {below?.[option] && <div className="download-below">{below[option]}</div>}
        </Fragment>
      ))}
    </fieldset>
  );
}
