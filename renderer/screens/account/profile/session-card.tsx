import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { TFunction } from 'i18next';
import type { AppState, HeldSession, Session } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { Chip, type ChipProps } from '../../../components/chip.tsx';
import { DoneIcon, RefreshIcon, ShieldIcon, WarningIcon } from '../../../components/icons.tsx';
import { backendName } from '../../../components/vault-text.tsx';
import { useTexts } from '../../../texts.tsx';
import classes from './account.module.css';
import { SessionEnd } from './session-end.tsx';
import { capitalised, sayExactly, sayMoment } from './say-moment.ts';

export type PresentSession = Exclude<Session, { step: 'signed-out' }>;

interface SessionCardProps {
  session: PresentSession;
  state: AppState;
  checking: boolean;
  /** Whether the server is being told of a logout. */
  loggingOut: boolean;
  onCheck: () => void;
}

/** Says what the session is: since when, where its token is, and whether the server confirmed it. */
export function SessionCard({ session, state, checking, loggingOut, onCheck }: SessionCardProps) {
  const { t } = useTexts();
  const known = state.sessions.find(({ id }) => id === session.sessionId);
  // While a session ends, main lets go of what it held a moment before the form is shown. Its facts keep their place.
  const [held, setHeld] = useState(known);
  if (known && known !== held) setHeld(known);
  const isRestoring = session.step === 'restoring';
  const isAsking = isRestoring || checking;
  return (
    <Card title={t('session.title')} aside={<StateChip session={session} isAsking={isAsking} />} padding="none">
      <SessionFacts held={held} state={state} />
      <div className={classes.checked}>
        <output className={classes.says}>
          {loggingOut ? t('profile.loggingOut') : isAsking ? t('profile.restoring') : <Checked session={session} />}
        </output>
        <div className={classes.buttons}>
          {/* It keeps the focus while the server is asked. */}
          {!isRestoring && (
            <Button
              variant="subtle"
              color="gray"
              size="xs"
              leftSection={<RefreshIcon />}
              aria-busy={checking}
              aria-disabled={checking}
              onClick={onCheck}
            >
              {t('profile.checkAgain')}
            </Button>
          )}
          {(isAsking || loggingOut) && (
            <Button variant="default" size="xs" onClick={() => void api.session.cancel()}>
              {t('app.cancel')}
            </Button>
          )}
        </div>
      </div>
    </Card>
  );
}

const tones: Record<'active' | 'unchecked' | 'asking', { tone: ChipProps['tone']; icon: ReactNode }> = {
  active: { tone: 'good', icon: <DoneIcon /> },
  unchecked: { tone: 'warn', icon: <WarningIcon /> },
  asking: { tone: 'plain', icon: <RefreshIcon /> },
};

function StateChip({ session, isAsking }: { session: PresentSession; isAsking: boolean }) {
  const { t } = useTexts();
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

/** Says when the server confirmed the session last. */
function Checked({ session }: { session: PresentSession }) {
  const { t, i18n } = useTexts();
  const [openedAt] = useState(() => Date.now());
  if (session.step === 'restoring' || session.check.state === 'unchecked') return t('profile.uncheckedBelow');
  const at = new Date(session.check.at);
  const said = t('profile.checked', { time: sayMoment(at, i18n.language, Math.max(openedAt, at.getTime())) });
  return (
    // Without a name of its own it would be read by its tooltip.
    <time dateTime={session.check.at} title={sayExactly(at, i18n.language)} aria-label={said}>
      {said}
    </time>
  );
}

function SessionFacts({ held, state }: { held: HeldSession | undefined; state: AppState }) {
  const { t, i18n } = useTexts();
  const [openedAt] = useState(() => Date.now());
  const madeAt = held?.madeAt === undefined ? undefined : new Date(held.madeAt);
  return (
    <dl className={classes.sessionFacts}>
      {madeAt && (
        <div>
          <dt>{t('session.made')}</dt>
          <dd>
            <time dateTime={madeAt.toISOString()} title={sayExactly(madeAt, i18n.language)}>
              {capitalised(sayMoment(madeAt, i18n.language, openedAt))}
            </time>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('session.ends')}</dt>
        <dd>
          <SessionEnd session={held} showsSource={state.settings.workbench} />
        </dd>
      </div>
      <div>
        <dt>{t('session.keptIn')}</dt>
        <dd className={classes.kept}>
          <ShieldIcon />
          {sayWhereKept(held, state, t)}
        </dd>
      </div>
      {state.settings.workbench && held?.tokenId !== undefined && (
        <div>
          <dt>{t('session.tokenId')}</dt>
          <dd className={classes.token}>{held.tokenId}|••••••</dd>
        </div>
      )}
    </dl>
  );
}

/** Names the place where the token rests. */
function sayWhereKept(held: HeldSession | undefined, { vault }: AppState, t: TFunction): string {
  if (vault.state === 'asking') return t('session.asking');
  return vault.state === 'protected' && !held?.inMemory ? backendName(vault.backend, t) : t('session.inMemory');
}
