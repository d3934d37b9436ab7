import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { VaultStatus } from '../../preload/contract/models.ts';
import { Message } from '../components/message.tsx';
import { sayMoreOfVault } from '../components/vault-text.tsx';
import { NewsItem } from './news-item.tsx';

/** Says that stored sessions cannot be read any more. The status bar has one line, which is too short for it. */
export function VaultNews({ vault }: { vault: VaultStatus }) {
  const { t, i18n } = useTranslation();
  const more = vault.state === 'protected' && sayMoreOfVault(vault, t, i18n.language);
  if (!more) return null;
  return (
    <NewsItem>
      <Message tone="warning" announce="status">
        <Text size="sm">{more}</Text>
      </Message>
    </NewsItem>
  );
}
