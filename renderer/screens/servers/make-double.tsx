import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { BreakableText } from '../../components/untrusted-text.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { CopyIcon, StopIcon } from '../../components/icons.tsx';
import { navigate } from '../../route.ts';
import { formatDuration } from '../../format.ts';
import { serverName } from '../../server-name.ts';
import classes from './double-parts.module.css';
import { t } from '../../i18n.ts';

interface MakeDoubleProps {
  server: Server;
  /** Whether what the last run of the server saw is in memory, so that nothing needs to be measured. */
  isMeasured: boolean;
  /** Whether it says how far the work is. The page of a server does so itself. */
  saysWork?: boolean;
}

/** Makes the double of a server, measuring it first where needed; not of production, nor of the built-in server. */
export function MakeDouble({ server, isMeasured, saysWork = true }: MakeDoubleProps) {
  const state = useApp();
  const [madeId, setMade] = useState<string>();
  const [sending, setSending] = useState(false);
  const workRef = useRef<HTMLDivElement>(null);
  const isBusy = state.doubleWork !== undefined && state.doubleWork.work.step !== 'failed';
  useEffect(() => {
    if (sending && isBusy) workRef.current?.scrollIntoView({ block: 'nearest' });
  }, [sending, isBusy]);
  if (server.production || server.builtIn || server.double) return null;
  const name = serverName(server);
  const doubles = state.servers.filter(({ double }) => double?.originId === server.id);

  async function make() {
    setSending(true);
    setMade(undefined);
    const result = await api.doubles.make({ serverId: server.id, measure: !isMeasured });
    setSending(false);
    if (result.ok) setMade(result.value.id);
  }

  return (
    <section className={classes.card} aria-label={t('doubles.title')}>
      <h3 className="flush normal">{t('doubles.title')}</h3>
      <p className="flush text soft">
        <BreakableText text={t(isMeasured ? 'doubles.makeHelp' : 'doubles.measureHelp', { name })} />
      </p>
      <div className="row wrap gap8">
        <Button
          variant="default"
          leftSection={<CopyIcon />}
          aria-busy={sending}
          aria-disabled={isBusy}
          onClick={() => !isBusy && !sending && void make()}
        >
          {t(isMeasured ? 'doubles.make' : 'doubles.measureAndMake')}
        </Button>
        {doubles.map((double) => (
          <Button
            key={double.id}
            variant="subtle"
            color="gray"
            onClick={() => navigate({ room: 'servers', editing: double.id })}
          >
            {t('doubles.show', { name: double.name })}
          </Button>
        ))}
      </div>
      <output className="flush text soft">
        {madeId !== undefined && doubles.some(({ id }) => id === madeId) ? t('doubles.made') : ''}
      </output>
      {saysWork && (
        <div ref={workRef}>
          <WorkPlace serverId={server.id} />
        </div>
      )}
    </section>
  );
}

interface WorkPlaceProps {
  serverId?: string;
  doubleId?: string;
}

/** Says how far a double is that is being made or measured again, and why one failed. */
export function WorkPlace({ serverId, doubleId }: WorkPlaceProps) {
  const { doubleWork } = useApp();
  const isIt =
    doubleWork !== undefined &&
    (doubleId === undefined
      ? doubleWork.serverId === serverId && doubleWork.doubleId === undefined
      : doubleWork.doubleId === doubleId);
  const work = isIt ? doubleWork.work : undefined;
  const measuring = work?.step === 'measuring' ? work : undefined;
  return (
    <div className={classes.says} data-idle={work === undefined}>
      {/* The region is there before it says something. What changes with each case is not read out. */}
      <output>{work && work.step !== 'failed' && t(`doubles.work.${work.step}`)}</output>
      {measuring && (
        <>
          {' '}
          {measuring.casesPlanned > 0 &&
            t('doubles.work.progress', {
              done: measuring.casesDone,
              count: measuring.casesPlanned,
              time: formatDuration(measuring.secondsLeft),
            })}
          <progress
            className={classes.progress}
            max={Math.max(1, measuring.casesPlanned)}
            value={measuring.casesDone}
            aria-label={t('doubles.work.measuring')}
          />
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<StopIcon />}
            onClick={() => void api.doubles.cancel()}
          >
            {t('app.cancel')}
          </Button>
        </>
      )}
      {work?.step === 'failed' && (
        <>
          <ErrorMessage error={work.error} during="server" />
          <Button variant="subtle" color="gray" size="xs" onClick={() => void api.doubles.cancel()}>
            {t('files.dismiss')}
          </Button>
        </>
      )}
    </div>
  );
}
