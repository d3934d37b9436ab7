import { Button } from '@mantine/core';
import { type Ref, useEffect, useRef, useState } from 'react';
import type { AppState } from '../../../../preload/contract/models.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { api } from '../../../api.ts';
import { arriveAt } from '../../../arrive.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { ErrorMessage, ErrorText } from '../../../components/error-message.tsx';
import { FloatingOutcome } from '../../../components/floating-outcome.tsx';
import { LogOutIcon } from '../../../components/icons.tsx';
import { Message } from '../../../components/message.tsx';
import { WholeWords } from '../../../components/outside-text.tsx';
import { useTexts } from '../../../texts.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import { useWindowTitle } from '../../../use-window-title.ts';
import classes from './account.module.css';
import { DemoNote, isDemoShown } from './demo-note.tsx';
import { ProfileCard, type ProfileSaid } from './profile-card.tsx';
import { SessionCard, type PresentSession } from './session-card.tsx';

/** With these errors no check was made, so only the failure says it. One that was made is in the session. */
const notMade: ReadonlySet<AppError['kind']> = new Set(['not-now', 'other-address', 'locked', 'bug']);

interface ProfileScreenProps {
  session: PresentSession;
  state: AppState;
  /** Whether this session is the one that a reset of the demo has begun. */
  demoWasReset: boolean;
  /** Takes the session that a reset of the demo has begun. */
  onDemoReset: (sessionId: string) => void;
}

/** Shows the account: who it is, what the session is, and everything that the server sent of the person. */
export function ProfileScreen({ session, state, demoWasReset, onDemoReset }: ProfileScreenProps) {
  const { activeServerId, settings } = state;
  const { t } = useTexts();
  useWindowTitle(t('screen.profile'));
  const logout = useAttempt(activeServerId);
  const check = useAttempt(activeServerId);
  const [said, setSaid] = useState<ProfileSaid>();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const failure =
    logout.failure ?? (check.failure && notMade.has(check.failure.error.kind) ? check.failure : undefined);

  useEffect(() => arriveAt(headingRef.current), []);
  useEffect(() => {
    if (failure) arriveAt(alertRef.current);
  }, [failure]);
  // "Cancel" goes away with its check, and the focus must not go with it.
  const checkState = session.step === 'restoring' || check.sending ? 'checking' : session.check.state;
  useEffect(() => {
    if (checkState !== 'checking' && document.activeElement === document.body) headingRef.current?.focus();
  }, [checkState]);

  function logOut(): void {
    check.dismiss();
    void logout.run(() => api.sessions.logout({ id: session.sessionId, tellServer: true }));
  }
  function checkAgain(): void {
    logout.dismiss();
    void check.run(() => api.sessions.check({ id: session.sessionId }));
  }

  const isDemo = isDemoShown(state);
  return (
    <div className={classes.page}>
      <Person session={session} isDemo={isDemo} headingRef={headingRef} loggingOut={logout.sending} onLogOut={logOut} />
      {isDemo && <DemoNote activeServerId={activeServerId} done={demoWasReset} onReset={onDemoReset} />}
      <div className={classes.grid}>
        <div className={classes.session}>
          <SessionCard
            session={session}
            state={state}
            checking={check.sending}
            loggingOut={logout.sending}
            onCheck={checkAgain}
          />
        </div>
        <div className={classes.profile}>
          <ProfileCard
            user={session.user}
            isSent={session.user.rest.length > 0 || checkState === 'checked'}
            showsKeys={settings.workbench}
            said={said}
            onSaid={setSaid}
          />
        </div>
        <div className={classes.news}>
          <CheckFailure session={session} />
          {failure && (
            <ErrorMessage error={failure.error} during={logout.failure ? 'logout' : 'check'} ref={alertRef} />
          )}
        </div>
      </div>
      <div className={classes.outcome}>
        <FloatingOutcome
          said={said && 'sentence' in said ? said.sentence : undefined}
          failure={said && 'error' in said ? said : undefined}
          during="server"
          onClose={() => setSaid(undefined)}
        />
      </div>
    </div>
  );
}

interface PersonProps {
  session: PresentSession;
  isDemo: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  loggingOut: boolean;
  onLogOut: () => void;
}

/** Names the person, and lets them log out. That is rare, so its button is quiet. */
function Person({ session: { user }, isDemo, headingRef, loggingOut, onLogOut }: PersonProps) {
  const { t } = useTexts();
  const title =
    [user.name, user.email, user.id].map((text) => text?.trim()).find((text) => text) ?? t('profile.noName');
  return (
    <div className={classes.person}>
      <Avatar of={user.name?.trim() ? user.name : user.email} size="large" />
      <div className={classes.who}>
        <h1 ref={headingRef} tabIndex={-1} className={classes.name}>
          <bdi title={title.length > 60 ? title.slice(0, 1000) : undefined}>
            <WholeWords text={title} />
          </bdi>
          {isDemo && <span className={classes.mark}>{t('demo.mark')}</span>}
        </h1>
        {user.email !== undefined && user.email !== title && (
          <p className={classes.email} title={user.email}>
            <bdi>{user.email}</bdi>
          </p>
        )}
      </div>
      <Button
        variant="subtle"
        color="gray"
        flex="none"
        leftSection={<LogOutIcon />}
        aria-busy={loggingOut}
        aria-disabled={loggingOut}
        onClick={onLogOut}
      >
        {t('screen.logout')}
      </Button>
    </div>
  );
}

/** Says why the server could not confirm what is shown. */
function CheckFailure({ session }: { session: PresentSession }) {
  const { t } = useTexts();
  if (session.step === 'restoring' || session.check.state === 'checked') return null;
  return (
    <Message tone="warning">
      <ErrorText error={session.check.error} during="check" prefix={(why) => t('profile.unchecked', { why })} />
    </Message>
  );
}
