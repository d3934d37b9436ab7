import { Popover, TextInput } from '@mantine/core';
import { type KeyboardEvent, type Ref, useState } from 'react';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import { keyCapsOf, shortcutOf } from '../../../preload/contract/shortcuts.ts';
import { ChevronIcon, FilterIcon, PinIcon, SearchIcon } from '../../components/icons.tsx';
import { isMac } from '../../use-shortcuts.ts';
import classes from './filters.module.css';
import { t } from '../../i18n.ts';

const outcomes = ['all', 'succeeded', 'refused', 'failed'] as const satisfies readonly CallFilter['outcome'][];

const ofContractRuns = ['with', 'without', 'only'] as const satisfies readonly CallFilter['contractRuns'][];

const find = shortcutOf('find');
const findKeys = find && keyCapsOf(find, isMac).join(' ');

/** What a person chooses. "This server" follows the one in use. */
export interface Choices {
  search: string;
  thisServer: boolean;
  outcome: CallFilter['outcome'];
  contractRuns: CallFilter['contractRuns'];
  pinnedOnly: boolean;
}

interface FiltersProps {
  choices: Choices;
  onChange: (choices: Choices) => void;
  searchRef: Ref<HTMLInputElement>;
  /** Moves from the search down into the list. */
  onDown: () => void;
}

/** Shows what is searched for, and the filters: side by side, or behind one button where that has no room. */
export function Filters({ choices, onChange, searchRef, onDown }: FiltersProps) {
  const [folded, setFolded] = useState(false);
  const { thisServer, outcome, contractRuns, pinnedOnly } = choices;
  const on = [thisServer, outcome !== 'all', contractRuns !== 'with', pinnedOnly].filter(Boolean).length;

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
    if (event.key === 'Escape' && choices.search !== '') {
      // The key must not reach the room, which would be left.
      event.stopPropagation();
      onChange({ ...choices, search: '' });
    }
  }

  return (
    <search className={classes.filters}>
      <TextInput
        ref={searchRef}
        data-find
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
        value={choices.search}
        maxLength={200}
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...choices, search: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div className={classes.inline}>
        <Picks choices={choices} onChange={onChange} />
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
            <Picks choices={choices} onChange={onChange} />
          </div>
        </Popover.Dropdown>
      </Popover>
    </search>
  );
}

function Picks({ choices, onChange }: Pick<FiltersProps, 'choices' | 'onChange'>) {
  const { thisServer, outcome, contractRuns, pinnedOnly } = choices;
  return (
    <>
      <PickOne
        label={t('calls.server')}
        values={['all', 'this']}
        value={thisServer ? 'this' : 'all'}
        say={(value) => t(value === 'this' ? 'calls.thisServer' : 'calls.allServers')}
        onPick={(value) => onChange({ ...choices, thisServer: value === 'this' })}
      />
      <PickOne
        label={t('calls.outcome')}
        values={outcomes}
        value={outcome}
        say={(value) => t(`calls.outcomes.${value}`)}
        onPick={(value) => onChange({ ...choices, outcome: value })}
      />
      <PickOne
        label={t('calls.contractRuns')}
        values={ofContractRuns}
        value={contractRuns}
        say={(value) => t(`calls.ofContractRuns.${value}`)}
        onPick={(value) => onChange({ ...choices, contractRuns: value })}
      />
      <button
        type="button"
        className={classes.pick}
        aria-pressed={pinnedOnly}
        onClick={() => onChange({ ...choices, pinnedOnly: !pinnedOnly })}
      >
        <PinIcon size={14} />
        {t('calls.pinnedOnly')}
      </button>
    </>
  );
}

interface PickOneProps<Value extends string> {
  label: string;
  /** The first one filters nothing. */
  values: readonly [Value, ...Value[]];
  value: Value;
  say: (value: Value) => string;
  onPick: (value: Value) => void;
}

/** Shows one filter as a pill that opens the system's own list. */
function PickOne<Value extends string>({ label, values, value, say, onPick }: PickOneProps<Value>) {
  return (
    <span className={classes.pickOne}>
      <select
        className={classes.pick}
        aria-label={label}
        data-on={value !== values[0]}
        value={value}
        onChange={(event) => {
          const chosen = values.find((each) => each === event.currentTarget.value);
          if (chosen !== undefined) onPick(chosen);
        }}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {say(each)}
          </option>
        ))}
      </select>
      <ChevronIcon size={14} />
    </span>
  );
}
