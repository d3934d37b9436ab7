import { useContext } from 'react';
import { outsideLink } from '../../../../preload/contract/outside-link.ts';
import { OpenIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import classes from './facts.module.css';
import { ProfileActionsContext, type ValuePlace } from './profile-actions.ts';

/** A page is called by its host and path. */
const shownOf = (text: string): string => text.replace(/^https?:\/\//i, '').replace(/\/$/, '');

/** Shows an address that main opens once the person agreed. Any other text, and one that nobody can open, stays a text. */
export function OutsideLink({ text, place }: { text: string; place: ValuePlace | undefined }) {
  const actions = useContext(ProfileActionsContext);
  const isPage = outsideLink(text)?.startsWith('http');
  if (!actions || !place || isPage === undefined) return <UntrustedText text={text} className={classes.text} />;
  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- An anchor would lead the window itself away.
      role="link"
      className={`${linkClasses.link} ${classes.link}`}
      onClick={() => actions.open(place)}
    >
      <UntrustedText text={shownOf(text)} />
      {isPage && <OpenIcon size={14} />}
    </button>
  );
}
