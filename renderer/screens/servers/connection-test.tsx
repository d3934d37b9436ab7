import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EnteredConnection } from '../../../preload/contract/connection.ts';
import type { ConnectionReport } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';

type Test =
  | { step: 'idle' }
  | { step: 'asking' }
  | { step: 'found'; asked: string; report: ConnectionReport }
  | { step: 'failed'; asked: string; error: AppError };

interface ConnectionTestProps {
  address: string;
  /** It is undefined for the built-in server. */
  connection: EnteredConnection | undefined;
  /** It is undefined for a new server. */
  serverId: string | undefined;
}

/** Asks what answers at the address, over the connection as both are typed now. Nothing about a person is sent. */
export function ConnectionTest({ address, connection, serverId }: ConnectionTestProps) {
  const { t } = useTranslation();
  const [test, setTest] = useState<Test>({ step: 'idle' });
  const typed = JSON.stringify([address, connection]);
  const askRef = useRef<HTMLButtonElement>(null);
  const asking = useRef(false);
  // Nobody waits for it any more when the form is gone.
  useEffect(
    () => () => {
      if (asking.current) void api.servers.cancelTest();
    },
    [],
  );

  async function ask() {
    if (asking.current) return;
    asking.current = true;
    setTest({ step: 'asking' });
    const result = await api.servers.test({ address, enteredConnection: connection, id: serverId });
    asking.current = false;
    setTest(
      result.ok
        ? { step: 'found', asked: typed, report: result.value }
        : { step: 'failed', asked: typed, error: result.error },
    );
  }

  function cancel() {
    void api.servers.cancelTest();
    // The button that had the focus goes away.
    askRef.current?.focus();
  }

  // A finding holds only for the address and connection that were asked about.
  const shown = 'asked' in test && test.asked !== typed ? undefined : test;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          ref={askRef}
          variant="default"
          size="xs"
          aria-busy={test.step === 'asking'}
          aria-disabled={test.step === 'asking'}
          onClick={() => void ask()}
        >
          {test.step === 'asking' ? t('server.testing') : t('server.test')}
        </Button>
        {test.step === 'asking' && (
          <Button variant="subtle" size="xs" onClick={cancel}>
            {t('server.cancelTest')}
          </Button>
        )}
      </Group>
      {shown?.step === 'found' && <Report report={shown.report} />}
      {shown?.step === 'failed' && (
        <Message tone="error">
          <ErrorText error={shown.error} during="server" />
        </Message>
      )}
    </Stack>
  );
}

function Report({ report }: { report: ConnectionReport }) {
  const { t } = useTranslation();
  if (!report.reached)
    return (
      <Message tone={report.error.kind === 'cancelled' ? 'info' : 'error'}>
        <ErrorText error={report.error} during="server" />
      </Message>
    );
  const { baseUrl, status, milliseconds, answered, secure, software } = report;
  return (
    <Message tone={answered === 'asks-for-token' ? 'info' : 'warning'}>
      <Text size="sm" fw={600}>
        {t(`server.answered.${answered}`)}
      </Text>
      <Text size="sm">{t('server.reached', { baseUrl, status, milliseconds })}</Text>
      <Text size="sm">{t(secure ? 'server.secure' : 'server.insecure')}</Text>
      {software !== undefined && (
        <Text size="sm">
          <bdi>{t('server.software', { software })}</bdi>
        </Text>
      )}
    </Message>
  );
}
