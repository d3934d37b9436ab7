import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { AppError } from '../../preload/contract/result.ts';
import { api } from '../api.ts';
import { useTexts } from '../texts.tsx';
import { useSayError } from '../use-say-error.ts';

/** These answers were pages for people, which only a browser can show. */
const pages: ReadonlySet<string> = new Set(['html', 'captive-portal', 'protection-page', 'redirect-to-login']);

/** Opens the address of the server in the browser; main asks first and shows the host. */
export function OpenInBrowser({ error }: { error: AppError }) {
  const { t } = useTexts();
  const sayError = useSayError();
  const [failed, setFailed] = useState<AppError>();
  if (error.kind !== 'not-an-api-answer' || !pages.has(error.reason)) return null;

  async function open() {
    const result = await api.servers.openInBrowser();
    setFailed(result.ok ? undefined : result.error);
  }

  const said = failed && sayError(failed, 'server');
  return (
    <div>
      <Button size="xs" variant="default" onClick={() => void open()}>
        {t('openInBrowser')}
      </Button>
      <Text component="output" display="block" size="sm">
        {said && `${said.says} ${said.advice}`}
      </Text>
    </div>
  );
}
