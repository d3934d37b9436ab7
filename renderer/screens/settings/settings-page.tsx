import { NativeSelect, TextInput, SegmentedControl } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Settings } from '../../../preload/contract/settings.ts';
import { languageNames } from '../../../preload/contract/locales/languages.ts';
import { useApp } from '../../api.ts';
import { SearchIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { matchesQuery } from '../../matches-query.ts';
import { useAboutRows } from './about-rows.tsx';
import { limitsRow } from './call-limits.tsx';
import { tokensRow, usePinRow } from './lock-rows.tsx';
import { type SettingsRow, type SettingsSection, settingsSections } from './sections.ts';
import { helpText, isSwitchRow, type Row, SettingRow, type SwitchRow, switchRow } from './setting-row.tsx';
import classes from './settings.module.css';
import { useStorageRows } from './storage-rows.tsx';
import { useUpdatesRow } from './update-rows.tsx';

/** All settings under headings, or those that match the search. The page opens at `section`. */
export function SettingsPage({ section }: { section: SettingsSection | undefined }) {
  const { settings, updates } = useApp();
  const [search, setSearch] = useState('');
  const rows = useRows();
  const rowOf = (name: SettingsRow): Row => (isSwitchRow(name, settings) ? switchRow(name, settings) : rows[name]);
  const matches = (name: SettingsRow) =>
    matchesQuery([t(`settings.row.${name}.label`), rowOf(name).help ?? ''], search) &&
    // Without updates, nothing can look for them by itself.
    (name !== 'lookForUpdates' || updates.state !== 'off');
  const shown = settingsSections
    .map(({ id, rows: names }) => ({ id, names: names.filter(matches) }))
    .filter(({ names }) => names.length > 0);
  const sectionsRef = useRef<HTMLDivElement>(null);
  const { current, choose } = useVisibleSection(
    sectionsRef,
    shown.map(({ id }) => id),
  );
  // The route may change to another section while the page is mounted.
  useEffect(() => {
    if (section) choose(section);
    // oxlint-disable-next-line react/exhaustive-deps -- Only another section of the route leads there.
  }, [section]);

  return (
    <Page
      title={t('settings.open')}
      actions={
        <TextInput
          type="search"
          size="sm"
          w={240}
          maw="100%"
          leftSection={<SearchIcon size={16} />}
          aria-label={t('settings.search')}
          placeholder={t('settings.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      }
    >
      <div className={classes.settings}>
        <nav className={classes.nav} aria-label={t('settings.sections')}>
          {shown.map(({ id }) => (
            <button key={id} type="button" aria-current={id === current || undefined} onClick={() => choose(id)}>
              {t(`settings.section.${id}`)}
            </button>
          ))}
        </nav>
        <div ref={sectionsRef} className={classes.sections}>
          {shown.map(({ id, names }) => (
            <section key={id} data-section={id} aria-labelledby={`settings-${id}`}>
              <h2 id={`settings-${id}`} tabIndex={-1} className={classes.heading}>
                {t(`settings.section.${id}`)}
              </h2>
              <div className="surface outlined round10">
                {names.map((name) => (
                  <SettingRow key={name} name={name} row={rowOf(name)} />
                ))}
              </div>
            </section>
          ))}
          <output className="soft">{shown.length === 0 && t('settings.nothing')}</output>
        </div>
      </div>
    </Page>
  );
}

/** All rows but the switches. */
function useRows(): Record<Exclude<SettingsRow, SwitchRow>, Row> {
  const state = useApp();
  return {
    language: languageRow(state.settings),
    theme: themeRow(state.settings),
    tokens: tokensRow(state.vault),
    pin: usePinRow(),
    lockAfterMinutes: idleRow(state.settings),
    limits: limitsRow(),
    ...useStorageRows(),
    ...useAboutRows(),
    updates: useUpdatesRow(),
  };
}

const languageRow = ({ language }: Settings): Row => ({
  help: helpText('language'),
  control: (named, change) => (
    <SegmentedControl
      aria-label={t('settings.row.language.label')}
      aria-describedby={named['aria-describedby']}
      value={language}
      data={[
        { value: 'system', label: t('settings.system') },
        ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
      ]}
      onChange={(value) => change({ language: value })}
    />
  ),
});

const themeRow = ({ theme }: Settings): Row => ({
  help: helpText('theme'),
  control: (named, change) => (
    <SegmentedControl
      aria-label={t('settings.row.theme.label')}
      aria-describedby={named['aria-describedby']}
      value={theme}
      data={[
        { value: 'system', label: t('settings.system') },
        { value: 'light', label: t('settings.light') },
        { value: 'dark', label: t('settings.dark') },
      ]}
      onChange={(value) => change({ theme: value })}
    />
  ),
});

/** The minutes to choose from. Another number in the settings file is shown too. */
const minutes = [0, 1, 5, 10, 15, 30, 60];

const idleRow = ({ lockAfterMinutes: chosen }: Settings): Row => ({
  help: helpText('lockAfterMinutes'),
  isField: true,
  control: (named, change) => (
    <NativeSelect
      {...named}
      w={180}
      value={String(chosen)}
      onChange={(event) => change({ lockAfterMinutes: Number(event.currentTarget.value) })}
      data={[...new Set([...minutes, chosen])]
        .toSorted((one, other) => one - other)
        .map((value) => ({
          value: String(value),
          label: value === 0 ? t('security.never') : t('settings.after', { time: formatDuration(value * 60) }),
        }))}
    />
  ),
});

/**
 * Tracks the current section: the chosen one as long as it is visible, else the first visible one. `choose` scrolls to
 * a section and focuses its heading.
 */
function useVisibleSection(ref: RefObject<HTMLElement | null>, sections: readonly SettingsSection[]) {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<SettingsSection>();
  const listed = sections.join(' ');

  useEffect(() => {
    const inSight = new Set<string>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = target instanceof HTMLElement ? (target.dataset['section'] ?? '') : '';
        if (isIntersecting) inSight.add(id);
        else inSight.delete(id);
      }
      setVisible(new Set(inSight));
    });
    for (const section of listed.split(' ')) {
      const part = ref.current?.querySelector(`[data-section="${section}"]`);
      if (part) observer.observe(part);
    }
    return () => observer.disconnect();
  }, [ref, listed]);

  return {
    current: chosen !== undefined && visible.has(chosen) ? chosen : sections.find((id) => visible.has(id)),
    choose: (section: SettingsSection): void => {
      setChosen(section);
      const part = ref.current?.querySelector(`[data-section="${section}"]`);
      part?.scrollIntoView({ block: 'start' });
      part?.querySelector('h2')?.focus({ preventScroll: true });
    },
  };
}
