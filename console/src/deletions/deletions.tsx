// Shows the deletions that can be undone, on every page; its content is loaded with the first of them.
import './deletions.css';
import { lazy, Suspense } from 'react';
import { usePendingDeletions } from './pending-deletions.ts';

const DeletionsBar = lazy(() =>
  import('./deletions-bar.tsx').then(({ DeletionsBar }) => ({ default: DeletionsBar })),
);

export function Deletions({ account }: { readonly account: string }) {
  const pending = usePendingDeletions().filter((deletion) => deletion.account === account);
  return (
    <div className="deletions" role="status">
      {pending.length > 0 && (
        <Suspense>
          <DeletionsBar pending={pending} />
        </Suspense>
      )}
    </div>
  );
}
