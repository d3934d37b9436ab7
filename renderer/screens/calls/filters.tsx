import { Popover, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import { keyCapsOf, shortcutOf } from '../../../preload/contract/shortcuts.ts';
import { ChevronIcon, FilterIcon, PinIcon, SearchIcon } from '../../components/icons.tsx';
import { isMac } from '../../use-shortcuts.ts';
import { t } from '../../i18n.ts';
import { setFilters, useCalls } from './calls-store.ts';
import classes from './filters.module.css';
import { focusList } from './list-pane.tsx';

const outcomes = ['all', 'succeeded', 'refused', 'failed'] as const satisfies readonly CallFilter['outcome'][];

const ofContractRuns = ['with', 'without', 'only'] as const satisfies readonly CallFilter['checks'][];

const find = shortcutOf('find');
const findKeys = find && keyCapsOf(find, isMac).join(' ');

/** The search and the filters: side by side, or behind a button where they do not fit. */
export function Filters() {
  const [folded, setFolded] = useState(false);
  const { search, thisServer, outcome, checks, pinnedOnly } = useCalls(({ filters }) => filters);
  const on = [thisServer, outcome !== 'all', checks !== 'with', pinnedOnly].filter(Boolean).length;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      focusList();
    }
    if (event.key === 'Escape' && search !== '') {
      // The key must not reach the page, which it would leave.
      event.stopPropagation();
      setFilters({ search: '' });
    }
  }

  return (
    <search className={classes.filters}>
      <TextInput
        data-find
        data-home
        className={classes.search}
        size="xs"
        aria-label={t('calls.search')}
        placeholder={t('calls.search')}
        leftSection={<SearchIcon />}
        rightSection={
          <kbd className={classes.key} aria-hidden>
            {findKeys}
          </kbd>
        }
        rightSectionWidth={62}
        value={search}
        maxLength={200}
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setFilters({ search: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div className={classes.inline}>
        <Choices />
      </div>
      <Popover opened={folded} onChange={setFolded} position="bottom-start" trapFocus returnFocus>
        <Popover.Target>
          <button
            type="button"
            className={`${classes.pick} ${classes.all}`}
            aria-pressed={on > 0}
            onClick={() => setFolded(!folded)}
          >
            <FilterIcon size={14} />
            {on > 0 ? t('calls.filtersOn', { number: on }) : t('calls.filters')}
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('calls.filters')}>
          <div className={classes.folded}>
            <Choices />
          </div>
        </Popover.Dropdown>
      </Popover>
    </search>
  );
}

function Choices() {
  const { thisServer, outcome, checks, pinnedOnly } = useCalls(({ filters }) => filters);
  return (
    <>
      <Choice
        label={t('calls.server')}
        values={['all', 'this']}
        value={thisServer ? 'this' : 'all'}
        labelOf={(value) => t(value === 'this' ? 'calls.thisServer' : 'calls.allServers')}
        onChange={(value) => setFilters({ thisServer: value === 'this' })}
      />
      <Choice
        label={t('calls.outcome')}
        values={outcomes}
        value={outcome}
        labelOf={(value) => t(`calls.outcomes.${value}`)}
        onChange={(value) => setFilters({ outcome: value })}
      />
      <Choice
        label={t('calls.checks')}
        values={ofContractRuns}
        value={checks}
        labelOf={(value) => t(`calls.ofChecks.${value}`)}
        onChange={(value) => setFilters({ checks: value })}
      />
      <button
        type="button"
        className={classes.pick}
        aria-pressed={pinnedOnly}
        onClick={() => setFilters({ pinnedOnly: !pinnedOnly })}
      >
        <PinIcon size={14} />
        {t('calls.pinnedOnly')}
      </button>
    </>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  /** The first value means no filter. */
  values: readonly [Value, ...Value[]];
  value: Value;
  labelOf: (value: Value) => string;
  onChange: (value: Value) => void;
}

/** A filter as a pill with a native list. */
function Choice<Value extends string>({ label, values, value, labelOf, onChange }: ChoiceProps<Value>) {
  return (
    <span className={classes.choice}>
      <select
        className={classes.pick}
        aria-label={label}
        data-on={value !== values[0]}
        value={value}
        onChange={(event) => {
          const chosen = values.find((each) => each === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {labelOf(each)}
          </option>
        ))}
      </select>
      <ChevronIcon size={14} />
    </span>
  );
}
