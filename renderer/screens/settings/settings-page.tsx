import { TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../../components/icons.tsx';
import { Page } from '../../components/page.tsx';
import { matchesQuery } from '../../matches-query.ts';
import type { SettingsSection } from '../../route.ts';
import { useAboutRows } from './about-rows.tsx';
import { useCallRows } from './call-limits.tsx';
import { useGeneralRows, useSwitchRow } from './general-rows.tsx';
import { useLockRows, useSessionRows } from './lock-rows.tsx';
import { type Row, SettingRow } from './setting-row.tsx';
import classes from './settings.module.css';
import { useStorageRows } from './storage-rows.tsx';
import { useUpdateRows } from './update-rows.tsx';
import { useVisibleSection } from './use-visible-section.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

interface Section {
  id: SettingsSection;
  rows: Row[];
}

/** Shows all settings under headings, and those that fit what is searched. `section` is the one that it opens at. */
export function SettingsPage({ section }: { section: SettingsSection | undefined }) {
  const [search, setSearch] = useState('');
  const all = useSections();
  const shown = all
    .map(({ id, rows }) => ({ id, rows: rows.filter(({ label, help }) => matchesQuery([label, help ?? ''], search)) }))
    .filter(({ rows }) => rows.length > 0);
  const partsRef = useRef<HTMLDivElement>(null);
  const { current, choose } = useVisibleSection(
    partsRef,
    shown.map(({ id }) => id),
  );
  // A place with a section may be entered while the room is there already.
  useEffect(() => {
    if (section) choose(section);
    // oxlint-disable-next-line react/exhaustive-deps -- only another section of the place leads there.
  }, [section]);

  return (
    <Page
      title={t('settings.open')}
      actions={
        <TextInput
          type="search"
          size="sm"
          className={classes.search}
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
        <div ref={partsRef} className={classes.sections}>
          {shown.map(({ id, rows }) => (
            <section key={id} data-section={id} aria-labelledby={`settings-${id}`}>
              <h2 id={`settings-${id}`} tabIndex={-1} className={classes.heading}>
                {t(`settings.section.${id}`)}
              </h2>
              <div className="surface outlined round10">
                {rows.map((row) => (
                  <SettingRow key={row.id} row={row} />
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

function useSections(): Section[] {
  const state = useApp();
  return [
    { id: 'general', rows: useGeneralRows() },
    { id: 'lock', rows: useLockRows() },
    { id: 'sessions', rows: useSessionRows() },
    { id: 'calls', rows: useCallRows() },
    { id: 'storage', rows: useStorageRows() },
    { id: 'notifications', rows: [useSwitchRow('notifications', state.settings)] },
    { id: 'about', rows: useAboutRows() },
    // It comes last, since what is announced while somebody reads must push nothing down.
    { id: 'updates', rows: useUpdateRows() },
  ];
}
