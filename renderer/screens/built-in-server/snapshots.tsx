import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { type Ref, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { BuiltInData } from '../../../preload/contract/built-in-server.ts';
import classes from './built-in-server.module.css';
import { createMoments } from './say-moment.ts';

interface SnapshotsProps {
  headingRef: Ref<HTMLHeadingElement>;
  /** It is undefined until main has answered. */
  snapshots: BuiltInData['snapshots'] | undefined;
  sending: boolean;
  onMake: () => void;
  onChoose: (kind: 'restore' | 'remove', id: string, atMs: number) => void;
}

/** Shows the snapshots of all accounts that a person has made. */
export function Snapshots({ headingRef, snapshots, sending, onMake, onChoose }: SnapshotsProps) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  return (
    <Stack gap="xs" component="section" aria-labelledby="builtInServer-snapshots">
      <Title order={3} size="h6" id="builtInServer-snapshots" ref={headingRef} tabIndex={-1}>
        {t('builtIn.data.snapshots')}
      </Title>
      <Text size="xs" c="dimmed">
        {t('builtIn.data.snapshotsHelp')}
      </Text>
      {snapshots?.length === 0 && <Text size="sm">{t('builtIn.data.noSnapshots')}</Text>}
      <ul className={classes.snapshots}>
        {snapshots?.map(({ id, atMs }) => (
          <li key={id} className={classes.snapshot}>
            <Text size="sm">{moments.moment(atMs)}</Text>
            <Group gap={4}>
              {(['restore', 'remove'] as const).map((kind) => (
                <Button
                  key={kind}
                  variant="default"
                  size="compact-xs"
                  aria-label={t(`builtIn.data.${kind}This`, { time: moments.moment(atMs) })}
                  onClick={() => onChoose(kind, id, atMs)}
                >
                  {t(`builtIn.data.${kind}`)}
                </Button>
              ))}
            </Group>
          </li>
        ))}
      </ul>
      <div>
        <Button variant="default" size="xs" aria-busy={sending} onClick={onMake}>
          {t('builtIn.data.make')}
        </Button>
      </div>
    </Stack>
  );
}
