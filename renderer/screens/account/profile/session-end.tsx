import { useState } from 'react';
import type { HeldSession } from '../../../../preload/contract/models.ts';
import { useTexts } from '../../../texts.tsx';
import { useNow } from '../../../use-now.ts';
import classes from './account.module.css';
import { isOutlived } from '../../../is-outlived.ts';
import { capitalised, sayExactly, sayMoment, saySpan } from './say-moment.ts';

interface SessionEndProps {
  session: HeldSession | undefined;
  /** Whether it is told what said so. */
  showsSource: boolean;
}

/** Says when a session ends and how much is left of it, or that the server did not say. */
export function SessionEnd({ session, showsSource }: SessionEndProps) {
  const { t, i18n } = useTexts();
  const end = session?.end;
  const [openedAt] = useState(() => Date.now());
  const now = useNow(end && Date.parse(end.at));
  if (!end) return t('session.endUnknown');
  if (session && isOutlived(session)) return t('session.endOutlived');
  const at = new Date(end.at);
  return (
    <>
      <time dateTime={end.at} title={sayExactly(at, i18n.language)}>
        {capitalised(sayMoment(at, i18n.language, openedAt))}
      </time>{' '}
      <span className={classes.remaining}>{saySpan(at, i18n.language, now)}</span>
      {showsSource && <span className={classes.source}>{t(`session.endSaidIn.${end.in}`, { name: end.by })}</span>}
    </>
  );
}
