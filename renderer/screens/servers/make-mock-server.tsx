import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { CopyIcon, StopIcon } from '../../components/icons.tsx';
import { BreakableText } from '../../components/untrusted-text.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { navigate } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import classes from './mock-server.module.css';

interface MakeMockServerProps {
  server: Server;
  /** Whether the recorded responses of its last check are in memory, so that no other check is needed. */
  isMeasured: boolean;
  /** Whether to show the progress. A server's page does so itself. */
  showsProgress?: boolean;
}

/** Creates a mock server, after a check where one is needed. Not for production, built-in and mock servers. */
export function MakeMockServer({ server, isMeasured, showsProgress = true }: MakeMockServerProps) {
  const { servers, mockCreation } = useApp();
  const { run, pending, failure } = useAction();
  const progressRef = useRef<HTMLDivElement>(null);
  const isBusy = mockCreation !== undefined && mockCreation.work.step !== 'failed';
  useEffect(() => {
    if (pending && isBusy) progressRef.current?.scrollIntoView({ block: 'nearest' });
  }, [pending, isBusy]);
  if (server.production || server.builtIn || server.mock) return null;
  const name = serverName(server);
  const mockServers = servers.filter(({ mock }) => mock?.originId === server.id);

  const make = () =>
    run(
      () => api.mocks.create({ serverId: server.id, measure: !isMeasured }),
      ({ id }) => (id === undefined ? undefined : () => t('mocks.created')),
    );

  return (
    <section className={classes.card} aria-label={t('mocks.title')}>
      <h3 className="flush normal">{t('mocks.title')}</h3>
      <p className="flush text soft">
        <BreakableText text={t(isMeasured ? 'mocks.createHelp' : 'mocks.checkHelp', { name })} />
      </p>
      <div className="row wrap gap8">
        <Button
          variant="default"
          leftSection={<CopyIcon />}
          aria-busy={pending}
          aria-disabled={isBusy}
          onClick={() => !isBusy && void make()}
        >
          {t(isMeasured ? 'mocks.create' : 'mocks.checkAndCreate')}
        </Button>
        {mockServers.map((each) => (
          <Button
            key={each.id}
            variant="subtle"
            color="gray"
            onClick={() => navigate({ page: 'servers', editing: each.id })}
          >
            {t('mocks.show', { name: each.name })}
          </Button>
        ))}
      </div>
      {/* A failed check is shown with its progress. */}
      {failure && mockCreation?.work.step !== 'failed' && <ErrorMessage error={failure.error} during="server" />}
      {showsProgress && (
        <div ref={progressRef}>
          <MockServerProgress serverId={server.id} />
        </div>
      )}
    </section>
  );
}

interface MockServerProgressProps {
  /** The original of a mock server that is being created. */
  serverId?: string;
  /** The mock server whose check is repeated. */
  mockServerId?: string;
}

/** The progress of creating or updating a mock server, or its failure. */
export function MockServerProgress({ serverId, mockServerId }: MockServerProgressProps) {
  const { mockCreation } = useApp();
  const isIt =
    mockCreation !== undefined &&
    (mockServerId === undefined
      ? mockCreation.serverId === serverId && mockCreation.mockId === undefined
      : mockCreation.mockId === mockServerId);
  const work = isIt ? mockCreation.work : undefined;
  const measuring = work?.step === 'measuring' ? work : undefined;
  return (
    <div className={classes.message} data-idle={work === undefined}>
      {/* The live region is rendered before it has a text. The changing figures are outside of it. */}
      <output>{work && work.step !== 'failed' && t(`mocks.work.${work.step}`)}</output>
      {measuring && (
        <>
          {' '}
          {measuring.casesPlanned > 0 &&
            t('mocks.work.progress', {
              done: measuring.casesDone,
              count: measuring.casesPlanned,
              time: formatDuration(measuring.secondsLeft),
            })}
          <progress
            className={classes.progress}
            max={Math.max(1, measuring.casesPlanned)}
            value={measuring.casesDone}
            aria-label={t('mocks.work.measuring')}
          />
          <Button
            variant="subtle"
            color="gray"
            size="xs"
            leftSection={<StopIcon />}
            onClick={() => void api.mocks.cancel()}
          >
            {t('app.cancel')}
          </Button>
        </>
      )}
      {work?.step === 'failed' && (
        <>
          <ErrorMessage error={work.error} during="server" takesFocus={false} />
          <Button variant="subtle" color="gray" size="xs" onClick={() => void api.mocks.cancel()}>
            {t('files.dismiss')}
          </Button>
        </>
      )}
    </div>
  );
}
