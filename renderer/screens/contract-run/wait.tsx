import { useTranslation } from 'react-i18next';
import classes from './page.module.css';

/** Says until when the server asked to wait. Its place is held, since a wait comes and goes without anybody's doing. */
export function Wait({ until }: { until: string | undefined }) {
  const { t, i18n } = useTranslation();
  const clock = new Intl.DateTimeFormat(i18n.language, { timeStyle: 'medium' });
  return (
    <p className={classes.wait}>{until !== undefined && t('run.waiting', { time: clock.format(new Date(until)) })}</p>
  );
}
