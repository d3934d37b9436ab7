import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import type { HeldSession, Notice as NoticeOf } from '../../../../preload/contract/models.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { ErrorText } from '../../../components/error-message.tsx';
import { MailIcon } from '../../../components/icons.tsx';
import { Alert, type AlertAction, type AlertProps } from '../../../components/alert.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import { type During, shorten } from '../../../error-text.ts';
import { formatTime } from '../../../format.ts';
import { useAction } from '../../../use-action.ts';
import { t } from '../../../i18n.ts';

/** What was being done when the error inside a notice came. */
const during = {
  'logged-out-here-only': 'logout',
  'logged-out-no-way-to-tell': 'logout',
  'registered-not-logged-in': 'login',
} as const satisfies Partial<Record<NoticeOf['kind'], During>>;

/** Nothing is wrong with these. */
const asWished: ReadonlySet<NoticeOf['kind']> = new Set(['session-ended', 'logged-out', 'confirm-first']);

/** A logout that an earlier start left over has no error any more. */
export type ShownNotice = NoticeOf | { kind: 'logged-out-here-only'; error?: undefined };

/** Says the one line of a notice. */
export const sayNotice = (notice: ShownNotice): string =>
  t(`notice.${notice.kind}.line`, { time: notice.kind === 'session-ended' ? formatTime(notice.at) : '' });

/** Says what is behind the line of a notice. */
function Why({ notice, children }: { notice: ShownNotice; children: ReactNode }) {
  return (
    <>
      {notice.kind !== 'logged-out' && <p>{t(`notice.${notice.kind}.why`)}</p>}
      {children}
      {notice.kind === 'confirm-first' && (
        <p>
          <bdi>{t('error.serverSays', { text: shorten(notice.says) })}</bdi>
        </p>
      )}
      {'error' in notice && notice.error && <ErrorText error={notice.error} during={during[notice.kind]} />}
    </>
  );
}

interface LoginNoticeProps {
  notice: ShownNotice;
  /** The logouts that the server was not told of. */
  pending: readonly HeldSession[];
  id?: AlertProps['id'];
  ref?: AlertProps['ref'];
}

/** Says what there is to know of the session before, and does the one thing that helps. */
export function LoginNotice({ notice, pending, id, ref }: LoginNoticeProps) {
  const attempt = useAction();

  const actions: Partial<Record<NoticeOf['kind'], AlertAction>> = {
    'vault-locked': { label: t('vault.tryAgain'), onPress: () => void api.vault.retry() },
    ...(pending.length > 0 && {
      'logged-out-here-only': {
        label: t('notice.tell'),
        isBusy: attempt.pending,
        onPress: () => void attempt.run(() => tell(pending)),
      },
    }),
  };
  return (
    <Alert
      key={notice.kind}
      tone={asWished.has(notice.kind) ? 'info' : 'warning'}
      {...(notice.kind === 'confirm-first' && { icon: MailIcon, isOpen: true })}
      title={sayNotice(notice)}
      details={
        notice.kind !== 'logged-out' && (
          <Why notice={notice}>
            {pending.map(({ id, account, toldLater }) => (
              <p key={id}>
                <UntrustedText text={t(toldLater ? 'sessions.waitingLater' : 'sessions.waiting', { account })} />
              </p>
            ))}
            {attempt.failure && <ErrorText error={attempt.failure.error} during="logout" />}
          </Why>
        )
      }
      action={actions[notice.kind]}
      result={attempt.failure && t('notice.notTold')}
      id={id}
      ref={ref}
    />
  );
}

/** Tells the server of each logout, until one cannot be told. */
async function tell(pending: readonly HeldSession[]): Promise<Result<null>> {
  for (const { id } of pending) {
    const told = await api.sessions.revoke({ id });
    if (!told.ok) return told;
  }
  return { ok: true, value: null };
}

/**
 * Says that the server knows now of the logouts that it was not told of, instead of that.
 * @param onFocusLost called where what had the focus has left with it
 */
export function ToldNotice({ onFocusLost }: { onFocusLost: () => void }) {
  const look = useEffectEvent(() => {
    if (document.activeElement === document.body) onFocusLost();
  });
  useEffect(() => look(), []);
  return <Alert tone="info" title={t('notice.told')} />;
}

/** Says whether there were logouts that a server was not told of, all of which it knows of now. */
export function useTold(serverId: string, pending: number): boolean {
  const [had, setHad] = useState({ serverId, pending });
  if (had.serverId !== serverId || pending > had.pending) setHad({ serverId, pending });
  return had.serverId === serverId && had.pending > 0 && pending === 0;
}
