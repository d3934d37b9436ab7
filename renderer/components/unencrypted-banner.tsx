import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './banner.module.css';
import { isReadableOnTheWay } from '../readable-on-the-way.ts';
import { Message } from './message.tsx';

/** Stands above the screen while passwords and tokens would cross a network in clear. */
export function UnencryptedBanner({ baseUrl }: { baseUrl: string }) {
  const { t } = useTranslation();
  if (!isReadableOnTheWay(baseUrl)) return null;
  return (
    <div className={classes.banner}>
      <Message tone="warning" announce="status">
        <Text size="sm">{t('connection.plain')}</Text>
      </Message>
    </div>
  );
}
