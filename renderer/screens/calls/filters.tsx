import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallFilter } from '../../../preload/contract/calls.ts';
import classes from './calls.module.css';

const outcomes = ['all', 'succeeded', 'refused', 'failed'] as const satisfies readonly CallFilter['outcome'][];

const ofContractRuns = ['with', 'without', 'only'] as const satisfies readonly CallFilter['contractRuns'][];

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

export function Filters({ choices, onChange, searchRef, onDown }: FiltersProps) {
  const { t } = useTranslation();

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
    if (event.key === 'Escape' && choices.search !== '') {
      // The key must not reach the drawer, which would close.
      event.stopPropagation();
      onChange({ ...choices, search: '' });
    }
  }

  return (
    <search className={classes.filters}>
      <TextInput
        ref={searchRef}
        className={classes.search}
        size="xs"
        aria-label={t('calls.search')}
        placeholder={t('calls.search')}
        value={choices.search}
        maxLength={200}
        autoCapitalize="none"
        autoCorrect="off"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange({ ...choices, search: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <NativeSelect
        size="xs"
        aria-label={t('calls.server')}
        data={[
          { value: 'all', label: t('calls.allServers') },
          { value: 'this', label: t('calls.thisServer') },
        ]}
        value={choices.thisServer ? 'this' : 'all'}
        onChange={(event) => onChange({ ...choices, thisServer: event.currentTarget.value === 'this' })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('calls.outcome')}
        data={outcomes.map((value) => ({ value, label: t(`calls.outcomes.${value}`) }))}
        value={choices.outcome}
        onChange={(event) => {
          const outcome = outcomes.find((each) => each === event.currentTarget.value);
          if (outcome) onChange({ ...choices, outcome });
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={t('calls.contractRuns')}
        data={ofContractRuns.map((value) => ({ value, label: t(`calls.ofContractRuns.${value}`) }))}
        value={choices.contractRuns}
        onChange={(event) => {
          const contractRuns = ofContractRuns.find((each) => each === event.currentTarget.value);
          if (contractRuns) onChange({ ...choices, contractRuns });
        }}
      />
      <Checkbox
        size="xs"
        label={t('calls.pinnedOnly')}
        checked={choices.pinnedOnly}
        onChange={(event) => onChange({ ...choices, pinnedOnly: event.currentTarget.checked })}
      />
    </search>
  );
}
