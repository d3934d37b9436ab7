import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './question-dialog.module.css';
import { useFocusReturn } from './use-focus-return.ts';

interface QuestionDialogProps {
  title: string;
  /** The subject above the question, such as the name of a production server. */
  about?: ReactNode;
  /** The effect of the answers, in one sentence. */
  help: ReactNode;
  /** The buttons. The first one changes nothing and is apart from the others. */
  answers: ReactNode;
  /** Called by Escape; the same as the first button. */
  onCancel: () => void;
  /** Further input, such as a field. */
  children?: ReactNode;
}

const atOnce = { duration: 0 };

/** A modal question. Its buttons are verbs, and the focus returns when it is closed. */
export function QuestionDialog({ title, about, help, answers, onCancel, children }: QuestionDialogProps) {
  useFocusReturn();
  return (
    <Modal.Root opened onClose={onCancel} size={460} radius={12} centered transitionProps={atOnce}>
      <Modal.Overlay transitionProps={atOnce} />
      <Modal.Content className={classes.content}>
        <Modal.Body className={classes.body}>
          {about && <div className={classes.about}>{about}</div>}
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <p className={classes.help}>{help}</p>
          {children}
          <div className={classes.answers}>{answers}</div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

interface ConfirmDialogProps extends Omit<QuestionDialogProps, 'answers'> {
  cancel: string;
  confirm: string;
  sending?: boolean;
  onConfirm: () => void;
}

/** Asks before something is lost. The focus is on the button that loses nothing. */
export const ConfirmDialog = ({ cancel, confirm, sending, onConfirm, ...question }: ConfirmDialogProps) => (
  <QuestionDialog
    {...question}
    answers={
      <>
        <Button variant="default" data-autofocus onClick={question.onCancel}>
          {cancel}
        </Button>
        <Button variant="outline" color="red" aria-busy={sending} onClick={onConfirm}>
          {confirm}
        </Button>
      </>
    }
  />
);
