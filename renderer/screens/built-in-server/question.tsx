import { Button, Group, Text } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import classes from './built-in-server.module.css';

interface QuestionProps {
  text: string;
  keep: string;
  goOn: string;
  sending: boolean;
  onKeep: () => void;
  onGoOn: () => void;
}

/** Asks before something is lost. It takes the focus on what loses nothing, and gives it back. */
export function Question({ text, keep, goOn, sending, onKeep, onGoOn }: QuestionProps) {
  const id = useId();
  const keepRef = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    keepRef.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <section className={classes.question} aria-labelledby={id}>
      <Text size="sm" id={id}>
        {text}
      </Text>
      <Group justify="flex-end" mt="xs">
        <Button ref={keepRef} variant="default" size="xs" aria-describedby={id} onClick={onKeep}>
          {keep}
        </Button>
        <Button color="red" size="xs" aria-describedby={id} aria-busy={sending} onClick={onGoOn}>
          {goOn}
        </Button>
      </Group>
    </section>
  );
}
