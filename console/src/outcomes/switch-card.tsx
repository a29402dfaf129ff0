// Outcomes are off: what they are for, what they keep of people, and the switch. Beside the accuracy, the way back.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { switching as text } from '../messages/en-outcomes.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { useAccount } from '../shell/session.ts';
import { outcomesProblem } from './outcomes-problem.ts';
import { useSettings } from './use-outcomes.ts';

/** What is shown where outcomes are on; where they are off, the switch. */
export function WhereOn({ children }: { readonly children: ReactNode }) {
  const settings = useSettings();
  if (settings.isError) return <ProblemNotice>{outcomesProblem(settings.error)}</ProblemNotice>;
  if (!settings.data) return null;
  return settings.data.outcomes ? children : <SwitchOn />;
}

function useSwitch(isOn: boolean, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => mx.account.update({ outcomes: isOn }),
    onSuccess: async ({ settings }) => {
      queries.setQueryData(keys.settings, settings);
      await queries.invalidateQueries({ queryKey: keys.outcomes });
      onDone?.();
    },
  });
}

function SwitchOn() {
  const { data: account } = useAccount();
  const may = useMay();
  const on = useSwitch(true);
  return (
    <section className="card stack switch-card" aria-labelledby="off-title">
      <h2 id="off-title">{text.offTitle}</h2>
      <p>{text.offIntro}</p>
      <div>
        <h3>{text.keptTitle}</h3>
        <p className="soft">{text.kept}</p>
      </div>
      <p className="soft">
        {text.fromNow} {account?.isTest && text.test}
      </p>
      {on.isError && <ProblemNotice>{outcomesProblem(on.error)}</ProblemNotice>}
      {may.manage ? (
        <div>
          <Button variant="primary" isPending={on.isPending} onPress={() => on.mutate()}>
            {text.on}
          </Button>
        </div>
      ) : (
        <Notice>{text.ownersAlone}</Notice>
      )}
      <p className="small soft">{text.programs}</p>
    </section>
  );
}

export function SwitchOff() {
  const [isAsking, setAsking] = useState(false);
  const off = useSwitch(false, () => setAsking(false));
  const may = useMay();
  return (
    <>
      <p className="row small soft">
        {text.isOn}{' '}
        {may.manage && (
          <Button variant="quiet" onPress={() => setAsking(true)}>
            {text.off}
          </Button>
        )}
      </p>
      {isAsking && (
        <DialogBox title={text.question} isQuestion onClose={() => setAsking(false)}>
          <p>{text.questionMeaning}</p>
          {off.isError && <ProblemNotice>{outcomesProblem(off.error)}</ProblemNotice>}
          <div className="row">
            <Button variant="danger" isDisabled={off.isPending} onPress={() => off.mutate()}>
              {text.confirm}
            </Button>
            <Button slot="close">{messages.cancel}</Button>
          </div>
        </DialogBox>
      )}
    </>
  );
}
