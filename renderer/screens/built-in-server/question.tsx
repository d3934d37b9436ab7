import { Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { Dialog } from '../../components/dialog.tsx';

interface QuestionProps {
  title: string;
  /** What happens if the person goes on. */
  text: string;
  keep: string;
  goOn: string;
  sending: boolean;
  onKeep: () => void;
  onGoOn: () => void;
}

/** Asks before something is lost. What loses nothing has the focus, and Escape does the same. */
export function Question({ title, text, keep, goOn, sending, onKeep, onGoOn }: QuestionProps) {
  const id = useId();
  return (
    <Dialog title={title} onClose={onKeep}>
      <Text size="sm" id={id}>
        {text}
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button data-autofocus variant="default" aria-describedby={id} onClick={onKeep}>
          {keep}
        </Button>
        <Button variant="outline" color="red" aria-describedby={id} aria-busy={sending} onClick={onGoOn}>
          {goOn}
        </Button>
      </Group>
    </Dialog>
  );
}
