import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isReadableOnTheWay } from './readable-on-the-way.ts';
import { Message } from '../components/message.tsx';
import { NewsItem } from './news-item.tsx';

/** Warns below the screen while passwords and tokens would cross a network in clear. */
export function UnencryptedBanner({ baseUrl }: { baseUrl: string }) {
  const { t } = useTranslation();
  if (!isReadableOnTheWay(baseUrl)) return null;
  return (
    <NewsItem>
      <Message tone="warning" announce="status">
        <Text size="sm">{t('connection.plain')}</Text>
      </Message>
    </NewsItem>
  );
}
