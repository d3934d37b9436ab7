import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { MockServerInfo } from '../../../preload/contract/local-servers.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { Chip, ProductionLabel } from '../../components/chip.tsx';
import { ServerBar } from '../../components/server-dot.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { hostBeside, serverName } from '../../server-name.ts';
import { formatDate } from '../../format.ts';
import { indexForKey } from '../../use-roving-focus.ts';
import { serverKeysOf } from '../../use-shortcuts.ts';
import { useVirtualRows } from '../../use-virtual-rows.ts';
import classes from './server-list.module.css';
import { chooseServer, hasUnsaved, listId, openServer, useDrafts, useShownServer } from './servers-store.ts';
import { t } from '../../i18n.ts';
import { api, useApp } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { useAction } from '../../use-action.ts';
import { movedText } from './server-detail.tsx';

/** Pixels of a server whose name and address have a line each. */
const rowHeight = 57;

const keyOf = (server: Server | undefined): string => (server ? `server ${server.id}` : 'new');

/** The servers in order, in a virtual list. One tab stop: arrows select, Enter opens, Alt with an arrow moves. */
export function ServerList() {
  const { servers, activeServerId } = useApp();
  const shownId = useShownServer()?.id;
  const drafts = useDrafts();
  const { run, failure } = useAction();
  const all: readonly (Server | undefined)[] =
    shownId === undefined || drafts.has(undefined) ? [...servers, undefined] : servers;
  const at = all.findIndex((server) => server?.id === shownId);
  const optionId = (index: number) => `${listId}-${index}`;
  const listRef = useRef<HTMLDivElement>(null);
  const keys = all.map(keyOf);
  // `aria-activedescendant` names the chosen row, so it is always rendered.
  const { rowsOf, onFocus } = useVirtualRows({ listRef, sections: [{ keys }], rowHeight, kept: keys[at] });
  useEffect(() => document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' }), [at]);

  const move = (server: Server, by: -1 | 1) =>
    void run(
      () => api.servers.move({ id: server.id, by }),
      ({ place }) =>
        () =>
          movedText(server, place, servers.length),
    );

  function onKeyDown(event: KeyboardEvent) {
    const to = indexForKey(event.key, at, all.length);
    const server = all[at];
    if (event.key === 'Enter') openServer(shownId, true);
    else if (to === undefined) return;
    else if (!event.altKey) chooseServer(all[to]?.id);
    else if (server && to < servers.length && Math.abs(to - at) === 1) move(server, to < at ? -1 : 1);
    event.preventDefault();
  }

  return (
    <div className={classes.pane}>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- An option of a `select` cannot hold a dot, a label and a chip. */}
      {/* oxlint-disable jsx-a11y/click-events-have-key-events -- The list itself takes the keys. */}
      <div
        id={listId}
        ref={listRef}
        role="listbox"
        aria-label={t('server.menu')}
        aria-activedescendant={optionId(at)}
        tabIndex={0}
        className={classes.list}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
      >
        {rowsOf(0).map((each) => {
          if ('gap' in each) return <div key={`gap ${each.from}`} style={{ height: each.gap }} aria-hidden />;
          const { index, position } = each;
          const server = all[position];
          return (
            <div
              key={keyOf(server)}
              id={optionId(position)}
              role="option"
              aria-selected={position === at}
              aria-posinset={position + 1}
              aria-setsize={all.length}
              data-index={index}
              data-line={keyOf(server)}
              tabIndex={-1}
              className={classes.option}
              onClick={() => openServer(server?.id, false)}
            >
              <Row
                server={server}
                number={position + 1}
                isActive={server?.id === activeServerId}
                isUnsaved={server === undefined || hasUnsaved(server, drafts.get(server.id))}
              />
            </div>
          );
        })}
      </div>
      {failure && <ErrorMessage error={failure.error} during="server" />}
      <p className={classes.help}>{t('server.keysHelp')}</p>
    </div>
  );
}

interface RowProps {
  server: Server | undefined;
  number: number;
  isActive: boolean;
  isUnsaved: boolean;
}

function Row({ server, number, isActive, isUnsaved }: RowProps) {
  const state = useApp();
  const keys = serverKeysOf(number);
  const name = server ? serverName(server) : t('server.new');
  const below = server && (server.mock ? originText(server.mock) : hostBeside(state, server));
  return (
    <>
      <ServerBar colour={server?.colour ?? 'gray'} />
      <span className={classes.words}>
        <bdi className="name strong" title={name}>
          {name}
        </bdi>
        {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        {server?.mock && <Chip small>{t('mocks.mark')}</Chip>}
        {isActive && (
          <Chip tone="info" small>
            {t('server.inUse')}
          </Chip>
        )}
        {isUnsaved && (
          <Chip tone="warn" small>
            {t('server.unsavedShort')}
          </Chip>
        )}
      </span>
      {server && <ServerMark server={server} />}
      {server && (
        <span className={classes.words}>
          <bdi className={classes.host} title={below}>
            {below}
          </bdi>
        </span>
      )}
      {server && keys !== undefined && <kbd>{keys}</kbd>}
    </>
  );
}

const originText = ({ of, measuredAt }: MockServerInfo): string =>
  t('mocks.ofShort', { name: of, day: formatDate(measuredAt.slice(0, 10), 'day') });
