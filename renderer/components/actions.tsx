import { Button, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../api.ts';

interface ActionsProps {
  label: string;
  sending: boolean;
  /** Whole seconds left to wait. The button stays focusable meanwhile. */
  wait: number;
}

/** Shows the one submit button of a form. It keeps the focus while the server is asked, so it is never `disabled`. */
export function Actions({ label, sending, wait }: ActionsProps) {
  const { t } = useTranslation();
  const blocked = sending || wait > 0;
  return (
    <div>
      <Button type="submit" fullWidth aria-busy={sending} aria-disabled={blocked}>
        {/* The spinner takes no place in the line, so that the label stays where it is. */}
        {sending && <Loader size="xs" color="currentColor" pos="absolute" left={16} aria-hidden />}
        {label}
      </Button>
      <Cancelling sending={sending} waiting={t('app.waiting')} />
    </div>
  );
}

/** Says that the server is being asked, and offers to stop it. Its place is held while there is nothing to say. */
function Cancelling({ sending, waiting }: { sending: boolean; waiting: string }) {
  const { t } = useTranslation();
  return (
    <Group justify="space-between" wrap="nowrap" mt="xs" mih={30}>
      <Text component="output" size="sm" c="dimmed">
        {sending && waiting}
      </Text>
      {sending && (
        <Button variant="default" size="xs" onClick={() => void api.session.cancel()}>
          {t('app.cancel')}
        </Button>
      )}
    </Group>
  );
}
