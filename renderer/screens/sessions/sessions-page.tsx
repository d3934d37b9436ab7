import { Button } from '@mantine/core';
import { ProductionLabel } from '../../components/chip.tsx';
import { FloatingOutcome } from '../../components/floating-outcome.tsx';
import { LogOutIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { navigate, type Route } from '../../route.ts';
import { serverName } from '../../server-name.ts';
import { LeaveQuestion, Leaving } from './log-out-everywhere.tsx';
import { SessionRow } from './session-row.tsx';
import classes from './sessions-page.module.css';
import { type ShownSessions, useSessions } from './use-sessions.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

/** Lists every session that this application holds, by server. */
export function SessionsPage({ place }: { place: Extract<Route, { room: 'sessions' }> }) {
  const state = useApp();
  const shown = useSessions(place);
  const { groups, isLeaving, done } = shown;
  return (
    <Page
      title={t('account.all')}
      actions={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<LogOutIcon />}
          aria-busy={isLeaving}
          aria-disabled={!shown.canLeave}
          onClick={shown.ask}
        >
          {t('sessions.everywhere.button')}
        </Button>
      }
    >
      <div {...shown.kept} className="grid gap16">
        <div className={classes.help}>
          {!isLeaving && !done && <p>{t('sessions.help')}</p>}
          <Leaving isLeaving={isLeaving} done={done} />
        </div>
        {groups.length === 0 && (
          <div className={classes.none}>
            <p>{t('sessions.none')}</p>
            <Button onClick={() => navigate({ room: 'account' })}>{t('screen.login')}</Button>
          </div>
        )}
        {groups.map((group) => (
          <Group key={group.server.id} {...group} shown={shown} />
        ))}
      </div>
      {shown.isAsking && (
        <LeaveQuestion sessions={state.sessions} onKeep={shown.keep} onLeave={() => void shown.leave()} />
      )}
      <FloatingOutcome failure={shown.failure} during={shown.during} onClose={shown.dismiss} />
    </Page>
  );
}

type GroupProps = ShownSessions['groups'][number] & { shown: ShownSessions };

function Group({ server, rows, shown: { shownId, run, underWay } }: GroupProps) {
  return (
    <section className="card" aria-label={serverName(server)}>
      <h2 className={classes.server}>
        <ServerDot colour={server.colour} size={10} />
        <UntrustedText text={serverName(server)} />
        {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      </h2>
      <ul className="list">
        {rows.map((row) => (
          <SessionRow
            key={row.session.id}
            {...row}
            isShown={row.session.id === shownId}
            doing={underWay.findLast(({ id }) => id === row.session.id)?.verb}
            run={run}
          />
        ))}
      </ul>
    </section>
  );
}
