import { useState } from 'react';
import type { SessionInfo, SessionNotice } from '../../../../preload/contract/models.ts';
import type { AppError, Result } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { Alert, type AlertAction, type AlertProps } from '../../../components/alert.tsx';
import { ErrorText } from '../../../components/error-message.tsx';
import { MailIcon } from '../../../components/icons.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { type During, shorten } from '../../../error-text.ts';
import { formatTime } from '../../../format.ts';
import { t } from '../../../i18n.ts';
import { useAction } from '../../../use-action.ts';

/** The action that the error inside a notice belongs to. */
const during = {
  'logged-out-here-only': 'logout',
  'logged-out-no-way-to-tell': 'logout',
  'registered-not-logged-in': 'login',
  'code-refused': 'login',
} as const satisfies Partial<Record<SessionNotice['kind'], During>>;

/** Notices without a problem. */
const infos: ReadonlySet<SessionNotice['kind']> = new Set([
  'session-ended',
  'logged-out',
  'confirm-first',
  'code-expired',
  'code-dropped',
  'password-changed',
  'account-deleted',
]);

/** A pending logout of an earlier run has no error any more. */
type ShownNotice = SessionNotice | { kind: 'logged-out-here-only'; error?: undefined };

export const noticeText = (notice: ShownNotice): string =>
  t(`notice.${notice.kind}.line`, { time: notice.kind === 'session-ended' ? formatTime(notice.at) : '' });

interface LoginNoticeProps {
  notice: ShownNotice;
  /** The logouts that the server has not confirmed. */
  pendingLogouts: readonly SessionInfo[];
  id?: AlertProps['id'];
  ref?: AlertProps['ref'];
}

/** Says what happened to the previous session, with one action that helps. */
export function LoginNotice({ notice, pendingLogouts, id: alertId, ref }: LoginNoticeProps) {
  const { run, pending, failure } = useAction();
  const actions: Partial<Record<SessionNotice['kind'], AlertAction>> = {
    'vault-locked': { label: t('vault.tryAgain'), onPress: () => void api.vault.retry() },
    ...(pendingLogouts.length > 0 && {
      'logged-out-here-only': {
        label: t('notice.retryLogout'),
        isBusy: pending,
        onPress: () => void run(() => revokeAll(pendingLogouts)),
      },
    }),
  };
  return (
    <Alert
      key={notice.kind}
      tone={infos.has(notice.kind) ? 'info' : 'warning'}
      {...(notice.kind === 'confirm-first' && { icon: MailIcon, isOpen: true })}
      // The server's reason is what the user has been waiting for.
      {...(notice.kind === 'code-refused' && { isOpen: true })}
      title={noticeText(notice)}
      details={
        notice.kind !== 'logged-out' &&
        notice.kind !== 'account-deleted' && (
          <>
            <p>{t(`notice.${notice.kind}.why`)}</p>
            {pendingLogouts.map(({ id, account, logoutPending }) => (
              <p key={id}>
                <UntrustedText text={t(logoutPending ? 'sessions.waitingLater' : 'sessions.waiting', { account })} />
              </p>
            ))}
            {failure && <ErrorText error={failure.error} during="logout" />}
            {notice.kind === 'confirm-first' && <ServerMessage text={notice.serverMessage} />}
            {'error' in notice &&
              notice.error &&
              (notice.kind === 'code-refused' && isUnclassified(notice.error) ? (
                notice.error.message !== undefined && <ServerMessage text={notice.error.message} />
              ) : (
                <ErrorText error={notice.error} during={during[notice.kind]} />
              ))}
          </>
        )
      }
      action={actions[notice.kind]}
      result={failure && t('notice.logoutNotConfirmed')}
      id={alertId}
      ref={ref}
    />
  );
}

/** An error of which no more is known than what the server says. */
const isUnclassified = (error: AppError): error is Extract<AppError, { kind: 'unexpected' | 'validation' }> =>
  error.kind === 'validation' || (error.kind === 'unexpected' && error.reason === 'other');

const ServerMessage = ({ text }: { text: string }) => (
  <p>
    <bdi>{t('error.serverMessage', { text: shorten(text) })}</bdi>
  </p>
);

/** Retries the logouts one after the other, until one fails. */
async function revokeAll(pendingLogouts: readonly SessionInfo[]): Promise<Result<null>> {
  for (const { id } of pendingLogouts) {
    const result = await api.sessions.revoke({ id });
    if (!result.ok) return result;
  }
  return { ok: true, value: null };
}

/** Replaces the notice once the pending logouts reached the server, which may happen without a click. */
export const LogoutsConfirmed = () => <Alert tone="info" title={t('notice.logoutConfirmed')} />;

/** True if there were pending logouts and none is left. */
export function useLogoutsConfirmed(serverId: string, pendingLogouts: number): boolean {
  const [had, setHad] = useState({ serverId, pendingLogouts });
  if (had.serverId !== serverId || pendingLogouts > had.pendingLogouts) setHad({ serverId, pendingLogouts });
  return had.serverId === serverId && had.pendingLogouts > 0 && pendingLogouts === 0;
}
