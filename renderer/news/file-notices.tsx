import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileNotice } from '../../preload/contract/models.ts';
import { Message } from '../components/message.tsx';
import { NewsItem } from './news-item.tsx';

const subjects = {
  'config.json': 'config',
  'vault.json': 'vault',
  'lock.json': 'pin',
  'exchanges.sqlite': 'calls',
} as const;

/** Says below the screen that a file of the profile could not be used as it was, until a person hides it. */
export function FileNotices({ notices }: { notices: FileNotice[] }) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<string[]>([]);
  return notices.map((notice) => {
    const key = JSON.stringify(notice);
    const { file, problem, kept } = notice;
    if (hidden.includes(key)) return null;
    return (
      <NewsItem key={key}>
        <Message
          tone="warning"
          announce="status"
          row
          aside={
            <Button variant="subtle" size="compact-sm" onClick={() => setHidden([...hidden, key])}>
              {t('files.dismiss')}
            </Button>
          }
        >
          <Text size="sm">{t(`files.${problem}`, { what: t(`files.${subjects[file]}`) })}</Text>
          {kept !== undefined && <Text size="sm">{t('files.kept', { kept })}</Text>}
        </Message>
      </NewsItem>
    );
  });
}
