import { Button, Menu } from '@mantine/core';
import { Fragment, useState } from 'react';
import type { EditableRequest, NamedChange } from '../../../preload/contract/calls.ts';
import type { HeldSession } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ChevronIcon, ReplayIcon } from '../../components/icons.tsx';
import classes from './details.module.css';
import { sayChange } from './say-change.ts';
import { t } from '../../i18n.ts';

interface ReplayMenuProps {
  id: string;
  sessions: readonly HeldSession[];
  sending: boolean;
  onChoose: (change: NamedChange | undefined) => void;
  /** Called with the request that the person wants to edit. Without it, none can be edited here. */
  onEdit?: ((editable: EditableRequest) => void) | undefined;
  /** Called when the call cannot be replayed. */
  onFailed: (error: AppError) => void;
}

const groups = ['headers', 'token', 'body'] as const;

const groupOf: Record<NamedChange['change'], (typeof groups)[number]> = {
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
export function ReplayMenu({ id, sessions, sending, onChoose, onEdit, onFailed }: ReplayMenuProps) {
  const [offered, setOffered] = useState<{ changes: readonly NamedChange[]; editable: EditableRequest }>();

  async function toggle(open: boolean) {
    if (!open) {
      setOffered(undefined);
      return;
    }
    if (sending) return;
    const result = await api.calls.replayChanges({ id });
    if (result.ok) setOffered(result.value);
    else onFailed(result.error);
  }

  const grouped = groups.map((group) => ({
    group,
    members: offered?.changes.filter(({ change }) => groupOf[change] === group) ?? [],
  }));
  return (
    <Menu
      position="bottom-end"
      width={300}
      // The menu scrolls, so Tab reaches what is in it as well as the arrows.
      menuItemTabIndex={0}
      middlewares={{ flip: true, shift: true, size: true }}
      opened={offered !== undefined}
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
        {onEdit && <Menu.Item onClick={() => offered && onEdit(offered.editable)}>{t('edit.open')}</Menu.Item>}
        {grouped.map(
          ({ group, members }) =>
            members.length > 0 && (
              <Fragment key={group}>
                <Menu.Label>{t(`replay.${group}`)}</Menu.Label>
                {members.map((change) => (
                  <Menu.Item key={JSON.stringify(change)} onClick={() => onChoose(change)}>
                    {sayChange(change, sessions)}
                  </Menu.Item>
                ))}
              </Fragment>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
