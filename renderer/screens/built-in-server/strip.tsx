import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ClockPreset } from '../../../preload/contract/local-servers.ts';
import { ClockIcon } from '../../components/icons.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import classes from './strip.module.css';

interface StripProps {
  label?: string;
  tone: 'good' | 'warn' | 'bad';
  icon: ReactNode;
  title: string;
  text: string;
  /** The longest texts it may have. Their space is reserved, so that the controls below it do not move. */
  holds?: readonly (readonly [title: string, text: string])[];
  /** The buttons that change the status. */
  children: ReactNode;
}

/** A status with the buttons that change it. */
export const Strip = ({ label, tone, icon, title, text, holds, children }: StripProps) => (
  <section className={classes.strip} data-tone={tone} aria-label={label}>
    {icon}
    <div className={classes.texts}>
      <output className={classes.text}>
        <strong>{title}</strong>
        <span>{text}</span>
      </output>
      {holds?.map(([longTitle, longText]) => (
        <div key={longTitle + longText} className={classes.text} data-holds aria-hidden>
          <strong>{longTitle}</strong>
          <span>{longText}</span>
        </div>
      ))}
    </div>
    {children}
  </section>
);

const moves: readonly ClockPreset[] = ['minute', 'hour', 'newest-token-end', 'now'];

interface ClockStripProps {
  aheadMs: number;
  sending: boolean;
  onMove: (to: ClockPreset) => void;
}

/** The clock of a server, with buttons that move it, so that a session expires at once. */
export function ClockStrip({ aheadMs, sending, onMove }: ClockStripProps) {
  const isAhead = aheadMs > 0;
  return (
    <Strip
      label={t('builtIn.clock.title')}
      tone={isAhead ? 'warn' : 'good'}
      icon={<ClockIcon size={20} />}
      title={isAhead ? t('builtIn.clock.itsAhead', { time: formatDuration(aheadMs / 1000) }) : t('builtIn.clock.right')}
      text={t('builtIn.clock.help')}
    >
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
    </Strip>
  );
}
