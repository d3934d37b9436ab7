import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { AppState, SessionInfo, AuthState } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api, useApp } from '../../../api.ts';
import { Chip, type ChipProps } from '../../../components/chip.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { DoneIcon, RefreshIcon, WarningIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { backendName } from '../../../components/vault-text.tsx';
import classes from './profile.module.css';
import { capitalize, formatFull, formatDateTime, formatRelative } from '../../../format.ts';
import { useAction } from '../../../use-action.ts';
import { useNow } from '../../../use-now.ts';
import { confirmedAfterExpiry } from '../../../confirmed-after-expiry.ts';
import { t } from '../../../i18n.ts';

export type PresentSession = Exclude<AuthState, { step: 'signed-out' }>;

/** Errors of checks that were not sent, which say nothing about the session. */
const notSent: ReadonlySet<AppError['kind']> = new Set(['not-now', 'other-address', 'locked', 'bug']);

/** The beginning of the session, where its token is stored, and its last check. */
export function SessionDetails({ session, loggingOut }: { session: PresentSession; loggingOut: boolean }) {
  const state = useApp();
  const check = useAction();
  const known = state.sessions.find(({ id }) => id === session.sessionId);
  // While a session ends, main removes it a moment before the form is shown.
  const [held, setHeld] = useState(known);
  if (known && known !== held) setHeld(known);
  const isRestoring = session.step === 'restoring';
  const isAsking = isRestoring || check.pending;
  return (
    <section className={classes.session} aria-label={t('session.title')}>
      <StateChip session={session} isAsking={isAsking} />
      <dl>
        <SessionFacts held={held} />
        <div className={classes.checked}>
          <dt>{t('profile.checkedAt')}</dt>
          <dd>
            <output>
              {loggingOut ? (
                t('profile.loggingOut')
              ) : isAsking ? (
                t('profile.restoring')
              ) : (
                <CheckedAt session={session} />
              )}
            </output>
            {(isAsking || loggingOut) && (
              <button type="button" className={linkClasses.link} onClick={() => void api.session.cancel()}>
                {t('app.cancel')}
              </button>
            )}
          </dd>
        </div>
      </dl>
      {/* Keeps the focus during the request. */}
      {!isRestoring && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<RefreshIcon />}
          aria-busy={check.pending}
          aria-disabled={check.pending}
          data-home
          onClick={() => void check.run(() => api.sessions.check({ id: session.sessionId }))}
        >
          {t('profile.checkAgain')}
        </Button>
      )}
      {check.failure && notSent.has(check.failure.error.kind) && (
        <div className={classes.failure}>
          <ErrorMessage error={check.failure.error} during="check" />
        </div>
      )}
    </section>
  );
}

const tones: Record<'active' | 'unchecked' | 'asking', { tone: ChipProps['tone']; icon: ReactNode }> = {
  active: { tone: 'good', icon: <DoneIcon /> },
  unchecked: { tone: 'warn', icon: <WarningIcon /> },
  asking: { tone: 'plain', icon: <RefreshIcon /> },
};

function StateChip({ session, isAsking }: { session: PresentSession; isAsking: boolean }) {
  const isChecked = session.step === 'signed-in' && session.check.state === 'checked';
  const state = isAsking ? 'asking' : isChecked ? 'active' : 'unchecked';
  return (
    <span className={classes.state}>
      <Chip key={state} {...tones[state]}>
        {t(`session.state.${state}`)}
      </Chip>
    </span>
  );
}

function CheckedAt({ session }: { session: PresentSession }) {
  const [openedAt] = useState(() => Date.now());
  if (session.step === 'restoring' || session.check.state === 'unchecked') return t('profile.uncheckedBelow');
  const at = new Date(session.check.at);
  const text = formatDateTime(at, Math.max(openedAt, at.getTime()));
  return (
    // A change is announced without the term beside it, so the label includes that.
    <time dateTime={session.check.at} title={formatFull(at)} aria-label={t('profile.checked', { time: text })}>
      {capitalize(text)}
    </time>
  );
}

function SessionFacts({ held }: { held: SessionInfo | undefined }) {
  const state = useApp();
  const [openedAt] = useState(() => Date.now());
  const moments = [
    { name: t('session.made'), at: held?.madeAt },
    { name: t('session.renewed'), at: held?.renewedAt },
  ].flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at: new Date(at) }]));
  return (
    <>
      {moments.map(({ name, at }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <time dateTime={at.toISOString()} title={formatFull(at)}>
              {capitalize(formatDateTime(at, Math.max(openedAt, at.getTime())))}
            </time>
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('session.ends')}</dt>
        <dd>
          <SessionEnd session={held} showsSource={state.settings.workbench} />
        </dd>
      </div>
      <div>
        <dt>{t('session.keptIn')}</dt>
        <dd>{storageText(held, state)}</dd>
      </div>
      {state.settings.workbench && held?.tokenId !== undefined && (
        <div>
          <dt>{t('session.tokenId')}</dt>
          <dd className="mono">{held.tokenId}|••••••</dd>
        </div>
      )}
    </>
  );
}

function storageText(held: SessionInfo | undefined, { vault }: AppState): string {
  if (vault.state === 'asking') return t('session.asking');
  return vault.state === 'protected' && !held?.inMemory ? backendName(vault.backend) : t('session.inMemory');
}

interface SessionEndProps {
  session: SessionInfo | undefined;
  showsSource: boolean;
}

function SessionEnd({ session, showsSource }: SessionEndProps) {
  const end = session?.end;
  const [openedAt] = useState(() => Date.now());
  const now = useNow(end && Date.parse(end.at));
  if (!end) return t('session.endUnknown');
  if (session?.renews) return t('session.renewsItself');
  if (session && confirmedAfterExpiry(session)) return t('session.endOutlived');
  const at = new Date(end.at);
  return (
    <>
      <time dateTime={end.at} title={formatFull(at)}>
        {capitalize(formatDateTime(at, openedAt))}
      </time>{' '}
      <span className={classes.remaining}>{formatRelative(at, now, 'long')}</span>
      {showsSource && <span className="block anywhere hint">{t(`session.endSaidIn.${end.in}`, { name: end.by })}</span>}
    </>
  );
}
