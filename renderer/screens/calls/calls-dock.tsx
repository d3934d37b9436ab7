import { whenOpened } from '../../components/when-opened.tsx';
import classes from './calls-dock.module.css';

/** Shows the calls of the server in use beside the account. Their code is loaded once they are docked. */
export const CallsDock = whenOpened(
  () => import('./docked-calls.tsx').then((loaded) => loaded.DockedCalls),
  // Its place is there from the first frame on, so that nothing moves when the rest comes.
  () => <div className={classes.dock} />,
);
