import { type ComboboxStore, useCombobox } from '@mantine/core';
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react';
import type { ConnectionReport } from '../../preload/contract/models.ts';
import type { Result } from '../../preload/contract/result.ts';
import { api, useApp } from '../api.ts';
import { pendingFocus } from '../move-focus.ts';
import { navigate, showActiveServer } from '../route.ts';
import { serverName } from '../server-name.ts';
import type { useAction } from '../use-action.ts';
import { isServer, setTested, unsureText } from '../tested-servers.ts';
import { useErrorText } from '../use-error-text.ts';

/** Marks what is typed and the way to all servers among the values of the options, since an id may be any text. */
export const typedOption = 'typed';
export const allOption = 'all';
/** What comes of a typed address where no server of this interface answered. */
const doubtful = 'doubtful';
export const knownOption = (id: string) => `known:${id}`;

interface ServerMenuOptions {
  /** The change of the server, which the chip shows too. */
  attempt: ReturnType<typeof useAction>;
  /** Whether an arrow key opened it, which then begins from the server in use. */
  byArrow: boolean;
}

/** Puts the focus into the field of the list once it is open, and gives it back. */
function useList({ attempt, byArrow }: ServerMenuOptions): ComboboxStore {
  const combobox = useCombobox();
  const isOpen = combobox.dropdownOpened;
  const onOpened = useEffectEvent(() => {
    if (byArrow) combobox.selectActiveOption();
    combobox.focusSearchInput();
  });
  const onClosed = useEffectEvent(() => {
    combobox.resetSelectedOption();
    if (attempt.pending) void api.servers.cancelTest();
    attempt.dismiss();
    pendingFocus()?.();
    setTimeout(() => giveFocusBack(combobox));
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    onOpened();
    return () => onClosed();
  }, [isOpen]);
  return combobox;
}

/** Looks whether a server answers at a typed address before one is made of it, as the first screen does. */
function useTypedTest() {
  const [doubt, setDoubt] = useState<{ address: string; report: ConnectionReport }>();
  return {
    /** What was found at an address where no server of this interface answered. */
    doubtOf: (address: string): ConnectionReport | undefined => (doubt?.address === address ? doubt.report : undefined),
    forget: () => setDoubt(undefined),
    async choose(address: string): Promise<Result<unknown>> {
      const tested = await api.servers.test({ address });
      if (!tested.ok) return tested;
      setTested(tested.value);
      if (isServer(tested.value)) return api.servers.chooseAddress({ address });
      setDoubt({ address, report: tested.value });
      return { ok: true, value: doubtful };
    },
  };
}

/** Keeps what is typed into the menu of servers, what matches it, and what becomes of it. */
export function useServerMenu(options: ServerMenuOptions) {
  const errorText = useErrorText();
  const { attempt } = options;
  const { servers } = useApp();
  const combobox = useList(options);
  const [typed, setTyped] = useState('');
  const test = useTypedTest();
  /** How many lines the menu has room for, which stays so while it is open. */
  const [rows, setRows] = useState(servers.length);
  const [wasOpen, setWasOpen] = useState(combobox.dropdownOpened);
  if (wasOpen !== combobox.dropdownOpened) {
    setWasOpen(combobox.dropdownOpened);
    setRows(servers.length);
    setTyped('');
    test.forget();
  }

  const wanted = typed.trim();
  const doubted = test.doubtOf(wanted);

  /** The menu stays open while the server is asked, and says what was wrong. */
  async function choose(call: () => Promise<Result<unknown>>) {
    const result = await attempt.run(call);
    if (!result?.ok || result.value === doubtful) return;
    combobox.closeDropdown();
    showActiveServer();
  }

  function takeTyped() {
    if (wanted === '') return;
    const known = servers.find((each) => serverName(each).toLowerCase() === wanted.toLowerCase());
    if (known) void choose(() => api.servers.choose({ id: known.id }));
    // Who knows better than the test goes on all the same.
    else if (doubted) void choose(() => api.servers.chooseAddress({ address: wanted }));
    else void choose(() => test.choose(wanted));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Tab') {
      // What comes after the chip is next, and not what comes after the menu, which is the end of the page.
      combobox.targetRef.current?.focus();
      combobox.closeDropdown();
    }
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) takeTyped();
  }

  function submitOption(value: string) {
    if (value === allOption) {
      combobox.closeDropdown();
      navigate({ room: 'servers' });
    } else if (value === typedOption) takeTyped();
    else void choose(() => api.servers.choose({ id: value.slice(knownOption('').length) }));
  }

  const said = attempt.failure && errorText(attempt.failure.error, 'server');
  return {
    combobox,
    rows,
    typed,
    matching: servers.filter((each) =>
      `${serverName(each)} ${each.baseUrl}`.toLowerCase().includes(wanted.toLowerCase()),
    ),
    offersTyped: wanted !== '' && !servers.some((each) => serverName(each) === wanted),
    isDoubted: doubted !== undefined,
    error: doubted ? unsureText(doubted, (error) => errorText(error, 'server')) : said && `${said.says} ${said.advice}`,
    onKeyDown,
    submitOption,
    type: (now: string): void => {
      setTyped(now);
      attempt.dismiss();
      combobox.resetSelectedOption();
    },
  };
}

/** The chip takes the focus from its menu, unless the person has gone on to something else. */
function giveFocusBack({ searchRef, targetRef }: ComboboxStore): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement === searchRef.current) targetRef.current?.focus();
}
