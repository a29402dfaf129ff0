// A dialogue over the page: its title, its content, closed by Escape.
import './overlay.css';
import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';

export function DialogBox({
  title,
  isQuestion = false,
  isDismissable = !isQuestion,
  onClose,
  children,
}: {
  readonly title: string;
  /** It asks before something that cannot be undone: a click beside it is no answer. */
  readonly isQuestion?: boolean;
  /** A click beside it closes it. */
  readonly isDismissable?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  return (
    <ModalOverlay
      className="overlay"
      isDismissable={isDismissable}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="modal card">
        <Dialog className="stack" role={isQuestion ? 'alertdialog' : 'dialog'}>
          <Heading slot="title">{title}</Heading>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
