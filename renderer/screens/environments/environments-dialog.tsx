import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Environment } from '../../../preload/contract/models.ts';
import { api, currentAppState } from '../../api.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BinIcon, CheckIcon, CopyIcon, DownIcon, PencilIcon, UpIcon } from '../../components/icons.tsx';
import classes from '../../app.module.css';
import { environmentName } from '../../environment-name.ts';
import { useAttempt } from '../../use-attempt.ts';
import { EnvironmentForm } from './environment-form.tsx';

type View = { kind: 'list' } | { kind: 'form'; id?: string } | { kind: 'delete'; id: string };

interface EnvironmentsDialogProps {
  state: AppState;
  /** The environment to begin with. */
  editing?: string;
  onClose: () => void;
}

/** All environments: order, create, edit, duplicate, delete, import and export. */
export function EnvironmentsDialog({ state, editing, onClose }: EnvironmentsDialogProps) {
  const { t } = useTranslation();
  const [view, setView] = useState<View>(editing === undefined ? { kind: 'list' } : { kind: 'form', id: editing });
  const chosen = 'id' in view ? state.environments.find(({ id }) => id === view.id) : undefined;
  const toList = () => setView({ kind: 'list' });
  const name = environmentName(chosen, t);

  if (view.kind === 'form') {
    return (
      <Dialog
        size="lg"
        title={chosen ? t('environment.edit', { name }) : t('environment.new')}
        onClose={editing === undefined ? toList : onClose}
      >
        <EnvironmentForm
          key={view.id}
          {...(chosen && { environment: chosen })}
          onDone={editing === undefined ? toList : onClose}
        />
      </Dialog>
    );
  }
  if (view.kind === 'delete' && chosen) {
    return (
      <Dialog title={t('environment.deleteTitle', { name })} onClose={toList}>
        <Deletion environment={chosen} state={state} onDone={toList} />
      </Dialog>
    );
  }
  return (
    <Dialog size="lg" title={t('environment.menu')} onClose={onClose}>
      <List state={state} onView={setView} />
    </Dialog>
  );
}

function List({ state, onView }: { state: AppState; onView: (view: View) => void }) {
  const { t } = useTranslation();
  const { environments, activeEnvironmentId } = state;
  const attempt = useAttempt(activeEnvironmentId);
  const alertRef = useRef<HTMLDivElement>(null);
  const [imported, setImported] = useState<number>();
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  async function importFile() {
    setImported(undefined);
    const before = environments.length;
    const result = await attempt.run(api.environments.importFile);
    // The state of the answer, not of this render.
    if (result?.ok) setImported((currentAppState()?.environments.length ?? before) - before);
  }

  return (
    <Stack gap="md">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
      <ul className={classes.entries}>
        {environments.map((environment, index) => (
          <li key={environment.id} className={classes.entry}>
            <Entry environment={environment} active={environment.id === activeEnvironmentId} />
            <Group gap="xs">
              {(
                [
                  ['use', () => api.environments.choose(environment.id), environment.id !== activeEnvironmentId],
                  ['up', () => api.environments.move(environment.id, -1), index > 0],
                  ['down', () => api.environments.move(environment.id, 1), index < environments.length - 1],
                  ['duplicate', () => api.environments.duplicate(environment.id), environment.baseUrl !== ''],
                ] as const
              ).map(([verb, call, possible]) => (
                <EntryButton
                  key={verb}
                  verb={verb}
                  environment={environment}
                  possible={possible}
                  onPress={() => void attempt.run(call)}
                />
              ))}
              <EntryButton
                verb="edit"
                environment={environment}
                possible
                onPress={() => onView({ kind: 'form', id: environment.id })}
              />
              <EntryButton
                verb="delete"
                environment={environment}
                possible={!environment.builtIn}
                onPress={() => onView({ kind: 'delete', id: environment.id })}
              />
            </Group>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t('environment.shortcut')}
      </Text>
      <Text component="output" size="sm">
        {imported !== undefined &&
          (imported === 0 ? t('environment.nothingNew') : t('environment.imported', { number: imported }))}
      </Text>
      <Group>
        <Button data-autofocus onClick={() => onView({ kind: 'form' })}>
          {t('environment.new')}
        </Button>
        <Button variant="default" onClick={() => void importFile()}>
          {t('environment.import')}
        </Button>
        <Button variant="default" onClick={() => void attempt.run(api.environments.exportFile)}>
          {t('environment.export')}
        </Button>
      </Group>
    </Stack>
  );
}

function Entry({ environment, active }: { environment: Environment; active: boolean }) {
  const { t } = useTranslation();
  const facts = [
    t(`colour.${environment.colour}`),
    ...(environment.production ? [t('environment.production')] : []),
    ...(active ? [t('environment.inUse')] : []),
  ];
  return (
    <div>
      <Text size="sm" fw={600}>
        <span className={classes.swatch} data-colour={environment.colour} aria-hidden />{' '}
        {environmentName(environment, t)}
      </Text>
      <Text size="xs">
        <bdi>{environment.baseUrl}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {facts.join(' · ')}
      </Text>
      {environment.notes !== '' && (
        <Text size="xs" c="dimmed" lineClamp={3}>
          {environment.notes}
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
  environment: Environment;
  possible: boolean;
  onPress: () => void;
}

/** Stays focusable when it can do nothing, so that moving an entry to the end does not lose the focus. */
function EntryButton({ verb, environment, possible, onPress }: EntryButtonProps) {
  const { t } = useTranslation();
  const Icon = icons[verb];
  const label = t(`environment.${verb}`, { name: environmentName(environment, t) });
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
  environment: Environment;
  state: AppState;
  onDone: () => void;
}

function Deletion({ environment, state, onDone }: DeletionProps) {
  const { t } = useTranslation();
  const attempt = useAttempt(state.activeEnvironmentId);
  const held = state.sessions.filter(({ environmentId }) => environmentId === environment.id).length;

  async function remove() {
    const result = await attempt.run(() => api.environments.remove(environment.id));
    if (result?.ok) onDone();
  }

  return (
    <Stack gap="md">
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
      <Text size="sm">{t('environment.deleteHelp', { number: held })}</Text>
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onDone}>
          {t('environment.keep')}
        </Button>
        <Button color="red" aria-busy={attempt.sending} onClick={() => void remove()}>
          {t('environment.deleteNow')}
        </Button>
      </Group>
    </Stack>
  );
}
