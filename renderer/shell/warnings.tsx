import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppState, SessionInfo, Server } from '../../preload/contract/models.ts';
import { api, useApp, useActiveServer } from '../api.ts';
import { ErrorMessage, ErrorText } from '../components/error-message.tsx';
import { FileSentence } from '../components/file-sentence.tsx';
import { UntrustedText } from '../components/untrusted-text.tsx';
import { vaultDetails, vaultText, VaultRetry } from '../components/vault-text.tsx';
import { navigate, type Route, useRoute } from '../route.ts';
import { behaviourTexts } from '../behaviour-text.ts';
import { formatDateTime, formatDuration } from '../format.ts';
import { noticeText } from '../screens/account/login/login-notice.tsx';
import { reauthenticate, reauthenticateLast } from '../screens/sessions/reauthenticate.ts';
import { serverName } from '../server-name.ts';
import { useAction } from '../use-action.ts';
import { isUnencrypted } from '../is-unencrypted.ts';
import { t } from '../i18n.ts';

/** A warning or a fact, shown as a chip of the status bar. */
export interface Warning {
  id:
    | 'built-in'
    | 'misbehaves'
    | 'clock'
    | 'ended'
    | 'ending'
    | 'pendingLogouts'
    | 'plain'
    | 'certificate'
    | 'files'
    | 'development'
    | 'vault';
  /** Two or three words. */
  label: string;
  /** Set if something is broken. */
  isBad?: true;
  /** The full text. */
  message: ReactNode;
  /** Without an action, it is a fact and no warning. */
  action?: ReactNode;
}

/** Warnings whose label is derived from the id. */
type Labelled = Omit<Warning, 'id' | 'label'> & { id: Exclude<Warning['id'], 'vault'> };

export function useWarnings(): Warning[] {
  const state = useApp();
  const { builtIn, behaviour, clockAheadMs, files, electron } = state;
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const active = useActiveServer();
  const pendingLogouts = usePendingLogouts();
  const endings = useExpiryWarnings();
  const shownFiles = files.filter((notice) => !hidden.includes(JSON.stringify(notice)));
  const ofVault = useVaultWarning();

  const candidates: (Labelled | false)[] = [
    shownFiles.length > 0 && {
      id: 'files',
      message: shownFiles.map((notice) => <FileSentence key={JSON.stringify(notice)} notice={notice} />),
      action: (
        <Button variant="default" size="xs" onClick={() => setHidden(files.map((notice) => JSON.stringify(notice)))}>
          {t('files.dismiss')}
        </Button>
      ),
    },
    builtIn.state === 'failed' && {
      id: 'built-in',
      isBad: true,
      message: <ErrorText error={{ kind: 'built-in-stopped', message: builtIn.message }} during="server" />,
      action: <ActionButton label={t('mocks.start')} act={api.builtIn.start} />,
    },
    behaviour.isOn && {
      id: 'misbehaves',
      message: [t('builtIn.mark'), ...behaviourTexts(behaviour)].join(' '),
      action: <LinkButton label={t('builtIn.details')} route={{ page: 'built-in' }} />,
    },
    clockAheadMs > 0 && {
      id: 'clock',
      message: t('builtIn.clock.ahead', { time: formatDuration(clockAheadMs / 1000) }),
      action: (
        <ActionButton label={t('builtIn.clock.to.now')} act={() => api.builtIn.moveClock({ to: 'now' })}>
          <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ page: 'built-in' })}>
            {t('builtIn.details')}
          </Button>
        </ActionButton>
      ),
    },
    ...endings,
    pendingLogouts > 0 && {
      id: 'pendingLogouts',
      message: t('status.warning.pendingLogoutsText', { number: pendingLogouts }),
      action: <LinkButton label={t('sessions.title')} route={{ page: 'sessions' }} />,
    },
    active.pins.length > 0 && {
      id: 'certificate',
      message: t('certificate.banner'),
      action: <ActionButton label={t('certificate.distrust')} act={() => api.servers.distrust({ id: active.id })} />,
    },
    isUnencrypted(active.baseUrl) && {
      id: 'plain',
      message: t('connection.plain'),
      action: <LinkButton label={t('rail.pages.servers')} route={{ page: 'servers' }} />,
    },
    electron.thirdParty && { id: 'development', message: t('status.thirdParty', { version: electron.version }) },
  ];
  const known = candidates.filter((candidate) => candidate !== false);
  return [...ofVault, ...known.map((each) => Object.assign({ label: t(`status.warning.${each.id}`) }, each))];
}

function useVaultWarning(): Warning[] {
  const { vault } = useApp();
  const more = vaultDetails(vault);
  const isGood = vault.state === 'protected' && more === undefined;
  if (isGood || vault.state === 'asking' || vault.state === 'not-asked') return [];
  return [
    {
      id: 'vault',
      label: t(`status.vault.${vault.state === 'protected' ? 'unreadable' : vault.state}`),
      message: [vaultText(vault), more].join(' '),
      action: (
        <>
          <VaultRetry vault={vault} />
          <VaultSettings />
        </>
      ),
    },
  ];
}

/** Counts the logouts that servers have not confirmed, without those that the login form shows itself. */
function usePendingLogouts(): number {
  const { session, sessions, activeServerId } = useApp();
  const isForm = useRoute().page === 'account' && session.step === 'signed-out';
  return sessions.filter(({ state, serverId }) => state === 'to-revoke' && !(isForm && serverId === activeServerId))
    .length;
}

/** Sessions that expire soon, or that expired while another page was open. */
function useExpiryWarnings(): (Labelled | false)[] {
  const state = useApp();
  const { session, servers } = state;
  const ending = nextToExpire(state);
  // The form of the account page shows it.
  const notice = useRoute().page !== 'account' && session.step === 'signed-out' ? session.notice : undefined;
  return [
    notice?.kind === 'session-ended' && {
      id: 'ended',
      message: `${noticeText(notice)} ${t('notice.session-ended.why')}`,
      action: <LogInAgainButton onClick={reauthenticateLast} />,
    },
    ending !== undefined && {
      id: 'ending',
      message: <ExpiryText held={ending} servers={servers} />,
      action: (
        <>
          <LogInAgainButton onClick={() => reauthenticate(ending)} />
          <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ page: 'sessions' })}>
            {t('sessions.title')}
          </Button>
        </>
      ),
    },
  ];
}

/** Returns the session that expires next, of those that do soon. Of expired ones, only the shown one counts. */
function nextToExpire({ session, sessions }: AppState): SessionInfo | undefined {
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  return sessions
    .filter(({ id, expiryState }) => expiryState === 'soon' || (expiryState === 'over' && id === shownId))
    .toSorted((one, other) => Date.parse(one.end?.at ?? '') - Date.parse(other.end?.at ?? ''))[0];
}

/** Shows when it expires, not how much is left: the text is announced each time it changes. */
function ExpiryText({ held, servers }: { held: SessionInfo; servers: readonly Server[] }) {
  const [openedAt] = useState(() => Date.now());
  const server = serverName(servers.find(({ id }) => id === held.serverId));
  const time = formatDateTime(new Date(held.end?.at ?? ''), openedAt);
  const key = held.expiryState === 'over' ? 'status.warning.endingOver' : 'status.warning.endingText';
  return <UntrustedText text={t(key, { account: held.account, server, time })} />;
}

const LogInAgainButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" size="xs" onClick={onClick}>
    {t('sessions.again')}
  </Button>
);

const LinkButton = ({ label, route }: { label: string; route: Route }) => (
  <Button variant="default" size="xs" onClick={() => navigate(route)}>
    {label}
  </Button>
);

export function VaultSettings() {
  return (
    <Button variant="subtle" color="gray" size="xs" onClick={() => navigate({ page: 'settings', section: 'lock' })}>
      {t('status.settings')}
    </Button>
  );
}

interface ActionButtonProps {
  label: string;
  act: Parameters<ReturnType<typeof useAction>['run']>[0];
  children?: ReactNode;
}

function ActionButton({ label, act, children }: ActionButtonProps) {
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
