// The import that is under way. Kept outside of the page's components, so that it goes on while another page is looked at. One at a
// time.
import type { FileFault } from '@mxproof/files/open-table';
import { useSyncExternalStore } from 'react';
import { sessionProof } from '../shell/session-proof.ts';
import type {
  ImportEvent,
  ImportProgress,
  ImportRequest,
  OpenedFile,
  ReadingChoices,
} from './import.worker.ts';

export type ImportRun =
  | {
      readonly stage: 'none';
      readonly fault: FileFault | 'unexpected' | null;
      readonly sentence: string | null;
    }
  | { readonly stage: 'opening'; readonly file: File }
  | {
      readonly stage: 'review';
      readonly file: File;
      readonly opened: OpenedFile;
      readonly choices: ReadingChoices;
      /** Another choice is being read. */
      readonly isBusy: boolean;
    }
  | { readonly stage: 'sending'; readonly file: File; readonly progress: ImportProgress | null }
  | {
      readonly stage: 'stopped';
      readonly file: File;
      readonly progress: ImportProgress;
      readonly sentence: string;
    }
  | {
      readonly stage: 'done';
      readonly file: File;
      readonly progress: ImportProgress | null;
      readonly isCancelled: boolean;
    };

const NONE: ImportRun = { stage: 'none', fault: null, sentence: null };
const FOUND: ReadingChoices = { columns: {}, assumed: null };

let run: ImportRun = NONE;
let worker: Worker | null = null;
const watchers = new Set<() => void>();

export function useImportRun(): ImportRun {
  return useSyncExternalStore(watch, () => run);
}

/** While one is sent, no other is taken. */
export function takeOutcomeFile(file: File): void {
  if (run.stage === 'sending' || run.stage === 'stopped') return;
  change({ stage: 'opening', file });
  begin(file, FOUND);
}

/** Other columns, or what became of all of them. */
export function chooseReading(choices: ReadingChoices): void {
  if (run.stage !== 'review') return;
  change({ ...run, choices, isBusy: true });
  begin(run.file, choices);
}

function begin(file: File, choices: ReadingChoices): void {
  start({ kind: 'open', file, choices }, (event) => {
    if (event.kind === 'opened')
      change({ stage: 'review', file, opened: event.opened, choices, isBusy: false });
  });
}

export function sendOutcomes(): void {
  if (run.stage !== 'review') return;
  const { file, choices } = run;
  change({ stage: 'sending', file, progress: null });
  start({ kind: 'send', file, choices, proof: sessionProof() }, (event) => {
    if (event.kind === 'progress') change({ stage: 'sending', file, progress: event.progress });
    if (event.kind === 'stopped')
      change({ stage: 'stopped', file, progress: event.progress, sentence: event.sentence });
    if (event.kind === 'done') {
      end();
      change({ stage: 'done', file, progress: event.progress, isCancelled: false });
    }
  });
}

export function goOnSending(): void {
  if (run.stage !== 'stopped') return;
  change({ stage: 'sending', file: run.file, progress: run.progress });
  worker?.postMessage({ kind: 'go_on', proof: sessionProof() } satisfies ImportRequest);
}

/** What was sent stays. */
export function stopSending(): void {
  if (run.stage !== 'sending' && run.stage !== 'stopped') return;
  end();
  change({ stage: 'done', file: run.file, progress: run.progress, isCancelled: true });
}

export function putFileBack(): void {
  end();
  change(NONE);
}

function start(request: ImportRequest, onEvent: (event: ImportEvent) => void): void {
  end();
  const mine = startWorker((event) => {
    if (worker !== mine) return;
    if (event.kind !== 'failed') return onEvent(event);
    end();
    change({
      stage: 'none',
      fault: event.fault ?? (event.sentence === null ? 'unexpected' : null),
      sentence: event.sentence,
    });
  });
  worker = mine;
  mine.postMessage(request);
}

export function startWorker(onEvent: (event: ImportEvent) => void): Worker {
  const started = new Worker(new URL('./import.worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data }: MessageEvent<ImportEvent>) => onEvent(data));
  started.addEventListener('error', () => onEvent({ kind: 'failed', fault: null, sentence: null }));
  return started;
}

function end(): void {
  worker?.terminate();
  worker = null;
}

function change(next: ImportRun): void {
  run = next;
  for (const notify of watchers) notify();
}

function watch(notify: () => void): () => void {
  watchers.add(notify);
  return () => watchers.delete(notify);
}
