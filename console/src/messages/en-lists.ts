// English, of the page of lists: loaded with it, since the first script has no room for more.
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

export const listsMessages = {
  title: 'Lists',
  search: 'Search lists',
  found: (count: number) => `${some(count, 'list', 'lists')} found`,
  noneFound: 'No lists match. Search for another name.',
  more: 'Show older lists',
  renamedPartly: (left: number, all: number) =>
    `${formatCount(left)} of its ${formatCount(all)} lists still ${left === 1 ? 'has' : 'have'} the old name: save again.`,
  select: (name: string) => `Select ${name}`,
  selectAll: 'Select all',
  selected: (count: number) => `${some(count, 'list', 'lists')} selected`,
  selectedMost: (most: number) => `At most ${formatCount(most)} lists can be deleted at once.`,
  runningStay: 'A list that is being checked cannot be selected: stop it first.',
  deleteSelected: 'Delete',
  several: (count: number) => some(count, 'list', 'lists'),
  made: {
    retries: (addresses: number) => `${some(addresses, 'address', 'addresses')} checked again`,
    corrections: (addresses: number) => `${some(addresses, 'address', 'addresses')} corrected`,
  },
  checkingAgain: (share: string) => `Checking again: ${share}`,
  withoutLater: 'without what was checked again',
  done: (share: string) => `Done: ${share} to send`,
  stopped: (checked: string, total: string) => `Stopped: ${checked} of ${total} checked`,
  running: (share: string) => `Checking: ${share}`,
  paused: (share: string) => `Paused: ${share}`,
  emptyForViewers: 'There are no lists yet. As a viewer, you will see them here once a member checks one.',
  emptyTitle: 'No lists yet',
  emptyHint:
    'Drop a CSV, Excel or text file of addresses. You see the cost before anything is charged, and get your file back with the results added.',
  drop: 'Drop a file',
  emptyAction: 'Drop your first file',
};
