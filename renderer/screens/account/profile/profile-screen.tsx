import { Button, SegmentedControl } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { UserProfile } from '../../../../preload/contract/models.ts';
import { api, useActiveServer, useApp } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { DownloadIcon, InfoIcon } from '../../../components/icons.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import { t } from '../../../i18n.ts';
import { moveFocus } from '../../../move-focus.ts';
import { useAction } from '../../../use-action.ts';
import { useWindowTitle } from '../../../use-window-title.ts';
import { fieldLabel } from './field-labels.ts';
import { FieldRow } from './field-row.tsx';
import fieldClasses from './field-row.module.css';
import { NestedFieldCard } from './nested-field-card.tsx';
import { ProfileHeader } from './profile-header.tsx';
import classes from './profile.module.css';
import {
  emptyFieldLabels,
  type KeyFact,
  profileEmail,
  profileSections,
  type ProfileSections,
} from './profile-sections.ts';
import { type PresentSession, SessionDetails } from './session-details.tsx';
import { TokenCard } from './token-card.tsx';

const OwnAccount = lazyComponent(async () => (await import('./own-account.tsx')).OwnAccount);
const RawData = lazyComponent(async () => (await import('./raw-data.tsx')).RawData);
const TokenDialog = lazyComponent(async () => (await import('../token-dialog.tsx')).TokenDialog);

export interface ProfileScreenProps {
  session: PresentSession;
}

/** The account: the user, the session, and everything that the server sent of the profile. */
export function ProfileScreen({ session }: ProfileScreenProps) {
  const { settings, sessions } = useApp();
  const { account: features } = useActiveServer().interface;
  useWindowTitle(t('screen.profile'));
  const logout = useAction();
  const [view, setView] = useState<'page' | 'raw'>('page');
  const [asksForToken, setAsksForToken] = useState(false);
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => moveFocus(headingRef.current), []);

  const { user, sessionId } = session;
  const showsKeys = settings.workbench;
  const sections = profileSections(user, showsKeys);
  const { keyFacts, nested } = sections;
  const isDemo = sessions.some((held) => held.isDemo && held.id === sessionId);
  const sentAt = session.step === 'signed-in' && session.check.state === 'checked' ? session.check.at : undefined;
  const isSent = user.rest.length > 0 || sentAt !== undefined;
  return (
    <div className={classes.page}>
      <ProfileHeader
        user={user}
        sections={sections}
        isDemo={isDemo}
        headingRef={headingRef}
        loggingOut={logout.pending}
        onLogOut={() => void logout.run(() => api.sessions.logout({ id: sessionId, tellServer: true }))}
      />
      {logout.failure && <ErrorMessage error={logout.failure.error} during="logout" />}
      {isDemo && <DemoNotice />}
      {/* Keyed, so that the response replaces the stored profile as a whole, and nothing moves. */}
      <div key={String(isSent)} className={classes.profile}>
        {keyFacts.length > 0 && <KeyFacts facts={keyFacts} />}
        <div className="row wrap apart gap8">
          <SegmentedControl
            aria-label={t('profile.view')}
            value={view}
            data={[
              { value: 'page', label: t('profile.asPage') },
              { value: 'raw', label: t('profile.asSent') },
            ]}
            onChange={setView}
          />
          <SaveButton isSent={isSent} />
        </div>
        {view === 'raw' ? (
          <RawData key={sentAt} />
        ) : (
          <div className={classes.columns} data-alone={nested.length === 0}>
            <DetailsCard user={user} sections={sections} showsKeys={showsKeys} />
            {nested.length > 0 && (
              <div className="grid slim gap16">
                {nested.map((row) => (
                  <NestedFieldCard
                    key={row.place}
                    row={row}
                    showsKeys={showsKeys}
                    isKeyFact={keyFacts.some((fact) => fact.row === row)}
                  />
                ))}
              </div>
            )}
          </div>
        )}
        <SessionDetails session={session} loggingOut={logout.pending} />
        {features && (features.changePassword ?? features.deleteAccount) && (
          <OwnAccount sessionId={sessionId} features={features} />
        )}
        {settings.workbench && <TokenCard sessionId={sessionId} onUseOther={() => setAsksForToken(true)} />}
      </div>
      {/* Outside the keyed part, so that it stays open when that is replaced. */}
      {asksForToken && <TokenDialog onClose={() => setAsksForToken(false)} />}
      {session.step === 'signed-in' && session.check.state === 'unchecked' && (
        <div className={classes.unchecked}>
          <ErrorMessage
            error={session.check.error}
            during="check"
            tone="warning"
            prefix={(why) => t('profile.unchecked', { why })}
            takesFocus={false}
          />
        </div>
      )}
    </div>
  );
}

/** Explains the demo, and resets it. The session of the reset demo has another screen. */
function DemoNotice() {
  const { run, pending, failure } = useAction();
  return (
    <section className={classes.demo} aria-label={t('demo.mark')}>
      <InfoIcon />
      <div className={classes.demoText}>{t('demo.description')}</div>
      <Button
        size="xs"
        variant="default"
        title={t('demo.resetHelp')}
        aria-busy={pending}
        onClick={() =>
          void run(
            () => api.demo.reset(),
            () => () => t('demo.done'),
          )
        }
      >
        {t('demo.reset')}
      </Button>
      {failure && (
        <div className={classes.demoFailure}>
          <ErrorMessage error={failure.error} during="server" />
        </div>
      )}
    </section>
  );
}

function KeyFacts({ facts }: { facts: readonly KeyFact[] }) {
  return (
    <dl className={classes.keyFacts}>
      {facts.map(({ label, value, addition, row }) => (
        <div key={row.place}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <bdi>{value}</bdi>
            {addition !== undefined && (
              <small>
                <bdi>{addition}</bdi>
              </small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** @param isSent whether the server has sent the profile since Llavero started */
function SaveButton({ isSent }: { isSent: boolean }) {
  const { run, failure } = useAction();
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<DownloadIcon />}
        aria-disabled={!isSent}
        data-disabled={!isSent}
        title={isSent ? undefined : t('profile.nothingToSave')}
        onClick={() =>
          isSent &&
          void run(
            () => api.profile.exportFile(),
            ({ exported }) => (exported ? () => t('profile.saved') : undefined),
          )
        }
      >
        {t('profile.save')}
      </Button>
      {failure && (
        <div className="wide">
          <ErrorMessage error={failure.error} during="server" />
        </div>
      )}
    </>
  );
}

interface DetailsCardProps {
  user: UserProfile;
  sections: ProfileSections;
  /** Whether the server's keys are shown, and with them the values of the header. */
  showsKeys: boolean;
}

/** The single values that the server sent. Those without a value share a line. */
function DetailsCard({ user, sections, showsKeys }: DetailsCardProps) {
  const empty = emptyFieldLabels(user, sections);
  const inHeader = new Set([...(showsKeys ? [] : ['name']), ...(profileEmail(user) === undefined ? [] : ['email'])]);
  const known = (['name', 'email', 'id'] as const).flatMap((field) => {
    const text = user[field] ?? '';
    return text.trim() === '' || inHeader.has(field) ? [] : [{ field, text }];
  });
  return (
    <Card title={t('profile.details')} padding="none">
      <dl className="flush">
        {sections.flat.map(({ name, place, value }) => (
          <FieldRow
            key={place}
            label={fieldLabel(name)}
            name={name}
            value={value}
            showsName={showsKeys}
            place={{ of: 'rest', field: place }}
          />
        ))}
        {known.map(({ field, text }) => (
          <FieldRow
            key={field}
            label={t(`profile.${field}`)}
            name={field}
            value={{ is: 'text', text }}
            place={{ of: 'known', field }}
          />
        ))}
        {empty.length > 0 && (
          <div className={fieldClasses.empty}>
            <dt>{t('profile.emptyOnes')}</dt>{' '}
            <dd>
              <bdi>{empty.join(', ')}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {user.left !== undefined && <p className={fieldClasses.left}>{t('profile.left', { count: user.left })}</p>}
    </Card>
  );
}
