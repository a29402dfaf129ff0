// The help that `?` opens; loaded with the first `?`.
import '../design/overlay.css';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { shortcutKeys } from '../messages/en-shortcuts.ts';
import { messages } from '../messages/messages.ts';

export function ShortcutHelp({
  keys = shortcutKeys,
  onClose,
}: {
  readonly keys?: readonly (readonly [key: string, meaning: string])[] | undefined;
  readonly onClose: () => void;
}) {
  return (
    <ModalOverlay className="overlay" isDismissable isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal card">
        <Dialog className="stack">
          <Heading slot="title">{messages.shortcuts.title}</Heading>
          <dl className="shortcuts">
            {keys.map(([key, meaning]) => (
              <div key={key} className="row">
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
          <Button slot="close">{messages.close}</Button>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
