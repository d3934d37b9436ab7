import { Button } from '@mantine/core';
import type { ClockMove } from '../../../preload/contract/local-servers.ts';
import { ClockIcon } from '../../components/icons.tsx';
import { formatDuration } from '../../format.ts';
import classes from './strip.module.css';
import { t } from '../../i18n.ts';

const moves: readonly ClockMove[] = ['minute', 'hour', 'newest-token-end', 'now'];

interface ClockStripProps {
  aheadMs: number;
  sending: boolean;
  onMove: (to: ClockMove) => void;
}

/** The longest text has a place from the start, so that nothing below moves when the clock does. */
const longestMs = 999 * 86_400_000 + 23 * 3_600_000;

/** Says which time the built-in server lives in, and moves its clock, so that the end of a session comes at once. */
export function ClockStrip({ aheadMs, sending, onMove }: ClockStripProps) {
  const isAhead = aheadMs > 0;
  const sayAhead = (ms: number) => t('builtIn.clock.itsAhead', { time: formatDuration(ms / 1000) });
  return (
    <section className={classes.strip} data-ahead={isAhead} aria-label={t('builtIn.clock.title')}>
      <ClockIcon size={20} />
      <div className={classes.texts}>
        <output className={classes.text}>
          <strong>{isAhead ? sayAhead(aheadMs) : t('builtIn.clock.right')}</strong>
          <span>{t('builtIn.clock.help')}</span>
        </output>
        <div className={classes.text} data-holds aria-hidden>
          <strong>{sayAhead(longestMs)}</strong>
          <span>{t('builtIn.clock.help')}</span>
        </div>
      </div>
      <div className={classes.moves}>
        {moves.map((to) => {
          const isPossible = to !== 'now' || isAhead;
          return (
            <Button
              key={to}
              variant="default"
              size="xs"
              aria-disabled={!isPossible}
              aria-busy={sending}
              onClick={() => isPossible && onMove(to)}
            >
              {t(`builtIn.clock.to.${to}`)}
            </Button>
          );
        })}
      </div>
    </section>
  );
}
