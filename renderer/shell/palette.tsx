import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../preload/contract/models.ts';
import type { Command } from '../../preload/contract/shortcuts.ts';
import { SearchIcon } from '../components/icons.tsx';
import { useFocusReturn } from '../components/use-focus-return.ts';
import { hasWords } from '../matching.ts';
import { paletteEntries } from './palette-entries.ts';
import classes from './palette.module.css';
import type { Actions } from './use-actions.ts';

interface PaletteProps {
  state: AppState;
  actions: Actions;
  onRun: (command: Command) => void;
  onClose: () => void;
}

const groups = ['rooms', 'servers', 'accounts', 'actions'] as const;

/**
 * Searches everything that can be done, and does it. Mantine's Spotlight would look the same, and tells nobody who
 * listens which line is chosen; this is its Combobox in a dialog.
 */
export function Palette({ state, actions, onRun, onClose }: PaletteProps) {
  const { t } = useTranslation();
  useFocusReturn();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const [text, setText] = useState('');
  const entries = paletteEntries({ state, t, actions, run: onRun });
  const found = entries.filter(({ label, hint = '' }) => hasWords([label, hint], text));

  function run(id: string) {
    onClose();
    entries.find((entry) => entry.id === id)?.run();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      title={t('palette.label')}
      size={620}
      yOffset={88}
      padding={0}
      transitionProps={{ duration: 0 }}
      overlayProps={{ transitionProps: { duration: 0 } }}
      classNames={{ inner: classes.inner, content: classes.content, header: classes.header }}
    >
      <Combobox store={combobox} onOptionSubmit={run}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            size="md"
            variant="unstyled"
            className={classes.field}
            aria-label={t('palette.label')}
            placeholder={t('palette.field')}
            leftSection={<SearchIcon />}
            value={text}
            spellCheck={false}
            onChange={(event) => {
              setText(event.currentTarget.value);
              combobox.resetSelectedOption();
            }}
            onKeyDown={(event) => {
              // Without a choice, Enter runs the first line.
              const [first] = found;
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first) return;
              if (combobox.getSelectedOptionIndex() === -1) run(first.id);
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options aria-label={t('palette.label')} className={classes.options} tabIndex={0}>
          {found.length === 0 && <Combobox.Empty>{t('palette.nothing')}</Combobox.Empty>}
          {groups.map((group) => {
            const inGroup = found.filter((entry) => entry.group === group);
            return inGroup.length === 0 ? null : (
              <Combobox.Group key={group} label={t(`palette.groups.${group}`)}>
                {inGroup.map(({ id, label, hint, keys }) => (
                  <Combobox.Option key={id} value={id} className={classes.option}>
                    <bdi className={classes.label}>{label}</bdi>
                    {hint !== undefined && <span className={classes.hint}>{hint}</span>}
                    {keys !== undefined && <kbd className={classes.keys}>{keys}</kbd>}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            );
          })}
        </Combobox.Options>
      </Combobox>
    </Modal>
  );
}
