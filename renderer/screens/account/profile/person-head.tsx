import { Button } from '@mantine/core';
import type { Ref } from 'react';
import type { User } from '../../../../preload/contract/models.ts';
import { hasVisibleText } from '../../../display-name.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { Chip } from '../../../components/chip.tsx';
import { DoneIcon, LogOutIcon, WarningIcon } from '../../../components/icons.tsx';
import { BreakableText } from '../../../components/untrusted-text.tsx';
import classes from './account.module.css';
import { CopyButton } from './copy-button.tsx';
import { usePicture } from './fact-value.tsx';
import { OutsideLink } from './outside-link.tsx';
import { mailOf, titleOf, type Person } from './person.ts';
import { t } from '../../../i18n.ts';

interface PersonHeadProps {
  user: User;
  person: Person;
  isDemo: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  loggingOut: boolean;
  onLogOut: () => void;
}

/** Names the person, and lets them log out. That is rare, so its button is quiet. */
export function PersonHead({ user, person, isDemo, headingRef, loggingOut, onLogOut }: PersonHeadProps) {
  const { name, email } = user;
  const title = titleOf(user) ?? t('profile.noName');
  const mail = mailOf(user);
  return (
    <div className={classes.person}>
      {person.picture ? (
        <Picture place={person.picture.place} title={title} />
      ) : (
        <Avatar of={name !== undefined && hasVisibleText(name) ? name : email} size="large" />
      )}
      <div className={classes.who}>
        <h1 ref={headingRef} tabIndex={-1} className={classes.name}>
          <bdi title={title.length > 60 ? title.slice(0, 1000) : undefined}>
            <BreakableText text={title} />
          </bdi>
          {isDemo && <Chip>{t('demo.mark')}</Chip>}
        </h1>
        <div className={classes.mail}>
          {mail !== undefined && (
            <span className={classes.address} title={mail}>
              <OutsideLink text={mail} place={{ of: 'known', field: 'email' }} />
            </span>
          )}
          <Confirmation of={person.confirmed} />
          {mail !== undefined && <CopyButton label={t('profile.email')} place={{ of: 'known', field: 'email' }} />}
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

function Confirmation({ of }: { of: Person['confirmed'] }) {
  if (!of) return null;
  return (
    <span title={of.at === undefined ? undefined : t('profile.confirmedAt', { date: of.at })}>
      <Chip tone={of.yes ? 'good' : 'warn'} icon={of.yes ? <DoneIcon size={14} /> : <WarningIcon size={14} />}>
        {t(of.yes ? 'profile.confirmed' : 'profile.notConfirmed')}
      </Chip>
    </span>
  );
}
