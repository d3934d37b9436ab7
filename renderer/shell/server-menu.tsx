import { Combobox, type ComboboxStore, Input, useVirtualizedCombobox, VisuallyHidden } from '@mantine/core';
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from 'react';
import type { ConnectionReport, Server } from '../../preload/contract/models.ts';
import type { Result } from '../../preload/contract/result.ts';
import { api, useActiveServer, useApp } from '../api.ts';
import { Chip, ProductionLabel } from '../components/chip.tsx';
import { ChevronIcon, SearchIcon, WorldIcon } from '../components/icons.tsx';
import { lazyComponent } from '../components/lazy-component.tsx';
import { plainText } from '../components/plain-text.ts';
import { ServerMark } from '../components/server-mark.tsx';
import { t } from '../i18n.ts';
import { pendingFocus } from '../move-focus.ts';
import { navigate, showActiveServer } from '../route.ts';
import { hostBeside, serverName } from '../server-name.ts';
import { isServer, setTested, unsureText } from '../tested-servers.ts';
import { useAction } from '../use-action.ts';
import { useErrorText } from '../use-error-text.ts';
import classes from './server-menu.module.css';
import { serverOption } from './server-option.ts';

/** Values of the options that are no servers. */
const typedOption = 'typed';
const allOption = 'all';

/** With what makes its list virtual, it is not needed before the menu is opened. */
const ServerOptions = lazyComponent(async () => (await import('./server-options.tsx')).ServerOptions);

/** The result for a typed address where no server of the interface responded. */
const unsure = 'unsure';

/** Shows the active server, and opens the menu of servers, which also accepts a new address. */
export function ServerMenu() {
  const state = useApp();
  const { servers, activeServerId, asking } = state;
  const active = useActiveServer();
  const errorText = useErrorText();
  const { run, pending, failure, dismiss } = useAction();
  const id = useId();
  /** Whether an arrow key opened it, which then starts at the active server. */
  const [byArrow, setByArrow] = useState(false);
  const [typed, setTyped] = useState('');
  const [unsureResult, setUnsureResult] = useState<{ address: string; report: ConnectionReport }>();
  const [selected, setSelected] = useState(-1);

  const query = typed.trim();
  const matching = servers.filter((server) =>
    `${serverName(server)} ${server.baseUrl}`.toLowerCase().includes(query.toLowerCase()),
  );
  const offersTyped = query !== '' && !servers.some((server) => serverName(server) === query);
  /** What the arrow keys go through. */
  const options = [typedOption, ...matching.map((server) => serverOption(server.id)), allOption];
  const optionId = (index: number) => `${id}-option-${index}`;
  const combobox = useVirtualizedCombobox({
    totalOptionsCount: options.length,
    isOptionDisabled: (index) => index === 0 && !offersTyped,
    getOptionId: optionId,
    selectedOptionIndex: selected,
    setSelectedOptionIndex: setSelected,
    activeOptionIndex: options.indexOf(serverOption(activeServerId)),
    onSelectedOptionSubmit: (index) => submitOption(options[index] ?? typedOption),
  });
  const isOpen = combobox.dropdownOpened;
  /** The number of rows the menu has space for, which is constant while it is open. */
  const [rows, setRows] = useState(servers.length);
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (wasOpen !== isOpen) {
    setWasOpen(isOpen);
    setRows(servers.length);
    setTyped('');
    setUnsureResult(undefined);
  }

  const onOpened = useEffectEvent(() => {
    if (byArrow) combobox.selectActiveOption();
    combobox.focusSearchInput();
  });
  const onClosed = useEffectEvent(() => {
    combobox.resetSelectedOption();
    if (pending) void api.servers.cancelTest();
    dismiss();
    pendingFocus()?.();
    setTimeout(() => returnFocus(combobox));
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    onOpened();
    return () => onClosed();
  }, [isOpen]);

  const found = unsureResult?.address === query ? unsureResult.report : undefined;
  const failureText = failure && errorText(failure.error, 'server');
  const error = found
    ? unsureText(found, (each) => errorText(each, 'server'))
    : failureText && `${failureText.message} ${failureText.advice}`;

  /** Keeps the menu open during the request, and shows its error. */
  async function choose(call: () => Promise<Result<unknown>>) {
    const result = await run(call);
    if (!result?.ok || result.value === unsure) return;
    combobox.closeDropdown();
    showActiveServer();
  }

  /** Tests an address before a server is created from it, as the welcome page does. */
  async function testAndChoose(address: string): Promise<Result<unknown>> {
    const tested = await api.servers.test({ address });
    if (!tested.ok) return tested;
    setTested(tested.value);
    if (isServer(tested.value)) return api.servers.chooseAddress({ address });
    setUnsureResult({ address, report: tested.value });
    return { ok: true, value: unsure };
  }

  function submitTyped() {
    if (query === '') return;
    const known = servers.find((server) => serverName(server).toLowerCase() === query.toLowerCase());
    if (known) void choose(() => api.servers.choose({ id: known.id }));
    // The user may override the test.
    else if (found) void choose(() => api.servers.chooseAddress({ address: query }));
    else void choose(() => testAndChoose(query));
  }

  function submitOption(value: string) {
    if (value === allOption) {
      combobox.closeDropdown();
      navigate({ page: 'servers' });
    } else if (value === typedOption) submitTyped();
    else void choose(() => api.servers.choose({ id: value.slice(serverOption('').length) }));
  }

  function onButtonKeyDown(event: KeyboardEvent) {
    const isArrow = event.key === 'ArrowDown' || event.key === 'ArrowUp';
    setByArrow(isArrow);
    if (!isArrow) return;
    event.preventDefault();
    combobox.openDropdown();
  }

  function onSearchKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Tab') {
      // Tab continues after the button, not after the menu, which is at the end of the page.
      combobox.targetRef.current?.focus();
      combobox.closeDropdown();
    }
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) submitTyped();
  }

  return (
    <Combobox store={combobox} width={392} position="bottom-start" onOptionSubmit={submitOption}>
      <Combobox.Target withKeyboardNavigation={false} withAriaAttributes={false}>
        <button
          type="button"
          className={classes.chip}
          data-colour={active.colour}
          data-labelled={active.production || active.mock !== undefined}
          title={[serverName(active), hostBeside(state, active)].filter(Boolean).join('\n')}
          aria-haspopup="listbox"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-dropdown` : undefined}
          aria-busy={pending}
          onClick={() => combobox.toggleDropdown()}
          onKeyDown={onButtonKeyDown}
          onPointerDown={() => setByArrow(false)}
        >
          <VisuallyHidden>{t('server.label')}:</VisuallyHidden>
          <ActiveServer key={active.id} server={active} />
        </button>
      </Combobox.Target>
      <Combobox.Dropdown id={`${id}-dropdown`} className={classes.menu}>
        <Input.Wrapper className="here" error={error} errorProps={{ role: 'alert', className: classes.error }}>
          <Combobox.Search
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- It is an input, to which the list below belongs.
            role="combobox"
            aria-controls={`${id}-list`}
            aria-expanded={isOpen}
            aria-activedescendant={isOpen && selected >= 0 ? optionId(selected) : undefined}
            classNames={{ wrapper: classes.field, input: classes.search }}
            leftSection={<SearchIcon />}
            aria-label={t('server.find')}
            placeholder={t('server.find')}
            value={typed}
            error={error !== undefined}
            {...plainText}
            inputMode="url"
            aria-busy={pending}
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              dismiss();
              combobox.resetSelectedOption();
            }}
            onKeyDown={onSearchKeyDown}
          />
        </Input.Wrapper>
        <Combobox.Options
          id={`${id}-list`}
          aria-label={t('server.menu')}
          className={classes.options}
          style={{ '--rows': rows }}
        >
          {/* Rendered before an address is typed, so that the list does not move. */}
          <Combobox.Option
            value={typedOption}
            id={optionId(0)}
            disabled={!offersTyped}
            selected={selected === 0}
            aria-posinset={1}
            aria-setsize={options.length}
            className={classes.typed}
          >
            {pending && asking
              ? t('app.asking')
              : offersTyped
                ? t(found ? 'welcome.anyway' : 'server.useTyped', { address: query })
                : t('server.typeHint')}
          </Combobox.Option>
          {isOpen && <ServerOptions servers={matching} selected={selected - 1} optionId={optionId} />}
          <Combobox.Option
            value={allOption}
            id={optionId(options.length - 1)}
            selected={selected === options.length - 1}
            aria-posinset={options.length}
            aria-setsize={options.length}
            className={classes.all}
          >
            <WorldIcon />
            {t('server.all')}
          </Combobox.Option>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** Keyed by server, so that no width is kept for another one. */
function ActiveServer({ server }: { server: Server }) {
  return (
    <>
      <bdi className="name strong">{serverName(server)}</bdi>
      {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      {server.mock && <Chip small>{t('mocks.mark')}</Chip>}
      <span className={classes.live}>
        <ServerMark server={server} short />
      </span>
      <ChevronIcon size={14} />
    </>
  );
}

/** The button takes the focus back, unless the user has moved it elsewhere. */
function returnFocus({ searchRef, targetRef }: ComboboxStore): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === searchRef.current) targetRef.current?.focus();
}
