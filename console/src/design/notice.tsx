// Something to know before going on. A problem is announced at once; the others when there is a pause.
import type { ReactNode } from 'react';

export function Notice({
  tone = 'plain',
  children,
}: {
  readonly tone?: 'plain' | 'good' | 'warning';
  readonly children: ReactNode;
}) {
  return (
    <div className="notice" data-tone={tone} role="status">
      {children}
    </div>
  );
}

export function ProblemNotice({ children }: { readonly children: ReactNode }) {
  return (
    <div className="notice" data-tone="problem" role="alert">
      {children}
    </div>
  );
}
