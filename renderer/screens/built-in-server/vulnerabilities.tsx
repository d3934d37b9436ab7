import { Switch } from '@mantine/core';
import { useId } from 'react';
import type { VulnerabilityName } from '../../../preload/contract/names.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import classes from './built-in-server.module.css';

interface VulnerabilitiesProps {
  names: readonly VulnerabilityName[];
  chosen: readonly VulnerabilityName[];
  behave: (change: { defects: VulnerabilityName[] }) => Promise<Result<unknown>>;
}

/** Vulnerabilities that a server simulates. Several may be chosen together. */
export function Vulnerabilities({ names, chosen, behave }: VulnerabilitiesProps) {
  const { run, failure } = useAction();
  const id = useId();
  return (
    <Card
      title={t('builtIn.vulnerabilitiesTitle')}
      aside={chosen.length > 0 && <Chip tone="bad">{t('builtIn.vulnerabilitiesOn', { number: chosen.length })}</Chip>}
    >
      <div className="grid gap12">
        <div className={classes.vulnerabilities}>
          {names.map((name) => (
            <Switch
              key={name}
              size="xs"
              color="red"
              // Mantine's label contains the description too, which would become part of the accessible name.
              aria-labelledby={`${id}-${name}`}
              label={
                <span id={`${id}-${name}`} className="normal medium">
                  {t(`builtIn.vulnerabilities.${name}.name`)}
                </span>
              }
              description={t(`builtIn.vulnerabilities.${name}.help`)}
              checked={chosen.includes(name)}
              onChange={({ currentTarget: { checked } }) =>
                void run(() =>
                  behave({ defects: checked ? [...chosen, name] : chosen.filter((each) => each !== name) }),
                )
              }
            />
          ))}
        </div>
        {failure && <ErrorMessage error={failure.error} during="server" />}
      </div>
    </Card>
  );
}
