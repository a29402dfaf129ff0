// Everything to take away: the reader's own file with the results, or the results alone.
import '../design/overlay.css';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { messages } from '../messages/messages.ts';
import { fileStem, saveRows } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

const text = messages.downloads;

export function DownloadMenu({
  name,
  rows,
  isComplete,
  onOwnFile,
}: {
  readonly name: string;
  readonly rows: readonly PlacedRow[];
  readonly isComplete: boolean;
  readonly onOwnFile: () => void;
}) {
  return (
    <MenuTrigger>
      <Button variant="primary" isDisabled={!isComplete}>
        {text.title}
      </Button>
      <Popover className="menu card" placement="bottom end">
        <Menu className="menu-items">
          <MenuItem onAction={onOwnFile}>{text.ownFile}</MenuItem>
          <MenuItem onAction={() => void saveRows(rows, fileStem(name, 'results'), 'csv')}>
            {text.csv}
          </MenuItem>
          <MenuItem onAction={() => void saveRows(rows, fileStem(name, 'results'), 'xlsx')}>
            {text.xlsx}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
