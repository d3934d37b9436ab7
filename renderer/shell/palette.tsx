import { Combobox, Highlight, Modal, TextInput, useCombobox } from '@mantine/core';
import { useId, useState } from 'react';
import { AccountIcon, PlayIcon, SearchIcon } from '../components/icons.tsx';
import { ServerDot } from '../components/server-dot.tsx';
import { useFocusReturn } from '../components/use-focus-return.ts';
import { matchesQuery } from '../matches-query.ts';
import { type PaletteEntry, paletteEntries } from './palette-entries.ts';
import { keysOf } from '../use-shortcuts.ts';
import { pages } from '../pages.tsx';
import { overlay } from './commands.ts';
import classes from './palette.module.css';
import { t } from '../i18n.ts';
import { useApp } from '../api.ts';

const groups = ['pages', 'servers', 'accounts', 'actions', 'places'] as const;

const onClose = (): void => overlay.set(undefined);

/** The command palette. Mantine's Spotlight has no roles, so this is its Combobox in a dialog. */
export function Palette() {
  const state = useApp();
  useFocusReturn();
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const listId = useId();
  const [text, setText] = useState('');
  const entries = paletteEntries(state);
  const found = entries
    // Places fill many lines, so they are listed only for a query.
    .filter(
      ({ group, label, hint = '', words: others = '' }) =>
        (group === 'places' ? text.trim() !== '' : true) && matchesQuery([label, hint, others], text),
    );
  const words = text.split(/\s+/u).filter(Boolean);

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
      classNames={{ inner: classes.inner, content: 'clip', header: classes.header }}
    >
      <Combobox store={combobox} onOptionSubmit={run}>
        {/* Mantine knows its list one render late. The list is open as long as the dialog is. */}
        <Combobox.EventsTarget withExpandedAttribute aria-expanded aria-controls={listId}>
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
              // Without a selection, Enter runs the first line.
              const [first] = found;
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || !first) return;
              if (combobox.getSelectedOptionIndex() === -1) run(first.id);
            }}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} aria-label={t('palette.label')} className={classes.options} tabIndex={0}>
          {found.length === 0 && <Combobox.Empty>{t('palette.nothing')}</Combobox.Empty>}
          {groups.map((group) => {
            const inGroup = found.filter((entry) => entry.group === group);
            return inGroup.length === 0 ? null : (
              <Combobox.Group key={group} label={t(`palette.groups.${group}`)}>
                {inGroup.map((entry) => (
                  <Entry key={entry.id} entry={entry} words={words} />
                ))}
              </Combobox.Group>
            );
          })}
        </Combobox.Options>
      </Combobox>
      <Keys />
    </Modal>
  );
}

function Keys() {
  return (
    <p className={classes.foot} aria-hidden>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t('palette.choose')}
      </span>
      <span>
        <kbd>↵</kbd> {t('palette.run')}
      </span>
      <span className="far">
        <kbd>{keysOf('keys')}</kbd> {t('palette.actions.keys')}
      </span>
    </p>
  );
}

function Entry({ entry, words }: { entry: PaletteEntry; words: string[] }) {
  return (
    <Combobox.Option value={entry.id} className={classes.option}>
      <span className={classes.mark}>
        <Mark {...entry} />
      </span>
      <Highlight component="bdi" inherit className={classes.label ?? ''} highlight={words} title={entry.label}>
        {entry.label}
      </Highlight>
      {entry.hint !== undefined && (
        <Highlight
          component="span"
          inherit
          className="grow slim name size12 muted"
          highlight={words}
          title={entry.hint}
        >
          {entry.hint}
        </Highlight>
      )}
      {entry.keys !== undefined && <kbd className="fixed far">{entry.keys}</kbd>}
    </Combobox.Option>
  );
}

function Mark({ group, page, colour }: Pick<PaletteEntry, 'group' | 'page' | 'colour'>) {
  if (colour) return <ServerDot colour={colour} size={10} />;
  const Icon = page ? pages[page].icon : group === 'accounts' ? AccountIcon : PlayIcon;
  return <Icon size={16} />;
}
