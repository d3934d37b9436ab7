import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './question-dialog.module.css';
import { useFocusReturn } from './use-focus-return.ts';

interface QuestionDialogProps {
  /** The question itself. */
  title: string;
  /** What it is about, above the question, such as a production server's name. */
  about?: ReactNode;
  /** What the answers do, in a sentence. */
  help: ReactNode;
  /** The buttons. The first one changes nothing and stands apart. */
  answers: ReactNode;
  /** Escape does what the first answer does. */
  onCancel: () => void;
  /** What is asked for beside the answer, such as a field. */
  children?: ReactNode;
}

const atOnce = { duration: 0 };

/** Asks one question over the window. Its answers are verbs, and the focus goes back afterwards. */
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

/** Asks before something is lost. What loses nothing has the focus. */
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
