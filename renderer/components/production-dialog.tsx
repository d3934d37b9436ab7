import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { serverName } from '../server-name.ts';
import { type ProductionQuestion, productionQuestion } from '../production-question.ts';
import { sayError } from '../say-error.ts';
import { useAttempt } from '../use-attempt.ts';
import { Dialog } from './dialog.tsx';

/** Asks for the host of a production server while a call waits for it. */
export function ProductionDialog({ state }: { state: AppState }) {
  const question = useSyncExternalStore(productionQuestion.subscribe, productionQuestion.current);
  return question && <Question key={`${question.serverId} ${question.host}`} state={state} question={question} />;
}

function Question({ state, question }: { state: AppState; question: ProductionQuestion }) {
  const { t, i18n } = useTranslation();
  const { serverId, host, declinable } = question;
  const [typed, setTyped] = useState('');
  const attempt = useAttempt(serverId);
  const server = state.servers.find(({ id }) => id === serverId);
  const said = attempt.failure && sayError(attempt.failure.error, 'server', t, i18n.language);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const result = await attempt.run(() => api.servers.confirmProduction({ id: serverId, host: typed }));
    if (result?.ok) productionQuestion.answer('confirmed');
  }

  return (
    <Dialog title={t('production.title')} onClose={() => productionQuestion.answer('cancelled')}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          <Text size="sm" fw={600}>
            {serverName(server, t)}
          </Text>
          <TextInput
            data-autofocus
            label={t('production.host')}
            description={t('production.help', { host })}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              attempt.dismiss();
            }}
            error={said && `${said.says} ${said.advice}`}
            autoCapitalize="none"
            autoCorrect="off"
            autoComplete="off"
            spellCheck={false}
          />
          <Group justify="flex-end">
            {declinable && (
              <Button variant="default" onClick={() => productionQuestion.answer('declined')}>
                {t('production.decline')}
              </Button>
            )}
            <Button variant="default" onClick={() => productionQuestion.answer('cancelled')}>
              {t('app.cancel')}
            </Button>
            <Button type="submit" color="red" aria-busy={attempt.sending}>
              {t('production.confirm')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
