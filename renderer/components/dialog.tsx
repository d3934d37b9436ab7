import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './dialog.module.css';
import { useFocusReturn } from './use-focus-return.ts';
import { t } from '../i18n.ts';

interface DialogProps {
  title: string;
  size?: 'md' | 'lg' | 'xl';
  onClose: () => void;
  children: ReactNode;
}

const atOnce = { duration: 0 };

/** A modal dialog. Escape and the cross close it; the focus stays inside, and returns when it is closed. */
export function Dialog({ title, size = 'md', onClose, children }: DialogProps) {
  useFocusReturn();
  return (
    <Modal
      opened
      classNames={{ content: classes.content }}
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
