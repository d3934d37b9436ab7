import { Combobox, Input, VisuallyHidden } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { DoubleLabel, ProductionLabel } from '../components/chip.tsx';
import { CheckIcon, ChevronIcon, SearchIcon, WorldIcon } from '../components/icons.tsx';
import { ServerDot } from '../components/server-dot.tsx';
import { serverName } from '../server-name.ts';
import { serverKeysOf } from '../use-shortcuts.ts';
import classes from './server-chip.module.css';
import { allOption, knownOption, typedOption, useServerChip } from './use-server-chip.ts';

/** Names the server in use, and opens the menu of servers, in which a new address can be typed too. */
export function ServerChip({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const chip = useServerChip(state);
  const { combobox, typed, matching, offersTyped, error, sending } = chip;
  const active = state.servers.find(({ id }) => id === state.activeServerId);
  if (!active) return null;
  return (
    <Combobox store={combobox} width={320} position="bottom-start" onOptionSubmit={chip.submitOption}>
      <Combobox.Target targetType="button" withAriaAttributes={false}>
        <button
          type="button"
          className={classes.chip}
          data-colour={active.colour}
          aria-haspopup="listbox"
          aria-expanded={combobox.dropdownOpened}
          aria-busy={sending}
          onClick={() => combobox.toggleDropdown()}
        >
          <VisuallyHidden>{t('server.label')}:</VisuallyHidden>
          <Named key={active.id} state={state} server={active} />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown className={classes.menu}>
        <Input.Wrapper className={classes.asked} error={error} errorProps={{ role: 'alert', className: classes.error }}>
          <Combobox.Search
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- It is an input, to which the list below belongs.
            role="combobox"
            aria-controls={combobox.listId ?? ''}
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
            aria-busy={sending}
            onChange={(event) => chip.type(event.currentTarget.value)}
            onKeyDown={chip.onKeyDown}
          />
        </Input.Wrapper>
        <Combobox.Options aria-label={t('server.menu')} className={classes.options} style={{ '--rows': chip.rows }}>
          {/* Its line is there before an address is typed, so that the list does not move. */}
          <Combobox.Option value={typedOption} disabled={!offersTyped} className={classes.typed}>
            {offersTyped ? t('server.useTyped', { address: typed.trim() }) : t('server.typeHint')}
          </Combobox.Option>
          {matching.map((server) => (
            <Option key={server.id} state={state} server={server} />
          ))}
          <Combobox.Option value={allOption} className={classes.all}>
            <WorldIcon />
            {t('server.all')}
          </Combobox.Option>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Shows what belongs to the server in use. Its widths are its own, so nothing of it is kept for another server. */
function Named({ state, server }: { state: AppState; server: Server }) {
  const { t } = useTranslation();
  const reachable = t(`server.reachable.${reachabilityOf(state, server)}`);
  const name = serverName(server, t);
  const host = hostOf(state, server, t);
  return (
    <>
      <ServerDot size={10} />
      <bdi className={classes.name} title={name}>
        {name}
      </bdi>
      {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      {server.double && <DoubleLabel>{t('doubles.mark')}</DoubleLabel>}
      {/* A name that begins with the host stands alone, as in the form. */}
      {!name.startsWith(host.replace(/\/.*$/, '')) && (
        <span className={classes.host} data-built-in={server.builtIn || server.double !== undefined} title={host}>
          {host}
        </span>
      )}
      <span className={classes.state} data-state={reachabilityOf(state, server)} title={reachable} aria-hidden />
      <VisuallyHidden>{reachable}</VisuallyHidden>
      <ChevronIcon size={14} />
    </>
  );
}

function Option({ state, server }: { state: AppState; server: Server }) {
  const { t } = useTranslation();
  const isActive = server.id === state.activeServerId;
  const keys = serverKeysOf(state.servers.indexOf(server) + 1);
  const name = serverName(server, t);
  const host = hostOf(state, server, t);
  return (
    <Combobox.Option
      value={knownOption(server.id)}
      active={isActive}
      aria-selected={isActive}
      className={classes.option}
    >
      <ServerDot colour={server.colour} size={10} />
      <span className={classes.words}>
        <span className={classes.named}>
          <bdi className={classes.name} title={name}>
            {name}
          </bdi>
          {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
          {server.double && <DoubleLabel>{t('doubles.mark')}</DoubleLabel>}
        </span>
        <span className={classes.host} title={host}>
          {host}
        </span>
      </span>
      {isActive && <CheckIcon />}
      {keys !== undefined && <kbd>{keys}</kbd>}
    </Combobox.Option>
  );
}

/** Returns the host and port of a server, or what the built-in one is doing while it has none. */
function hostOf({ builtIn }: AppState, server: Server, t: TFunction): string {
  if (server.builtIn && builtIn.state === 'starting') return t('server.starting');
  if (server.builtIn && builtIn.state === 'failed') return t('server.notRunning');
  const run = server.double?.run.state;
  if (run === 'starting') return t('server.starting');
  if (run === 'stopped' || run === 'failed') return t('server.notRunning');
  return server.baseUrl.replace(/^https?:\/\//, '');
}

/** Says whether the server has answered, as far as this application knows. */
function reachabilityOf({ session, builtIn }: AppState, server: Server): 'yes' | 'no' | 'unknown' {
  const { builtIn: isBuiltIn, double } = server;
  if (double) return double.run.state === 'running' ? 'yes' : double.run.state === 'failed' ? 'no' : 'unknown';
  if (isBuiltIn) return builtIn.state === 'running' ? 'yes' : builtIn.state === 'failed' ? 'no' : 'unknown';
  if (session.step !== 'signed-in') return 'unknown';
  return session.check.state === 'checked' ? 'yes' : 'no';
}
