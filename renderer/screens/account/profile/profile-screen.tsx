import { useEffect, useMemo, useRef, useState } from 'react';
import type { AppError, Result } from '../../../../preload/contract/result.ts';
import { api, useApp } from '../../../api.ts';
import { moveFocus } from '../../../move-focus.ts';
import { ErrorMessage, ErrorText } from '../../../components/error-message.tsx';
import { FloatingOutcome } from '../../../components/floating-outcome.tsx';
import { Message } from '../../../components/message.tsx';
import { type Failure, useAction } from '../../../use-action.ts';
import { useWindowTitle } from '../../../use-window-title.ts';
import { TokenDialog } from '../use-token.tsx';
import classes from './account.module.css';
import { DemoNote, isDemoShown } from './demo-note.tsx';
import { PersonHead } from './person-head.tsx';
import { personOf } from './person.ts';
import { keyOf, ProfileActionsContext, type ValuePlace } from './profile-actions.ts';
import { ProfilePage } from './profile-page.tsx';
import { SessionFoot, type PresentSession } from './session-foot.tsx';
import { TokenCard } from './token-card.tsx';
import { t } from '../../../i18n.ts';

/** With these errors no check was made, so only the failure says it. One that was made is in the session. */
const notMade: ReadonlySet<AppError['kind']> = new Set(['not-now', 'other-address', 'locked', 'bug']);

export interface ProfileScreenProps {
  session: PresentSession;
  /** Whether this session is the one that a reset of the demo has begun. */
  demoWasReset: boolean;
  /** Takes the session that a reset of the demo has begun. */
  onDemoReset: (sessionId: string) => void;
}

/** Shows the account: who it is, what the session is, and everything that the server sent of the person. */
export function ProfileScreen({ session, demoWasReset, onDemoReset }: ProfileScreenProps) {
  const state = useApp();
  const { settings } = state;
  useWindowTitle(t('screen.profile'));
  const logout = useAction();
  const check = useAction();
  const { said, actions, copyToken, save, dismiss } = useProfileActions();
  const [asksForToken, setAsksForToken] = useState(false);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const failure =
    logout.failure ?? (check.failure && notMade.has(check.failure.error.kind) ? check.failure : undefined);

  useEffect(() => moveFocus(headingRef.current), []);
  // "Cancel" goes away with its check, and the focus must not go with it.
  const checkState = session.step === 'restoring' || check.pending ? 'checking' : session.check.state;
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
  const { user } = session;
  const showsKeys = settings.workbench;
  const person = personOf(user, showsKeys);
  const sentAt = session.step === 'signed-in' && session.check.state === 'checked' ? session.check.at : undefined;
  const isSent = user.rest.length > 0 || checkState === 'checked';
  return (
    <ProfileActionsContext value={actions}>
      <div className={classes.page}>
        <PersonHead
          user={user}
          person={person}
          isDemo={isDemo}
          headingRef={headingRef}
          loggingOut={logout.pending}
          onLogOut={logOut}
        />
        {isDemo && <DemoNote done={demoWasReset} onReset={onDemoReset} />}
        {/* What is shown before the server answered gives way to the page about the person: nothing is moved about. */}
        <div key={String(isSent)} className={classes.profile}>
          <ProfilePage
            user={user}
            person={person}
            isSent={isSent}
            sentAt={sentAt}
            showsKeys={showsKeys}
            onSave={save}
          />
          <SessionFoot session={session} checking={check.pending} loggingOut={logout.pending} onCheck={checkAgain} />
          {settings.workbench && (
            <TokenCard
              sessionId={session.sessionId}
              onCopy={(as) => copyToken(session.sessionId, as)}
              onUseOther={() => setAsksForToken(true)}
            />
          )}
        </div>
        {/* It stays open when the page changes below it. */}
        {asksForToken && <TokenDialog onClose={() => setAsksForToken(false)} />}
        <News session={session} failure={failure} during={logout.failure ? 'logout' : 'check'} />
        <Outcome said={said} onClose={dismiss} />
      </div>
    </ProfileActionsContext>
  );
}

/** What went well, said in the language of the moment, with the value that was copied; or why it could not be done. */
type Said = { sentence: () => string; copied?: string } | Failure;

function Outcome({ said, onClose }: { said: Said | undefined; onClose: () => void }) {
  return (
    <div className={classes.outcome}>
      <FloatingOutcome
        said={said && 'sentence' in said ? said.sentence() : undefined}
        failure={said && 'error' in said ? said : undefined}
        during="server"
        onClose={onClose}
      />
    </div>
  );
}

/** What can be done with the values of the profile and with its token, and how the last of it ended. */
function useProfileActions() {
  const [said, setSaid] = useState<Said>();
  const { copy, open, copyToken, save } = useMemo(() => {
    async function tell<T>(asked: Promise<Result<T>>, done: (value: T) => Said | undefined) {
      const result = await asked;
      setSaid(result.ok ? done(result.value) : { error: result.error, seenAt: Date.now() });
    }
    return {
      copy: (place: ValuePlace, label: string) =>
        void tell(api.profile.copy(place), ({ copied }) =>
          copied ? { sentence: () => t('profile.copied', { label }), copied: keyOf(place) } : undefined,
        ),
      open: (place: ValuePlace) => void tell(api.profile.open(place), () => undefined),
      copyToken: (id: string, as: 'token' | 'header') =>
        void tell(api.sessions.copyToken({ id, as }), ({ copied }) => ({
          sentence: () => t(copied ? 'session.token.copied' : 'session.token.notCopied'),
        })),
      save: () =>
        void tell(api.profile.exportFile(), ({ exported }) =>
          exported ? { sentence: () => t('profile.saved') } : undefined,
        ),
    };
  }, []);
  const copied = said && 'copied' in said ? said.copied : undefined;
  const actions = useMemo(() => ({ copy, open, copied }), [copy, open, copied]);
  return { said, actions, copyToken, save, dismiss: () => setSaid(undefined) };
}

interface NewsProps {
  session: PresentSession;
  failure: Failure | undefined;
  during: 'logout' | 'check';
}

/** Says why the server could not confirm what is shown, and what else could not be done with the session. */
function News({ session, failure, during }: NewsProps) {
  return (
    <div className={classes.news}>
      <CheckFailure session={session} />
      {failure && <ErrorMessage error={failure.error} during={during} />}
    </div>
  );
}

function CheckFailure({ session }: { session: PresentSession }) {
  if (session.step === 'restoring' || session.check.state === 'checked') return null;
  return (
    <Message tone="warning">
      <ErrorText error={session.check.error} during="check" prefix={(why) => t('profile.unchecked', { why })} />
    </Message>
  );
}
