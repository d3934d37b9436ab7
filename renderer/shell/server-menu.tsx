import { Combobox, Input } from '@mantine/core';
import type { Server } from '../../preload/contract/models.ts';
import { Chip, ProductionLabel } from '../components/chip.tsx';
import { CheckIcon, SearchIcon, WorldIcon } from '../components/icons.tsx';
import { ServerBar } from '../components/server-dot.tsx';
import { ServerMark } from '../components/server-mark.tsx';
import { hostBeside, serverName } from '../server-name.ts';
import type { useAction } from '../use-action.ts';
import { serverKeysOf } from '../use-shortcuts.ts';
import classes from './server-chip.module.css';
import { allOption, knownOption, typedOption, type useServerMenu } from './use-server-menu.ts';
import { t } from '../i18n.ts';
import { useApp } from '../api.ts';

interface ServerMenuProps {
  /** That of the menu, before `-dropdown`. */
  id: string;
  menu: ReturnType<typeof useServerMenu>;
  /** The change of the server, which the chip shows too. */
  attempt: ReturnType<typeof useAction>;
}

/** Offers the servers, and a field to find one in or to type another address into. */
export function ServerMenu({ id, menu, attempt }: ServerMenuProps) {
  const state = useApp();
  const { combobox, typed, matching, offersTyped, error } = menu;
  const listId = `${id}-list`;
  return (
    <Combobox.Dropdown id={`${id}-dropdown`} className={classes.menu}>
      <Input.Wrapper className={classes.asked} error={error} errorProps={{ role: 'alert', className: classes.error }}>
        <Combobox.Search
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- It is an input, to which the list below belongs.
          role="combobox"
          aria-controls={listId}
          aria-expanded={combobox.dropdownOpened}
          classNames={{ wrapper: classes.field, input: classes.search }}
          leftSection={<SearchIcon />}
          aria-label={t('server.find')}
          placeholder={t('server.find')}
          value={typed}
          error={error !== undefined}
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          inputMode="url"
          aria-busy={attempt.pending}
          onChange={(event) => menu.type(event.currentTarget.value)}
          onKeyDown={menu.onKeyDown}
        />
      </Input.Wrapper>
      <Combobox.Options
        id={listId}
        aria-label={t('server.menu')}
        className={classes.options}
        style={{ '--rows': menu.rows }}
      >
        {/* Its line is there before an address is typed, so that the list does not move. */}
        <Combobox.Option value={typedOption} disabled={!offersTyped} className={classes.typed}>
          {attempt.pending && state.asking && t('app.asking')}
          {!(attempt.pending && state.asking) &&
            (offersTyped
              ? t(menu.isDoubted ? 'welcome.anyway' : 'server.useTyped', { address: typed.trim() })
              : t('server.typeHint'))}
        </Combobox.Option>
        {matching.map((server) => (
          <Option key={server.id} server={server} />
        ))}
        <Combobox.Option value={allOption} className={classes.all}>
          <WorldIcon />
          {t('server.all')}
        </Combobox.Option>
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

function Option({ server }: { server: Server }) {
  const state = useApp();
  const isActive = server.id === state.activeServerId;
  const keys = serverKeysOf(state.servers.indexOf(server) + 1);
  const name = serverName(server);
  const host = hostBeside(state, server);
  return (
    <Combobox.Option
      value={knownOption(server.id)}
      active={isActive}
      aria-selected={isActive}
      className={classes.option}
    >
      <ServerBar colour={server.colour} />
      <span className={classes.words}>
        <span className={classes.named}>
          <bdi className="name strong" title={name}>
            {name}
          </bdi>
          {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
          {server.double && <Chip small>{t('doubles.mark')}</Chip>}
          {isActive && <CheckIcon />}
        </span>
        <ServerMark server={server} />
        <bdi className={classes.host} title={host}>
          {host}
        </bdi>
        {keys !== undefined && <kbd>{keys}</kbd>}
      </span>
    </Combobox.Option>
  );
}
