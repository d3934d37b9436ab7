import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { sayError } from '../say-error.ts';
import { useAttempt } from '../use-attempt.ts';
import { Message } from '../components/message.tsx';
import { NewsItem } from './news-item.tsx';

/** Says below the screen, for as long as it is so, that a server is trusted by its certificate alone. */
export function TrustedCertificateBanner({ server }: { server: Server }) {
  const { t, i18n } = useTranslation();
  const attempt = useAttempt(server.id);
  const said = attempt.failure && sayError(attempt.failure.error, 'server', t, i18n.language);
  if (server.pins.length === 0) return null;
  return (
    <NewsItem>
      <Message
        tone="info"
        row
        aside={
          <Button
            size="xs"
            variant="default"
            onClick={() => void attempt.run(() => api.servers.distrust({ id: server.id }))}
          >
            {t('certificate.distrust')}
          </Button>
        }
      >
        <Text size="sm">{t('certificate.banner')}</Text>
        {said && (
          <Text size="sm">
            {said.says} {said.advice}
          </Text>
        )}
      </Message>
    </NewsItem>
  );
}
