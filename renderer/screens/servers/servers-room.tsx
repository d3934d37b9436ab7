import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api, currentAppState } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Room } from '../../components/room.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BinIcon, CheckIcon, CopyIcon, DownIcon, PencilIcon, UpIcon } from '../../components/icons.tsx';
import classes from '../../app.module.css';
import { serverName } from '../../server-name.ts';
import { useAttempt } from '../../use-attempt.ts';
import { ServerForm } from './server-form.tsx';

type View = { kind: 'list' } | { kind: 'form'; id?: string } | { kind: 'delete'; id: string };

interface ServersRoomProps {
  state: AppState;
  /** The server to begin with. */
  editing?: string | undefined;
}

/** Lists all servers, to order, create, edit, duplicate, delete, import and export them. */
export function ServersRoom({ state, editing }: ServersRoomProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>(editing === undefined ? { kind: 'list' } : { kind: 'form', id: editing });
  const chosen = 'id' in view ? state.servers.find(({ id }) => id === view.id) : undefined;
  const toList = () => setView({ kind: 'list' });
  const name = serverName(chosen, t);

  if (view.kind === 'form') {
    return (
      <Room title={chosen ? t('server.edit', { name }) : t('server.new')}>
        <ServerForm key={view.id} server={chosen} onDone={toList} />
      </Room>
    );
  }
  if (view.kind === 'delete' && chosen) {
    return (
      <Dialog title={t('server.deleteTitle', { name })} onClose={toList}>
        <Deletion server={chosen} state={state} onDone={toList} />
      </Dialog>
    );
  }
  return (
    <Room title={t('server.menu')}>
      <List state={state} onView={setView} />
    </Room>
  );
}

function List({ state, onView }: { state: AppState; onView: (view: View) => void }) {
  const { t } = useTranslation();
  const { servers, activeServerId } = state;
  const attempt = useAttempt(activeServerId);
  const alertRef = useRef<HTMLDivElement>(null);
  const [imported, setImported] = useState<number>();
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  async function importFile() {
    setImported(undefined);
    const before = servers.length;
    const result = await attempt.run(api.servers.importFile);
    // This reads the state of the answer and not the one of this render.
    if (result?.ok) setImported((currentAppState()?.servers.length ?? before) - before);
  }

  return (
    <Stack gap="md">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
      <ul className={classes.entries}>
        {servers.map((server, index) => (
          <li key={server.id} className={classes.entry}>
            <Entry server={server} active={server.id === activeServerId} />
            <Group gap="xs">
              {(
                [
                  ['use', () => api.servers.choose({ id: server.id }), server.id !== activeServerId],
                  ['up', () => api.servers.move({ id: server.id, by: -1 }), index > 0],
                  ['down', () => api.servers.move({ id: server.id, by: 1 }), index < servers.length - 1],
                  ['duplicate', () => api.servers.duplicate({ id: server.id }), server.baseUrl !== ''],
                ] as const
              ).map(([verb, call, possible]) => (
                <EntryButton
                  key={verb}
                  verb={verb}
                  server={server}
                  possible={possible}
                  onPress={() => void attempt.run(call)}
                />
              ))}
              <EntryButton
                verb="edit"
                server={server}
                possible
                onPress={() => onView({ kind: 'form', id: server.id })}
              />
              <EntryButton
                verb="delete"
                server={server}
                possible={!server.builtIn}
                onPress={() => onView({ kind: 'delete', id: server.id })}
              />
            </Group>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t('server.shortcut')}
      </Text>
      <Text component="output" size="sm">
        {imported !== undefined &&
          (imported === 0 ? t('server.nothingNew') : t('server.imported', { number: imported }))}
      </Text>
      <Group>
        <Button data-autofocus onClick={() => onView({ kind: 'form' })}>
          {t('server.new')}
        </Button>
        <Button variant="default" onClick={() => void importFile()}>
          {t('server.import')}
        </Button>
        <Button variant="default" onClick={() => void attempt.run(api.servers.exportFile)}>
          {t('server.export')}
        </Button>
      </Group>
    </Stack>
  );
}

function Entry({ server, active }: { server: Server; active: boolean }) {
  const { t } = useTranslation();
  const facts = [
    t(`colour.${server.colour}`),
    ...(server.production ? [t('server.production')] : []),
    ...(active ? [t('server.inUse')] : []),
  ];
  return (
    <div>
      <Text size="sm" fw={600}>
        <span className={classes.swatch} data-colour={server.colour} aria-hidden /> {serverName(server, t)}
      </Text>
      <Text size="xs">
        <bdi>{server.baseUrl}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {server.notes !== '' && (
        <Text size="xs" c="dimmed" lineClamp={3}>
          {server.notes}
        </Text>
      )}
    </div>
  );
}

const icons = {
  use: CheckIcon,
  up: UpIcon,
  down: DownIcon,
  duplicate: CopyIcon,
  edit: PencilIcon,
  delete: BinIcon,
} as const;

interface EntryButtonProps {
  verb: keyof typeof icons;
  server: Server;
  possible: boolean;
  onPress: () => void;
}

/** Shows a button that stays focusable when it can do nothing, so that an entry at the end keeps the focus. */
function EntryButton({ verb, server, possible, onPress }: EntryButtonProps) {
  const { t } = useTranslation();
  const Icon = icons[verb];
  const label = t(`server.${verb}`, { name: serverName(server, t) });
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={label}
      title={label}
      aria-disabled={!possible}
      onClick={() => possible && onPress()}
    >
      <Icon />
    </Button>
  );
}

interface DeletionProps {
  server: Server;
  state: AppState;
  onDone: () => void;
}

function Deletion({ server, state, onDone }: DeletionProps) {
  const { t } = useTranslation();
  const attempt = useAttempt(state.activeServerId);
  const held = state.sessions.filter(({ serverId }) => serverId === server.id).length;

  async function remove() {
    const result = await attempt.run(() => api.servers.remove({ id: server.id }));
    if (result?.ok) onDone();
  }

  return (
    <Stack gap="md">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
      <Text size="sm">{t('server.deleteHelp', { number: held })}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onDone}>
          {t('server.keep')}
        </Button>
        <Button color="red" aria-busy={attempt.sending} onClick={() => void remove()}>
          {t('server.deleteNow')}
        </Button>
      </Group>
    </Stack>
  );
}
