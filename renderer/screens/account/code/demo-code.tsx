import { useEffect } from 'react';
import { api } from '../../../api.ts';
import { InfoIcon } from '../../../components/icons.tsx';
import { t } from '../../../i18n.ts';
import { useNow } from '../../../use-now.ts';
import { useQuery } from '../../../use-query.ts';
import classes from './code.module.css';

/** The current code of the demo person with a second factor. Main has none for any other login. */
export function DemoCode() {
  const { data, updatedAt = 0, reload } = useQuery(api.demo.code);
  const until = updatedAt + (data?.secondsLeft ?? 0) * 1000;
  const now = useNow(data?.code === undefined ? undefined : until);
  const isOver = data?.code !== undefined && now >= until;
  useEffect(() => {
    if (isOver) void reload();
  }, [isOver, reload]);
  if (data?.code === undefined) return null;
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <p className={classes.demo}>
      <InfoIcon size={16} />
      <span>{t('demo.code', { code: `${data.code.slice(0, 3)} ${data.code.slice(3)}` })}</span>
      <span className="muted" aria-hidden>
        {t('demo.codeLeft', { seconds })}
      </span>
    </p>
  );
}
