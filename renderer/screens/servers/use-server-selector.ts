import { useCombobox } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { sayError } from '../../say-error.ts';
import { serverName } from '../../server-name.ts';
import { useAttempt } from '../../use-attempt.ts';

/** Marks what is typed among the values of the options, since a server's id may be any text. */
export const typedOption = 'typed';
export const knownOption = (id: string) => `known:${id}`;

/** Keeps what is typed into the selector of servers, what matches it, and what becomes of it. */
export function useServerSelector({ servers, activeServerId }: AppState) {
  const { t, i18n } = useTranslation();
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const attempt = useAttempt(activeServerId);

  const nameOf = (server: Server | undefined) => serverName(server, t);
  const active = servers.find(({ id }) => id === activeServerId);
  const activeName = nameOf(active);
  /** It is undefined while nothing is being typed. Then the field shows the server in use. */
  const [typing, setTyping] = useState<{ text: string; serverId: string }>();
  const typed = typing?.serverId === activeServerId ? typing.text : undefined;
  const setTyped = (text: string | undefined) =>
    setTyping(text === undefined ? undefined : { text, serverId: activeServerId });
  const text = typed ?? activeName;
  const wanted = typed?.trim() ?? '';

  async function choose(call: Parameters<typeof attempt.run>[0]) {
    combobox.closeDropdown();
    const result = await attempt.run(call);
    if (result?.ok) setTyped(undefined);
  }

  function takeTyped() {
    if (typed === undefined || wanted === activeName) return;
    const known = servers.find((each) => nameOf(each).toLowerCase() === wanted.toLowerCase());
    void choose(
      known ? () => api.servers.choose({ id: known.id }) : () => api.servers.chooseAddress({ address: wanted }),
    );
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const optionChosen = combobox.dropdownOpened && combobox.getSelectedOptionIndex() !== -1;
    if (event.key === 'Enter' && !optionChosen) takeTyped();
    if (event.key === 'Escape') {
      setTyped(undefined);
      attempt.dismiss();
    }
  }

  const matching = servers.filter(
    (each) => typed === undefined || `${nameOf(each)} ${each.baseUrl}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const said = attempt.failure && sayError(attempt.failure.error, 'server', t, i18n.language);

  return {
    combobox,
    text,
    wanted,
    matching,
    offersTyped: wanted !== '' && !servers.some((each) => nameOf(each) === wanted),
    nameOf,
    error: said && `${said.says} ${said.advice}`,
    sending: attempt.sending,
    onKeyDown,
    submitOption: (value: string): void => {
      if (value === typedOption) takeTyped();
      else void choose(() => api.servers.choose({ id: value.slice(knownOption('').length) }));
    },
    type: (typedNow: string): void => {
      setTyped(typedNow);
      attempt.dismiss();
      combobox.openDropdown();
      combobox.resetSelectedOption();
    },
    leave: (): void => {
      combobox.closeDropdown();
      if (!attempt.failure && !attempt.sending) setTyped(undefined);
    },
  };
}
