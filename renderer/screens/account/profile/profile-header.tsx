import { Button } from '@mantine/core';
import type { Ref } from 'react';
import type { UserProfile } from '../../../../preload/contract/models.ts';
import { hasVisibleText } from '../../../display-name.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Chip } from '../../../components/chip.tsx';
import { DoneIcon, LogOutIcon, WarningIcon } from '../../../components/icons.tsx';
import { BreakableText } from '../../../components/untrusted-text.tsx';
import { CopyButton } from './field-row.tsx';
import { ExternalLink, usePicture } from './field-value.tsx';
import classes from './profile.module.css';
import { profileEmail, type ProfileSections, profileTitle } from './profile-sections.ts';
import { t } from '../../../i18n.ts';

interface ProfileHeaderProps {
  user: UserProfile;
  sections: ProfileSections;
  isDemo: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  loggingOut: boolean;
  onLogOut: () => void;
}

/** Names the user. Logging out is rare, so its button is subtle. */
export function ProfileHeader({ user, sections, isDemo, headingRef, loggingOut, onLogOut }: ProfileHeaderProps) {
  const { name } = user;
  const title = profileTitle(user) ?? t('profile.noName');
  const email = profileEmail(user);
  return (
    <div className={classes.header}>
      {sections.picture ? (
        <Picture place={sections.picture.place} title={title} />
      ) : (
        <Avatar of={name !== undefined && hasVisibleText(name) ? name : user.email} size="large" />
      )}
      <div className="slim">
        <h1 ref={headingRef} tabIndex={-1} className={classes.name}>
          <bdi title={title.length > 60 ? title.slice(0, 1000) : undefined}>
            <BreakableText text={title} />
          </bdi>
          {isDemo && <Chip>{t('demo.mark')}</Chip>}
        </h1>
        <div className={classes.mail}>
          {email !== undefined && (
            <span className={classes.address} title={email}>
              <ExternalLink text={email} place={{ of: 'known', field: 'email' }} />
            </span>
          )}
          <Confirmation of={sections.confirmed} />
          {email !== undefined && <CopyButton label={t('profile.email')} place={{ of: 'known', field: 'email' }} />}
        </div>
      </div>
      <Button
        variant="subtle"
        color="gray"
        flex="none"
        className={classes.logOut}
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

function Picture({ place, title }: { place: string; title: string }) {
  const name = title.slice(0, 100);
  return <img className={classes.portrait} src={usePicture(place)} alt={t('profile.personPicture', { name })} />;
}

function Confirmation({ of }: { of: ProfileSections['confirmed'] }) {
  if (!of) return null;
  return (
    <span title={of.at === undefined ? undefined : t('profile.confirmedAt', { date: of.at })}>
      <Chip tone={of.yes ? 'good' : 'warn'} icon={of.yes ? <DoneIcon size={14} /> : <WarningIcon size={14} />}>
        {t(of.yes ? 'profile.confirmed' : 'profile.notConfirmed')}
      </Chip>
    </span>
  );
}
