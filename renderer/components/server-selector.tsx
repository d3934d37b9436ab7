import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import type { TFunction } from 'i18next';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import classes from '../app.module.css';
import { serverName } from '../server-name.ts';
import { sayError } from '../say-error.ts';
import { useAttempt } from '../use-attempt.ts';
import { ChevronIcon } from './icons.tsx';

/** Option values; a server's id may be any text, so what is typed is marked as such. */
const typedOption = 'typed';
const knownOption = (id: string) => `known:${id}`;

/** Which server is used: choose a known one, or type an address and press Enter. Leaving the field changes nothing. */
export function ServerSelector({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const { servers, activeServerId } = state;
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const attempt = useAttempt(activeServerId);

  const nameOf = (server: Server | undefined) => serverName(server, t);
  const active = servers.find(({ id }) => id === activeServerId);
  const activeName = nameOf(active);
  /** Undefined while nothing is being typed: then the field shows the server in use. */
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

  return (
    <div className={classes.server}>
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          if (value === typedOption) takeTyped();
          else void choose(() => api.servers.choose({ id: value.slice(knownOption('').length) }));
        }}
      >
        <Combobox.Target withExpandedAttribute>
          <TextInput
            className={classes.serverField}
            label={t('server.label')}
            value={text}
            error={said && `${said.says} ${said.advice}`}
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
            inputMode="url"
            aria-busy={attempt.sending}
            rightSection={<ChevronIcon />}
            rightSectionPointerEvents="none"
            onChange={(event) => {
              setTyped(event.currentTarget.value);
              attempt.dismiss();
              combobox.openDropdown();
              combobox.resetSelectedOption();
            }}
            onClick={() => combobox.openDropdown()}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={() => {
              combobox.closeDropdown();
              if (!attempt.failure && !attempt.sending) setTyped(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={t('server.label')} mah="50vh" className={classes.options}>
            {matching.map((each) => (
              <Combobox.Option
                key={each.id}
                value={knownOption(each.id)}
                active={each.id === activeServerId}
                aria-selected={each.id === activeServerId}
              >
                <Text size="sm">{nameOf(each)}</Text>
                <Text size="xs">{each.builtIn ? builtInAddress(state, each, t) : each.baseUrl}</Text>
              </Combobox.Option>
            ))}
            {wanted !== '' && !servers.some((each) => nameOf(each) === wanted) && (
              <Combobox.Option value={typedOption}>{t('server.useTyped', { address: wanted })}</Combobox.Option>
            )}
          </Combobox.Options>
          <Combobox.Footer>
            <Text size="xs" c="dimmed">
              {t('server.typeHint')}
            </Text>
          </Combobox.Footer>
        </Combobox.Dropdown>
      </Combobox>
    </div>
  );
}

function builtInAddress({ builtIn }: AppState, server: Server, t: TFunction): string {
  switch (builtIn.state) {
    case 'running':
      return server.baseUrl;
    case 'starting':
      return t('server.starting');
    case 'failed':
      return t('server.notRunning');
    default:
      return builtIn satisfies never;
  }
}
