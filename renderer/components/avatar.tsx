import { AccountIcon } from './icons.tsx';
import classes from './avatar.module.css';
import { hueOf, initialsOf } from './initials.ts';

interface AvatarProps {
  /** The name, or the email where the server sent no name. */
  of: string | undefined;
  size?: 'small' | 'medium' | 'large';
}

/** Shows the initials of a person in a colour of their own. It is a picture beside a name, so nobody listens to it. */
export function Avatar({ of, size = 'small' }: AvatarProps) {
  const initials = initialsOf(of ?? '');
  return (
    <span className={classes.avatar} data-size={size} data-hue={hueOf(of ?? '')} aria-hidden>
      {initials === '' ? <AccountIcon size={size === 'large' ? 28 : 16} /> : initials}
    </span>
  );
}
