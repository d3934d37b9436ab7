import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

interface DialogProps {
  title: string;
  size?: 'md' | 'lg' | 'xl';
  onClose: () => void;
  children: ReactNode;
}

const atOnce = { duration: 0 };

/** A modal dialog, there as long as it is rendered: Escape and the cross close it, the focus stays inside and goes back. */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  const { t } = useTranslation();
  useFocusReturn();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      transitionProps={atOnce}
      overlayProps={{ transitionProps: atOnce }}
      closeButtonProps={{ 'aria-label': t('app.close') }}
    >
      {children}
    </Modal>
  );
}

/** Mantine gives the focus back to where it was only when a dialog stays rendered while it is closed. */
function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Whoever has the focus by now has been given it on purpose.
      if (document.activeElement !== document.body) return;
      // The item of a menu goes with its menu.
      const isThere =
        before instanceof HTMLElement &&
        before.isConnected &&
        before !== document.body &&
        !before.closest('[role=menu]');
      (isThere ? before : document.querySelector('h1'))?.focus();
    },
    [before],
  );
}
