import { Button, Stack, Text } from '@mantine/core';
import { api } from '../api.ts';
import { useTexts } from '../texts.tsx';

/** Says that main did not answer with a state at all. An `app.changed` event replaces it, too. */
export function StartFailed() {
  const { t } = useTexts();
  return (
    <Stack component="main" align="center" justify="center" p="xl" flex={1}>
      <Text role="alert">{t('app.startFailed')}</Text>
      <Button onClick={() => void api.app.state()}>{t('app.tryAgain')}</Button>
    </Stack>
  );
}
