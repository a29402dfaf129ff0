// A panel over the side of the page: its title, its content, closed by Escape or a click beside it. Closing it goes back to
// where it was opened.
import './overlay.css';
import './side-panel.css';
import { type ReactNode, useLayoutEffect, useState } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { messages } from '../messages/messages.ts';
import { Button } from './button.tsx';

export function SidePanel({
  title,
  isText = false,
  onClose,
  children,
}: {
  readonly title: string;
  /** Not an address: it is written as text is. */
  readonly isText?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  useScrollbarWidth();
  return (
    <ModalOverlay
      className="overlay overlay-side"
      isDismissable
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Modal className="side-panel">
        <Dialog className="stack">
          <div className="row side-panel-head">
            <Heading slot="title" className={`side-panel-title${isText ? '' : ' mono'}`}>
              {title}
            </Heading>
            <Button slot="close" variant="quiet">
              {messages.close}
            </Button>
          </div>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** For the style: as wide as it is before the panel takes it away. */
function useScrollbarWidth(): void {
  const [widthPx] = useState(() => window.innerWidth - document.documentElement.clientWidth);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty('--scrollbar-width', `${widthPx}px`);
  }, [widthPx]);
}
