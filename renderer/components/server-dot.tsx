import type { Server } from '../../preload/contract/models.ts';
import classes from './server-dot.module.css';

interface Props {
  /** Without one, it has the colour of what it stands in. */
  colour?: Server['colour'];
  /** Its height and width in pixels; 8 unless given. */
  size?: 8 | 10 | 12 | 14;
}

/** The colour of a server, beside its name. It says nothing that the name does not say. */
export const ServerDot = ({ colour, size = 8 }: Props) => (
  <span className={classes.dot} data-colour={colour} data-size={size} aria-hidden />
);

/** The same as a bar, which is as high as what it stands beside. */
export const ServerBar = ({ colour }: Pick<Props, 'colour'>) => (
  <span className={classes.bar} data-colour={colour} aria-hidden />
);
