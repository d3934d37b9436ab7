import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppState, HeldSession, Server } from '../../preload/contract/models.ts';
import { api, useApp, useActiveServer } from '../api.ts';
import { ErrorMessage, ErrorText } from '../components/error-message.tsx';
import { FileSentence } from '../components/file-sentence.tsx';
import { UntrustedText } from '../components/untrusted-text.tsx';
import { vaultDetails, vaultText, VaultRetry } from '../components/vault-text.tsx';
import { navigate, useRoute } from '../route.ts';
import { behaviourTexts } from '../behaviour-text.ts';
import { formatDateTime, formatDuration } from '../format.ts';
import { sayNotice } from '../screens/account/login/login-notice.tsx';
import { askAfterEnd, askAgain } from '../screens/sessions/ask-again.ts';
import { serverName } from '../server-name.ts';
import { useAction } from '../use-action.ts';
import { isUnencrypted } from '../is-unencrypted.ts';
import { t } from '../i18n.ts';

/** Something that a person should know wherever they are. The status bar has a chip for each. */
export interface Warning {
  id:
    | 'built-in'
    | 'misbehaves'
    | 'clock'
    | 'ended'
    | 'ending'
    | 'untold'
    | 'plain'
    | 'certificate'
    | 'files'
    | 'development'
    | 'vault';
  /** Two or three words. */
  label: string;
  /** Whether something is broken. */
  isBad?: true;
  /** The whole of it, in sentences. */
  says: ReactNode;
  /** What can be done about it. Where nothing can, it is a fact, and no warning. */
  action?: ReactNode;
}

/** One whose label is that of its id. */
type Known = Omit<Warning, 'id' | 'label'> & { id: Exclude<Warning['id'], 'vault'> };

/** Returns what a person should know now. */
export function useWarnings(): Warning[] {
  const state = useApp();
  const { builtIn, behaviour, clockAheadMs, files, electron } = state;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const active = useActiveServer();
  const untold = useUntold();
  const endings = useEndings();
  const shownFiles = files.filter((notice) => !hidden.includes(JSON.stringify(notice)));
  const ofVault = useVaultWarning();

  const candidates: (Known | false)[] = [
    shownFiles.length > 0 && {
      id: 'files',
      says: shownFiles.map((notice) => <FileSentence key={JSON.stringify(notice)} notice={notice} />),
      action: (
        <Button variant="default" size="xs" onClick={() => setHidden(files.map((notice) => JSON.stringify(notice)))}>
          {t('files.dismiss')}
        </Button>
      ),
    },
    builtIn.state === 'failed' && {
      id: 'built-in',
      isBad: true,
      says: <ErrorText error={{ kind: 'built-in-stopped', message: builtIn.message }} during="server" />,
      action: <Act label={t('doubles.start')} act={api.builtIn.start} />,
    },
    behaviour.isOn && {
      id: 'misbehaves',
      says: [t('builtIn.mark'), ...behaviourTexts(behaviour)].join(' '),
      action: <ShowBuiltIn />,
    },
    clockAheadMs > 0 && {
      id: 'clock',
      says: t('builtIn.clock.ahead', { time: formatDuration(clockAheadMs / 1000) }),
      action: (
        <Act label={t('builtIn.clock.to.now')} act={() => api.builtIn.moveClock({ to: 'now' })}>
          <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ room: 'built-in' })}>
            {t('builtIn.details')}
          </Button>
        </Act>
      ),
    },
    ...endings,
    untold > 0 && {
      id: 'untold',
      says: t('status.warning.untoldSays', { number: untold }),
      action: (
        <Button variant="default" size="xs" onClick={() => navigate({ room: 'sessions' })}>
          {t('account.all')}
        </Button>
      ),
    },
    active !== undefined &&
      active.pins.length > 0 && {
        id: 'certificate',
        says: t('certificate.banner'),
        action: <Distrust server={active} />,
      },
    active !== undefined &&
      isUnencrypted(active.baseUrl) && { id: 'plain', says: t('connection.plain'), action: <ShowServers /> },
    electron.thirdParty && { id: 'development', says: t('status.thirdParty', { version: electron.version }) },
  ];
  const known = candidates.filter((candidate) => candidate !== false);
  return [...ofVault, ...known.map((each) => Object.assign({ label: t(`status.warning.${each.id}`) }, each))];
}

/** Returns what there is to say of a vault that keeps nothing, or that cannot read what it has kept. */
function useVaultWarning(): Warning[] {
  const { vault } = useApp();
  const more = vaultDetails(vault);
  const isGood = vault.state === 'protected' && more === undefined;
  if (isGood || vault.state === 'asking' || vault.state === 'not-asked') return [];
  return [
    {
      id: 'vault',
      label: t(`status.vault.${vault.state === 'protected' ? 'unreadable' : vault.state}`),
      says: [vaultText(vault), more].join(' '),
      action: (
        <>
          <VaultRetry vault={vault} />
          <VaultSettings />
        </>
      ),
    },
  ];
}

/** Counts the logouts that a server was not told of, but for those of the form on the screen, which says so itself. */
function useUntold(): number {
  const { session, sessions, activeServerId } = useApp();
  const isForm = useRoute().room === 'account' && session.step === 'signed-out';
  return sessions.filter(({ state, serverId }) => state === 'to-revoke' && !(isForm && serverId === activeServerId))
    .length;
}

/** Returns what there is to say of sessions that end soon, or that have ended while the person was elsewhere. */
function useEndings(): (Known | false)[] {
  const state = useApp();
  const { session, servers } = state;
  const ending = firstEnding(state);
  // The form says it where it stands.
  const notice = useRoute().room !== 'account' && session.step === 'signed-out' ? session.notice : undefined;
  return [
    notice?.kind === 'session-ended' && {
      id: 'ended',
      says: `${sayNotice(notice)} ${t('notice.session-ended.why')}`,
      action: <AskButton onAsk={askAfterEnd} />,
    },
    ending !== undefined && {
      id: 'ending',
      says: <EndingText held={ending} servers={servers} />,
      action: (
        <AskButton onAsk={() => askAgain(ending)}>
          <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ room: 'sessions' })}>
            {t('account.all')}
          </Button>
        </AskButton>
      ),
    },
  ];
}

/** Returns the session that ends next, of those whose end is near. Of those past it, only the one on the screen counts. */
function firstEnding({ session, sessions }: AppState): HeldSession | undefined {
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  return sessions
    .filter(({ id, ending }) => ending === 'soon' || (ending === 'over' && id === shownId))
    .toSorted((one, other) => Date.parse(one.end?.at ?? '') - Date.parse(other.end?.at ?? ''))[0];
}

/** Says when a session ends, not how much is left of it: this is read out each time it changes. */
function EndingText({ held, servers }: { held: HeldSession; servers: readonly Server[] }) {
  const [openedAt] = useState(() => Date.now());
  const server = serverName(servers.find(({ id }) => id === held.serverId));
  const time = formatDateTime(new Date(held.end?.at ?? ''), openedAt);
  const key = held.ending === 'over' ? 'status.warning.endingOver' : 'status.warning.endingSays';
  return <UntrustedText text={t(key, { account: held.account, server, time })} />;
}

function AskButton({ onAsk, children }: { onAsk: () => void; children?: ReactNode }) {
  return (
    <>
      <Button variant="default" size="xs" onClick={onAsk}>
        {t('sessions.again')}
      </Button>
      {children}
    </>
  );
}

function ShowBuiltIn() {
  return (
    <Button variant="default" size="xs" onClick={() => navigate({ room: 'built-in' })}>
      {t('builtIn.details')}
    </Button>
  );
}

function ShowServers() {
  return (
    <Button variant="default" size="xs" onClick={() => navigate({ room: 'servers' })}>
      {t('rail.rooms.servers')}
    </Button>
  );
}

/** Leads to where the settings say who protects the sessions. */
export function VaultSettings() {
  return (
    <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ room: 'settings', section: 'lock' })}>
      {t('status.settings')}
    </Button>
  );
}

function Distrust({ server: { id } }: { server: Server }) {
  return <Act label={t('certificate.distrust')} act={() => api.servers.distrust({ id })} />;
}

interface ActProps {
  label: string;
  act: Parameters<ReturnType<typeof useAction>['run']>[0];
  children?: ReactNode;
}

/** Offers the one thing to do about a warning, and says below it what went wrong. */
function Act({ label, act, children }: ActProps) {
  const attempt = useAction();
  return (
    <>
      <Button variant="default" size="xs" aria-busy={attempt.pending} onClick={() => void attempt.run(act)}>
        {label}
      </Button>
      {children}
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
    </>
  );
}
