import { AccountIcon } from './icons.tsx';
import classes from './avatar.module.css';
import { hueOf, initialsOf } from './initials.ts';

interface AvatarProps {
  /** The name, or the email if the server sent no name. */
  of: string | undefined;
  size?: 'small' | 'medium' | 'large';
}

/** The initials of a user in a colour of their own. Decorative beside the name, so it is hidden from screen readers. */
export function Avatar({ of, size = 'small' }: AvatarProps) {
  const initials = initialsOf(of ?? '');
  return (
    <span className={classes.avatar} data-size={size} data-hue={hueOf(of ?? '')} aria-hidden>
      {initials === '' ? <AccountIcon size={size === 'large' ? 28 : 16} /> : initials}
    </span>
  );
}
