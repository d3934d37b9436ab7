import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './question-dialog.module.css';
import { useFocusReturn } from './use-focus-return.ts';

interface QuestionProps {
  /** The question itself. */
  title: string;
  /** What it is about, above the question, such as a production server's name. */
  about?: ReactNode;
  /** What the answers do, in a sentence. */
  help: ReactNode;
  /** The buttons. The first one changes nothing and stands apart. */
  answers: ReactNode;
  /** Escape does what the first answer does. */
  onKeep: () => void;
  /** What is asked for beside the answer, such as a field. */
  children?: ReactNode;
}

const atOnce = { duration: 0 };

/** Asks one question over the window. Its answers are verbs, and the focus goes back afterwards. */
export function QuestionDialog({ title, about, help, answers, onKeep, children }: QuestionProps) {
  useFocusReturn();
  return (
    <Modal.Root opened onClose={onKeep} size={460} radius={12} centered transitionProps={atOnce}>
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

interface LossQuestionProps extends Omit<QuestionProps, 'answers'> {
  keep: string;
  goOn: string;
  sending?: boolean;
  onGoOn: () => void;
}

/** Asks before something is lost. What loses nothing has the focus. */
export const ConfirmDialog = ({ keep, goOn, sending, onGoOn, ...question }: LossQuestionProps) => (
  <QuestionDialog
    {...question}
    answers={
      <>
        <Button variant="default" data-autofocus onClick={question.onKeep}>
          {keep}
        </Button>
        <Button variant="outline" color="red" aria-busy={sending} onClick={onGoOn}>
          {goOn}
        </Button>
      </>
    }
  />
);
