import { ActionIcon, Combobox, Menu, Text, TextInput, useCombobox } from '@mantine/core';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import classes from '../app.module.css';
import { sayError } from '../say-error.ts';
import { useAttempt } from '../use-attempt.ts';
import { ChevronIcon, ListIcon } from './icons.tsx';

/** Option values; a server's id may be any text, so what is typed is marked as such. */
const typedOption = 'typed';
const serverOption = (id: string) => `server:${id}`;

/** Which server is used: choose a known one, or type an address and press Enter. Leaving the field changes nothing. */
export function ServerSelector({ state }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const { servers, activeServerId } = state;
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const attempt = useAttempt(activeServerId);

  const forgetHelpId = useId();

  const nameOf = (server: Server | undefined) => (server?.builtIn ? t('server.builtIn') : (server?.baseUrl ?? ''));
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
    const known = servers.find((server) => nameOf(server).toLowerCase() === wanted.toLowerCase());
    void choose(known ? () => api.servers.choose(known.id) : () => api.servers.chooseAddress(wanted));
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
    (server) =>
      typed === undefined || `${nameOf(server)} ${server.baseUrl}`.toLowerCase().includes(wanted.toLowerCase()),
  );
  const known = servers.filter(({ builtIn }) => !builtIn);
  const said = attempt.failure && sayError(attempt.failure.error, 'server', t, i18n.language);

  return (
    <div className={classes.server}>
      <Combobox
        store={combobox}
        onOptionSubmit={(value) => {
          if (value === typedOption) takeTyped();
          else void choose(() => api.servers.choose(value.slice(serverOption('').length)));
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
            {matching.map((server) => (
              <Combobox.Option
                key={server.id}
                value={serverOption(server.id)}
                active={server.id === activeServerId}
                aria-selected={server.id === activeServerId}
              >
                <Text size="sm">{nameOf(server)}</Text>
                {server.builtIn && <Text size="xs">{builtInAddress(state, server, t)}</Text>}
              </Combobox.Option>
            ))}
            {wanted !== '' && !servers.some((server) => nameOf(server) === wanted) && (
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
      {known.length > 0 && (
        <Menu position="bottom-end" width={280}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label={t('server.options')} title={t('server.options')}>
              <ListIcon />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown aria-label={t('server.options')} className={classes.options}>
            {known.map((server) => (
              <Menu.Item
                key={server.id}
                aria-describedby={forgetHelpId}
                onClick={() => void choose(() => api.servers.forget(server.id))}
              >
                {t('server.forget', { address: server.baseUrl })}
              </Menu.Item>
            ))}
            <Menu.Divider />
            <Menu.Label id={forgetHelpId} aria-hidden>
              {t('server.forgetHelp')}
            </Menu.Label>
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}

function builtInAddress({ service }: AppState, server: Server, t: ReturnType<typeof useTranslation>['t']): string {
  switch (service.state) {
    case 'running':
      return server.baseUrl;
    case 'starting':
      return t('server.starting');
    case 'failed':
      return t('server.notRunning');
    default:
      return service satisfies never;
  }
}
