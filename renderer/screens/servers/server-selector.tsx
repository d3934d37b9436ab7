import { Combobox, Text, TextInput } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import classes from '../../app.module.css';
import { ChevronIcon } from '../../components/icons.tsx';
import { knownOption, typedOption, useServerSelector } from './use-server-selector.ts';

/** Chooses a known server, or one whose address is typed, with Enter. Leaving the field changes nothing. */
export function ServerSelector({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const selector = useServerSelector(state);
  const { combobox, text, wanted, matching, offersTyped, nameOf, error, sending } = selector;
  const { onKeyDown, submitOption, type, leave } = selector;
  return (
    <div className={classes.selector}>
      <Combobox store={combobox} onOptionSubmit={submitOption}>
        <Combobox.Target withExpandedAttribute>
          <TextInput
            className={classes.serverField}
            label={t('server.label')}
            value={text}
            error={error}
            spellCheck={false}
            autoCapitalize="none"
            autoCorrect="off"
            inputMode="url"
            aria-busy={sending}
            rightSection={<ChevronIcon />}
            rightSectionPointerEvents="none"
            onChange={(event) => type(event.currentTarget.value)}
            onClick={() => combobox.openDropdown()}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={leave}
            onKeyDown={onKeyDown}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <Combobox.Options aria-label={t('server.label')} mah="50vh" className={classes.options}>
            {matching.map((each) => (
              <Combobox.Option
                key={each.id}
                value={knownOption(each.id)}
                active={each.id === state.activeServerId}
                aria-selected={each.id === state.activeServerId}
              >
                <Text size="sm">{nameOf(each)}</Text>
                <Text size="xs">{each.builtIn ? builtInAddress(state, each, t) : each.baseUrl}</Text>
              </Combobox.Option>
            ))}
            {offersTyped && (
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
