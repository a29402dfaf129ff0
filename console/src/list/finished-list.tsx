// A list that is done: what to do with it, first of all.
import type { ListSummary } from '@mxproof/client';
import { Charts } from './charts.tsx';

export function FinishedList({ list }: { readonly list: ListSummary }) {
  return <Charts list={list} />;
}
