import { Button, Menu } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { ReplayChange } from '../../../preload/contract/calls.ts';
import type { HeldSession } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ChevronIcon, ReplayIcon } from '../../components/icons.tsx';
import { useTexts } from '../../texts.tsx';
import classes from './details.module.css';
import { sayChange } from './say-change.ts';

interface ReplayMenuProps {
  id: string;
  sessions: readonly HeldSession[];
  sending: boolean;
  onChoose: (change: ReplayChange | undefined) => void;
  /** Called when the call cannot be replayed. */
  onFailed: (error: AppError) => void;
}

const groups = ['headers', 'token', 'body'] as const;

const groupOf: Record<ReplayChange['change'], (typeof groups)[number]> = {
  'without-accept': 'headers',
  'wrong-content-type': 'headers',
  'no-token': 'token',
  'broken-token': 'token',
  'lower-case-bearer': 'token',
  'other-token': 'token',
  'malformed-json': 'body',
  'body-on-profile': 'body',
  'field-missing': 'body',
  'field-number': 'body',
  'cpassword-differs': 'body',
};

/** Sends the request once more, as it was or with a change that it can have now. Main is asked for these each time. */
export function ReplayMenu({ id, sessions, sending, onChoose, onFailed }: ReplayMenuProps) {
  const { t } = useTexts();
  const [changes, setChanges] = useState<readonly ReplayChange[]>();

  async function toggle(open: boolean) {
    if (!open) {
      setChanges(undefined);
      return;
    }
    if (sending) return;
    const result = await api.calls.replayChanges({ id });
    if (result.ok) setChanges(result.value.changes);
    else onFailed(result.error);
  }

  const grouped = groups.map((group) => ({
    group,
    members: changes?.filter(({ change }) => groupOf[change] === group) ?? [],
  }));
  return (
    <Menu
      position="bottom-end"
      width={300}
      // The menu scrolls, so Tab reaches what is in it as well as the arrows.
      menuItemTabIndex={0}
      middlewares={{ flip: true, shift: true, size: true }}
      opened={changes !== undefined}
      onChange={(open) => void toggle(open)}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="compact-sm"
          aria-busy={sending}
          leftSection={<ReplayIcon />}
          rightSection={<ChevronIcon size={14} />}
        >
          {t('replay.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('replay.open')} className={classes.longMenu}>
        <Menu.Item onClick={() => onChoose(undefined)}>{t('replay.asItWas')}</Menu.Item>
        {grouped.map(
          ({ group, members }) =>
            members.length > 0 && (
              <Fragment key={group}>
                <Menu.Label>{t(`replay.${group}`)}</Menu.Label>
                {members.map((change) => (
                  <Menu.Item key={JSON.stringify(change)} onClick={() => onChoose(change)}>
                    {sayChange(change, sessions, t)}
                  </Menu.Item>
                ))}
              </Fragment>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
