import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { LogoutAllResult, Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { LogOutIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { navigate, type Route } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { useStore } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { useVirtualRows } from '../../use-virtual-rows.ts';
import { clearSessionFailure, loggedInSessions, sessionActions } from './session-actions.ts';
import { SessionRow } from './session-row.tsx';
import { type SessionRowState, useSessionRows } from './session-rows.ts';
import classes from './sessions.module.css';

/** All sessions, by server. */
export function SessionsPage({ route }: { route: Extract<Route, { page: 'sessions' }> }) {
  const { sessions, servers, session } = useApp();
  const { running, failure } = useStore(sessionActions);
  useEffect(() => clearSessionFailure, []);
  const everywhere = useAction();
  const rows = useSessionRows(sessions, running.length > 0 || everywhere.pending);
  const shownId = session.step === 'signed-out' ? undefined : session.sessionId;
  const canLogOut = !everywhere.pending && loggedInSessions(sessions).length > 0;

  function logOutEverywhere() {
    navigate({ page: 'sessions' });
    void everywhere.run(
      () => api.sessions.logoutEverywhere(),
      (result) => () => resultText(result),
    );
  }

  return (
    <Page
      title={t('sessions.title')}
      actions={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<LogOutIcon />}
          aria-busy={everywhere.pending}
          aria-disabled={!canLogOut}
          onClick={() => canLogOut && navigate({ page: 'sessions', leaving: true })}
        >
          {t('sessions.everywhere.button')}
        </Button>
      }
    >
      <div className="grid gap16" data-lines>
        {everywhere.failure && everywhere.failure.error.kind !== 'cancelled' && (
          <ErrorMessage error={everywhere.failure.error} during="logout" />
        )}
        {failure && !rows.some((row) => row.session.id === failure.id) && (
          <ErrorMessage error={failure.error} during={failure.during} />
        )}
        <div className="row wrap gap8 soft">
          {!everywhere.pending && <p className="flush">{t('sessions.help')}</p>}
          <output>{everywhere.pending && t('sessions.everywhere.telling')}</output>
          {everywhere.pending && (
            <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
              {t('sessions.everywhere.stop')}
            </Button>
          )}
        </div>
        {rows.length === 0 && (
          <div className="row wrap gap12 soft">
            {t('sessions.none')}
            <Button onClick={() => navigate({ page: 'account' })}>{t('screen.login')}</Button>
          </div>
        )}
        {rows.length > 0 && <Sections rows={rows} servers={servers} shownId={shownId} />}
      </div>
      {route.leaving && sessions.length > 0 && (
        <LogOutEverywhereDialog onCancel={() => navigate({ page: 'sessions' })} onConfirm={logOutEverywhere} />
      )}
    </Page>
  );
}

function resultText({ serverNotified, pendingLogouts, noLogout }: LogoutAllResult): string {
  return [
    t('sessions.everywhere.done', { told: serverNotified }),
    ...(pendingLogouts > 0 ? [t('sessions.everywhere.waiting', { waiting: pendingLogouts })] : []),
    ...(noLogout > 0 ? [t('sessions.everywhere.noLogout', { noLogout })] : []),
  ].join(' ');
}

/** Pixels of what a server adds to its sessions: its name, the two borders of its card, and the gap to the next one. */
const gap = 16;
const serverHeight = 44 + 2 + gap;
const sessionHeight = 69;

interface SectionsProps {
  rows: readonly SessionRowState[];
  servers: readonly Server[];
  shownId: string | undefined;
}

/** The sessions of each server, in a virtual list. */
function Sections({ rows, servers, shownId }: SectionsProps) {
  const listRef = useRef<HTMLDivElement>(null);
  const sections = servers
    .map((server) => ({ server, ofServer: rows.filter((row) => row.session.serverId === server.id) }))
    .filter(({ ofServer }) => ofServer.length > 0);
  const { rowsOf, heightOf, onFocus } = useVirtualRows({
    listRef,
    sections: sections.map(({ ofServer }) => ({
      keys: ofServer.map(({ session }) => session.id),
      headHeight: serverHeight,
    })),
    rowHeight: sessionHeight,
  });
  return (
    <div ref={listRef} className={classes.sections} onFocus={onFocus}>
      {sections.map(({ server, ofServer }, at) => {
        const rendered = rowsOf(at);
        if (rendered.length === 0) return <div key={server.id} style={{ height: heightOf(at) - gap }} />;
        return (
          <section key={server.id} className="card" aria-label={serverName(server)}>
            <h2 className={classes.server}>
              <ServerDot colour={server.colour} size={10} />
              <UntrustedText text={serverName(server)} />
              {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
            </h2>
            <ul className="list">
              {rendered.map((each) => {
                if ('gap' in each) return <li key={`gap ${each.from}`} style={{ height: each.gap }} aria-hidden />;
                const row = ofServer[each.position];
                return (
                  row && (
                    <SessionRow
                      key={row.session.id}
                      {...row}
                      isShown={row.session.id === shownId}
                      index={each.index}
                      place={each.position + 1}
                      count={ofServer.length}
                    />
                  )
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function LogOutEverywhereDialog({ onCancel, onConfirm }: { onCancel: () => void; onConfirm: () => void }) {
  const sessions = loggedInSessions(useApp().sessions);
  const servers = new Set(sessions.map(({ serverId }) => serverId)).size;
  return (
    <ConfirmDialog
      title={t('sessions.everywhere.title')}
      help={t('sessions.everywhere.help', {
        sessions: t('sessions.everywhere.sessions', { count: sessions.length }),
        servers: t('sessions.everywhere.servers', { count: servers }),
      })}
      onCancel={onCancel}
      cancel={t('sessions.everywhere.no')}
      confirm={t('sessions.everywhere.button')}
      onConfirm={onConfirm}
    />
  );
}
