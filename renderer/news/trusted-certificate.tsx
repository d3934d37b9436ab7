import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { Message } from '../components/message.tsx';
import { NewsItem } from './news-item.tsx';

/** Stands below the screen for as long as a server is trusted by its certificate alone. */
export function TrustedCertificateBanner({ server }: { server: Server }) {
  const { t } = useTranslation();
  if (server.pins.length === 0) return null;
  return (
    <NewsItem>
      <Message
        tone="info"
        row
        aside={
          <Button size="xs" variant="default" onClick={() => void api.servers.distrust({ id: server.id })}>
            {t('certificate.distrust')}
          </Button>
        }
      >
        <Text size="sm">{t('certificate.banner')}</Text>
      </Message>
    </NewsItem>
  );
}
