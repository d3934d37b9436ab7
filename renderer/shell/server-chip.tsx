import { Combobox, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import type { Server } from '../../preload/contract/models.ts';
import { Chip, ProductionLabel } from '../components/chip.tsx';
import { ChevronIcon } from '../components/icons.tsx';
import { ServerMark } from '../components/server-mark.tsx';
import { hostBeside, serverName } from '../server-name.ts';
import { useAction } from '../use-action.ts';
import classes from './server-chip.module.css';
import { ServerMenu } from './server-menu.tsx';
import { useServerMenu } from './use-server-menu.ts';
import { t } from '../i18n.ts';
import { useActiveServer, useApp } from '../api.ts';

/** Names the server in use, and opens the menu of servers, in which a new address can be typed too. */
export function ServerChip() {
  const id = useId();
  /** Whether an arrow key opened it, which then begins from the server in use. */
  const [byArrow, setByArrow] = useState(false);
  const attempt = useAction();
  const menu = useServerMenu({ attempt, byArrow });
  const { combobox } = menu;
  const state = useApp();
  const active = useActiveServer();

  function onKeyDown(event: KeyboardEvent) {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    setByArrow(isArrow);
    if (!isArrow) return;
    event.preventDefault();
    combobox.openDropdown();
  }

  return (
    <Combobox store={combobox} width={392} position="bottom-start" onOptionSubmit={menu.submitOption}>
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <button
          type="button"
          className={classes.chip}
          data-colour={active.colour}
          data-labelled={active.production || active.double !== undefined}
          title={[serverName(active), hostBeside(state, active)].filter(Boolean).join('\n')}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          aria-controls={combobox.dropdownOpened ? `${id}-dropdown` : undefined}
          aria-busy={attempt.pending}
          onClick={() => combobox.toggleDropdown()}
          onKeyDown={onKeyDown}
          onPointerDown={() => setByArrow(false)}
        >
          <VisuallyHidden>{t('server.label')}:</VisuallyHidden>
          <Named key={active.id} server={active} />
        </button>
      </Combobox.Target>
      <ServerMenu id={id} {...{ state, menu, attempt }} />
    </Combobox>
  );
}

/** Shows what belongs to the server in use. Its widths are its own, so nothing of it is kept for another server. */
function Named({ server }: { server: Server }) {
  return (
    <>
      <bdi className="name strong">{serverName(server)}</bdi>
      {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      {server.double && <Chip small>{t('doubles.mark')}</Chip>}
      <span className={classes.live}>
        <ServerMark server={server} short />
      </span>
      <ChevronIcon size={14} />
    </>
  );
}
