import { Button, Stack, Text, Title } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../preload/contract/models.ts';
import type { BehaviourChange, BehaviourChoices, Fault } from '../../../preload/contract/built-in-server.ts';
import { sayFault } from '../../say-behaviour.ts';
import { DataTable, Fixed } from './data-table.tsx';
import { FaultForm } from './fault-form.tsx';
import { createMoments } from './say-moment.ts';

interface FaultsProps {
  behaviour: AppState['behaviour'];
  choices: BehaviourChoices;
  sending: boolean;
  /** Answers whether the change was made, and says `say` if it was. */
  onChange: (change: BehaviourChange, say: string) => Promise<boolean>;
}

/** Shows the faults that wait for requests, and a form for one more. */
export function Faults({ behaviour, choices, sending, onChange }: FaultsProps) {
  const { t } = useTranslation();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const { faults, left } = behaviour;

  async function remove(fault: Fault, index: number) {
    const others = faults.filter((_, each) => each !== index);
    const done = await onChange({ faults: others }, t('builtIn.removed', { fault: sayFault(fault, t) }));
    // The button goes away with its row, and the focus must not go with it.
    if (done) headingRef.current?.focus();
  }

  return (
    <Stack gap="xs" component="section" aria-labelledby="builtInServer-faults">
      <Title order={3} size="h6" id="builtInServer-faults" ref={headingRef} tabIndex={-1}>
        {t('builtIn.faults')}
      </Title>
      <Text size="xs" c="dimmed">
        {t('builtIn.faultsHelp')}
      </Text>
      {faults.length === 0 ? (
        <Text size="sm">{t('builtIn.noFaults')}</Text>
      ) : (
        <FaultTable faults={faults} left={left} onRemove={(fault, index) => void remove(fault, index)} />
      )}
      <FaultForm
        choices={choices}
        sending={sending}
        onAdd={(fault) =>
          void onChange({ faults: [...faults, fault] }, t('builtIn.added', { fault: sayFault(fault, t) }))
        }
      />
    </Stack>
  );
}

interface FaultTableProps extends Pick<AppState['behaviour'], 'faults' | 'left'> {
  onRemove: (fault: Fault, index: number) => void;
}

function FaultTable({ faults, left, onRemove }: FaultTableProps) {
  const { t, i18n } = useTranslation();
  const moments = useMemo(() => createMoments(i18n.language), [i18n.language]);
  const head = (['operation', 'kind', 'often', 'actions'] as const).map((name) => t(`builtIn.${name}`));
  return (
    <DataTable label={t('builtIn.faults')} head={head}>
      {faults.map((fault, index) => (
        // Two of a kind are told apart by their place alone.
        // oxlint-disable-next-line react/no-array-index-key
        <tr key={index}>
          <td>{t(`builtIn.operations.${fault.operation}`)}</td>
          <td>
            {t(`builtIn.kinds.${fault.kind}.name`)}
            {fault.parameter && ` (${range(fault.parameter)})`}
          </td>
          <Fixed>
            {'count' in fault.amount
              ? t('builtIn.left', { number: left[index] ?? 0, all: fault.amount.count })
              : t('builtIn.probability', { percent: moments.percent(fault.amount.probability) })}
          </Fixed>
          <td>
            <Button
              variant="default"
              size="compact-xs"
              aria-label={t('builtIn.remove', { fault: sayFault(fault, t) })}
              onClick={() => onRemove(fault, index)}
            >
              {t('builtIn.removeShort')}
            </Button>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

const range = ({ least, most }: { least: number; most: number }): string =>
  least === most ? String(least) : `${least}–${most}`;
