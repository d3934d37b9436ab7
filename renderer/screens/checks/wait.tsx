import classes from './page.module.css';
import { language, t } from '../../i18n.ts';

/** Says until when the server asked to wait. Its place is held, since a wait comes and goes without anybody's doing. */
export function Wait({ until }: { until: string | undefined }) {
  const clock = new Intl.DateTimeFormat(language(), { timeStyle: 'medium' });
  return (
    <p className={classes.wait}>{until !== undefined && t('run.waiting', { time: clock.format(new Date(until)) })}</p>
  );
}
