import type { Server } from '../../preload/contract/models.ts';
import classes from './server-dot.module.css';

interface Props {
  /** By default, the colour of its surroundings. */
  colour?: Server['colour'];
  /** Height and width in pixels; 8 by default. */
  size?: 8 | 10 | 12 | 14;
}

/** The colour of a server beside its name. Decorative, since the name says the same. */
export const ServerDot = ({ colour, size = 8 }: Props) => (
  <span className={classes.dot} data-colour={colour} data-size={size} aria-hidden />
);

/** The same as a bar, as high as its surroundings. */
export const ServerBar = ({ colour }: Pick<Props, 'colour'>) => (
  <span className={classes.bar} data-colour={colour} aria-hidden />
);
