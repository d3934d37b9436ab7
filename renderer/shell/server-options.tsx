import { Combobox } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Server } from '../../preload/contract/models.ts';
import { useApp } from '../api.ts';
import { Chip, ProductionLabel } from '../components/chip.tsx';
import { CheckIcon } from '../components/icons.tsx';
import { ServerBar } from '../components/server-dot.tsx';
import { ServerMark } from '../components/server-mark.tsx';
import { t } from '../i18n.ts';
import { hostBeside, serverName } from '../server-name.ts';
import { serverKeysOf } from '../use-shortcuts.ts';
import { useVirtualRows } from '../use-virtual-rows.ts';
import classes from './server-menu.module.css';
import { serverOption } from './server-option.ts';

/** Pixels of a server in the menu. */
const rowHeight = 48;

interface ServerOptionsProps {
  servers: readonly Server[];
  /** The index of the server that the arrow keys have reached. */
  selected: number;
  /** Takes the index among all options, of which the first is no server. */
  optionId: (index: number) => string;
}

/** The servers in a virtual list. */
export function ServerOptions({ servers, selected, optionId }: ServerOptionsProps) {
  const { servers: all, activeServerId } = useApp();
  const listRef = useRef<HTMLDivElement>(null);
  const keys = servers.map(({ id }) => id);
  const { rowsOf } = useVirtualRows({ listRef, sections: [{ keys }], rowHeight, kept: keys[selected] });
  const selectedId = optionId(selected + 1);
  useEffect(() => document.getElementById(selectedId)?.scrollIntoView({ block: 'nearest' }), [selectedId]);
  return (
    <div ref={listRef} role="presentation" className="fixed">
      {rowsOf(0).map((each) => {
        if ('gap' in each) return <div key={`gap ${each.from}`} style={{ height: each.gap }} aria-hidden />;
        const server = servers[each.position];
        return (
          server && (
            <Combobox.Option
              key={server.id}
              value={serverOption(server.id)}
              id={optionId(each.position + 1)}
              selected={each.position === selected}
              active={server.id === activeServerId}
              aria-selected={server.id === activeServerId}
              // The first and the last option are no servers.
              aria-posinset={each.position + 2}
              aria-setsize={servers.length + 2}
              data-index={each.index}
              className={classes.option}
            >
              <ServerRow
                server={server}
                isActive={server.id === activeServerId}
                keys={serverKeysOf(all.indexOf(server) + 1)}
              />
            </Combobox.Option>
          )
        );
      })}
    </div>
  );
}

interface ServerRowProps {
  server: Server;
  isActive: boolean;
  keys: string | undefined;
}

function ServerRow({ server, isActive, keys }: ServerRowProps) {
  const name = serverName(server);
  const host = hostBeside(useApp(), server);
  return (
    <>
      <ServerBar colour={server.colour} />
      <span className={classes.words}>
        <span className="row slim gap8">
          <bdi className="name strong" title={name}>
            {name}
          </bdi>
          {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
          {server.mock && <Chip small>{t('mocks.mark')}</Chip>}
          {isActive && <CheckIcon />}
        </span>
        <ServerMark server={server} />
        <bdi className="slim name hint" title={host}>
          {host}
        </bdi>
        {keys !== undefined && <kbd>{keys}</kbd>}
      </span>
    </>
  );
}
