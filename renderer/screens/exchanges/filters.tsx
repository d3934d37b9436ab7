import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeFilter } from '../../../preload/contract/exchanges.ts';
import classes from './exchanges.module.css';

const outcomes = ['all', 'succeeded', 'refused', 'failed'] as const satisfies readonly ExchangeFilter['outcome'][];

const ofContractRuns = ['with', 'without', 'only'] as const satisfies readonly ExchangeFilter['contractRuns'][];

/** What a person chooses; "this environment" follows the one in use. */
export interface Choices {
  search: string;
  thisEnvironment: boolean;
  outcome: ExchangeFilter['outcome'];
  contractRuns: ExchangeFilter['contractRuns'];
  pinnedOnly: boolean;
}

interface FiltersProps {
  choices: Choices;
  onChange: (choices: Choices) => void;
  searchRef: Ref<HTMLInputElement>;
  /** From the search, down into the list. */
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
      // The drawer stays open.
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
        aria-label={t('exchanges.search')}
        placeholder={t('exchanges.search')}
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
        aria-label={t('exchanges.environment')}
        data={[
          { value: 'all', label: t('exchanges.allEnvironments') },
          { value: 'this', label: t('exchanges.thisEnvironment') },
        ]}
        value={choices.thisEnvironment ? 'this' : 'all'}
        onChange={(event) => onChange({ ...choices, thisEnvironment: event.currentTarget.value === 'this' })}
      />
      <NativeSelect
        size="xs"
        aria-label={t('exchanges.outcome')}
        data={outcomes.map((value) => ({ value, label: t(`exchanges.outcomes.${value}`) }))}
        value={choices.outcome}
        onChange={(event) => {
          const outcome = outcomes.find((each) => each === event.currentTarget.value);
          if (outcome) onChange({ ...choices, outcome });
        }}
      />
      <NativeSelect
        size="xs"
        aria-label={t('exchanges.contractRuns')}
        data={ofContractRuns.map((value) => ({ value, label: t(`exchanges.ofContractRuns.${value}`) }))}
        value={choices.contractRuns}
        onChange={(event) => {
          const contractRuns = ofContractRuns.find((each) => each === event.currentTarget.value);
          if (contractRuns) onChange({ ...choices, contractRuns });
        }}
      />
      <Checkbox
        size="xs"
        label={t('exchanges.pinnedOnly')}
        checked={choices.pinnedOnly}
        onChange={(event) => onChange({ ...choices, pinnedOnly: event.currentTarget.checked })}
      />
    </search>
  );
}
