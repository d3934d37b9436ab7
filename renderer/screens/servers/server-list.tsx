import { type KeyboardEvent, type Ref, useEffect, useId } from 'react';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { Chip, DoubleLabel, ProductionLabel } from '../../components/chip.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { OutsideText } from '../../components/outside-text.tsx';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { sayDay } from '../contract-run/say-moment.ts';
import { isChanged, useServerDrafts } from './server-drafts.ts';
import { serverKeysOf } from '../../use-shortcuts.ts';
import classes from './server-list.module.css';

/** One place in the list; `undefined` is the server that is not created yet. */
export type Chosen = string | undefined;

interface ServerListProps {
  state: AppState;
  chosen: Chosen;
  /** Whether a new server is being made, which then stands at the end. */
  hasNew: boolean;
  onChoose: (chosen: Chosen) => void;
  /** Opens the chosen one's form. `byKey` says that the focus shall go there. */
  onOpen: (chosen: Chosen, byKey: boolean) => void;
  onMove: (server: Server, by: -1 | 1) => void;
  ref: Ref<HTMLDivElement>;
}

/** Lists the servers in their order. It is one tab stop: arrows choose, Enter opens, Alt with an arrow moves. */
export function ServerList({ state, chosen, hasNew, onChoose, onOpen, onMove, ref }: ServerListProps) {
  const { t } = useTexts();
  const listId = useId();
  const { servers, activeServerId } = state;
  const drafts = useServerDrafts();
  const all: readonly (Server | undefined)[] = hasNew ? [...servers, undefined] : servers;
  const at = all.findIndex((server) => server?.id === chosen);
  const optionId = (index: number) => `${listId}-${index}`;
  useEffect(() => document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' }), [listId, at]);

  function onKeyDown(event: KeyboardEvent) {
    const steps: Partial<Record<string, number>> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 };
    const to = steps[event.key];
    const server = all[at];
    if (event.key === 'Enter') onOpen(chosen, true);
    else if (to === undefined) return;
    else if (!event.altKey) {
      if (to >= 0 && to < all.length) onChoose(all[to]?.id);
    } else if (server && to >= 0 && to < servers.length && Math.abs(to - at) === 1) {
      onMove(server, to < at ? -1 : 1);
    }
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
  const { t, i18n } = useTexts();
  const keys = serverKeysOf(place);
  return (
    <>
      <ServerDot colour={server?.colour ?? 'gray'} size={12} />
      <span className={classes.words}>
        <OutsideText className={classes.name} text={server ? serverName(server, t) : t('server.new')} />
        {server?.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
        {server?.double && <DoubleLabel>{t('doubles.mark')}</DoubleLabel>}
        {isActive && <Chip tone="info">{t('server.inUse')}</Chip>}
        {isUnsaved && <Chip tone="warn">{t('server.unsavedShort')}</Chip>}
      </span>
      {server && keys !== undefined && <kbd>{keys}</kbd>}
      {server && (
        <bdi className={classes.host} title={server.baseUrl}>
          {server.double
            ? t('doubles.ofShort', {
                name: server.double.of,
                day: sayDay(server.double.measuredAt.slice(0, 10), i18n.language),
              })
            : server.baseUrl.replace(/^https?:\/\//, '')}
        </bdi>
      )}
    </>
  );
}
