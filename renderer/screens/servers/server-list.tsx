import { type KeyboardEvent, type Ref, useEffect, useId } from 'react';
import type { ShownDouble } from '../../../preload/contract/local-servers.ts';
import type { Server } from '../../../preload/contract/models.ts';
import type { ServersFileReading } from '../../../preload/contract/servers-file.ts';
import { Chip, ProductionLabel } from '../../components/chip.tsx';
import linkClasses from '../../components/link-button.module.css';
import { ServerBar } from '../../components/server-dot.tsx';
import { ServerMark } from '../../components/server-mark.tsx';
import { hostBeside, serverName } from '../../server-name.ts';
import { formatDate } from '../../format.ts';
import { isChanged, useServerDrafts } from './server-drafts.ts';
import { indexForKey } from '../../use-roving-focus.ts';
import { serverKeysOf } from '../../use-shortcuts.ts';
import { fileName } from './servers-file-dialog.tsx';
import classes from './server-list.module.css';
import type { Chosen } from './use-servers.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

interface ServerListProps {
  chosen: Chosen;
  /** Whether a new server is being made, which then stands at the end. */
  hasNew: boolean;
  onChoose: (chosen: Chosen) => void;
  /** Opens the chosen one's form. `byKey` says that the focus shall go there. */
  onOpen: (chosen: Chosen, byKey: boolean) => void;
  onMove: (server: Server, by: -1 | 1) => void;
  /** The files of servers that say something else than what is here. */
  files: readonly ServersFileReading[];
  onFile: (file: ServersFileReading) => void;
  ref: Ref<HTMLDivElement>;
}

/** Lists the servers in their order. It is one tab stop: arrows choose, Enter opens, Alt with an arrow moves. */
export function ServerList({ chosen, hasNew, onChoose, onOpen, onMove, files, onFile, ref }: ServerListProps) {
  const state = useApp();
  const listId = useId();
  const { servers, activeServerId } = state;
  const drafts = useServerDrafts();
  const all: readonly (Server | undefined)[] = hasNew ? [...servers, undefined] : servers;
  const at = all.findIndex((server) => server?.id === chosen);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' }), [listId, at]);

  function onKeyDown(event: KeyboardEvent) {
    const to = indexForKey(event.key, at, all.length);
    const server = all[at];
    if (event.key === 'Enter') onOpen(chosen, true);
    else if (to === undefined) return;
    else if (!event.altKey) onChoose(all[to]?.id);
    else if (server && to < servers.length && Math.abs(to - at) === 1) onMove(server, to < at ? -1 : 1);
    event.preventDefault();
  }

  return (
    <div className={classes.pane}>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role -- An option of a `select` cannot hold a dot, a label and a chip. */}
      {/* oxlint-disable jsx-a11y/click-events-have-key-events -- The list itself takes the keys. */}
      <div
        ref={ref}
        role="listbox"
        aria-label={t('server.menu')}
        aria-activedescendant={optionId(at)}
        tabIndex={0}
        className={classes.list}
        onKeyDown={onKeyDown}
      >
        {all.map((server, index) => (
          <div
            key={server?.id ?? 'new'}
            id={optionId(index)}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className={classes.option}
            onClick={() => onOpen(server?.id, false)}
          >
            <Row
              server={server}
              place={index + 1}
              isActive={server?.id === activeServerId}
              isUnsaved={server === undefined || isChanged(server, drafts.get(server.id))}
            />
          </div>
        ))}
      </div>
      {files.map((reading) => (
        <p key={reading.file} className={classes.file}>
          {t('serversFile.differs', { file: fileName(reading.file) })}{' '}
          <button type="button" className={linkClasses.link} data-size="small" onClick={() => onFile(reading)}>
            {t('serversFile.show')}
          </button>
        </p>
      ))}
      <p className={classes.help}>{t('server.keysHelp')}</p>
    </div>
  );
}

interface RowProps {
  server: Server | undefined;
  place: number;
  isActive: boolean;
  isUnsaved: boolean;
}

function Row({ server, place, isActive, isUnsaved }: RowProps) {
  const state = useApp();
  const keys = serverKeysOf(place);
  const name = server ? serverName(server) : t('server.new');
  const below = server && (server.double ? sayOrigin(server.double) : hostBeside(state, server));
  return (
    <>
      <ServerBar colour={server?.colour ?? 'gray'} />
      <span className={classes.words}>
        <bdi className="name strong" title={name}>
          {name}
        </bdi>
        {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        {server?.double && <Chip small>{t('doubles.mark')}</Chip>}
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
          {server.file && (
            <span title={server.file.path}>
              <Chip small>{t('serversFile.mark')}</Chip>
            </span>
          )}
        </span>
      )}
      {server && keys !== undefined && <kbd>{keys}</kbd>}
    </>
  );
}

const sayOrigin = ({ of, measuredAt }: ShownDouble): string =>
  t('doubles.ofShort', { name: of, day: formatDate(measuredAt.slice(0, 10), 'day') });
