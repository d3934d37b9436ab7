import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { EnteredInterface } from '../../../preload/contract/connection.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { setMatchingInterfaces } from '../../matching-interfaces.ts';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { guessesOf } from '../servers/found/marked-parts.ts';
import { ImportPanel } from '../servers/import-panel.tsx';
import { plainText } from '../../components/plain-text.ts';
import { Variables } from '../servers/interface-variables.tsx';
import { SentCalls } from '../servers/sent-calls.tsx';
import { newServer } from '../servers/server-drafts.ts';
import { type Given, useImport, valuesFor } from '../servers/use-import.ts';
import classes from './welcome.module.css';
import { t } from '../../i18n.ts';

interface FirstImportProps {
  given: Given;
  onGiven: (given: Given | undefined) => void;
}

/** Creates a server from a command or a file, whose calls the person sees first. */
export function FirstImport({ given, onGiven }: FirstImportProps) {
  const reads = useImport(given, '');
  const attempt = useAction();
  const [variables, setVariables] = useState<EnteredInterface['variables']>([]);
  const [address, setAddress] = useState<string>();
  const { address: goesTo = address ?? reads.found?.address ?? '', production = false } = reads.open ?? {};
  const use = (text: string) =>
    attempt.run<unknown>(async () => {
      const enteredInterface = {
        text,
        variables: valuesFor(reads.reading, variables),
        guesses: reads.open && guessesOf(reads.open),
      };
      const made = await api.servers.create({
        ...newServer,
        address: goesTo,
        enteredInterface,
        ...(production && { production, colour: 'red' as const }),
      });
      if (!made.ok) return made;
      setMatchingInterfaces(goesTo, reads.fitting);
      const chosen = await api.servers.choose(made.value);
      // Commands are of testers.
      navigate({ room: 'contract', starting: true });
      return chosen.ok ? api.settings.change({ welcomed: true, workbench: true }) : chosen;
    });

  const { reading } = reads;
  const asked = reading?.interface.variables ?? [];
  return (
    <div className={classes.import}>
      <ImportPanel
        given={given}
        onText={(text) => onGiven({ from: 'text', text })}
        reads={reads}
        onUse={(text) => void use(text)}
        onClose={() => onGiven(undefined)}
        isBusy={attempt.pending}
        isPrimary
        tried={{ production, variables: valuesFor(reading, variables) }}
      >
        {reading && !reads.open && (
          <TextInput
            label={t('server.address')}
            classNames={{ input: 'size13 mono' }}
            inputMode="url"
            value={goesTo}
            onChange={(event) => setAddress(event.currentTarget.value)}
            {...plainText}
          />
        )}
        {reading && (
          <Variables
            variables={asked}
            server={undefined}
            entered={{ variables }}
            onChange={(changed) => setVariables(changed.variables)}
            isMoved={false}
            faults={[]}
          />
        )}
        {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
      </ImportPanel>
      {reading && !reads.open && (
        <SentCalls
          reading={reading}
          shipped={reads.used}
          isSaved={false}
          values={Object.fromEntries(variables.map(({ name, value }) => [name, value]))}
        />
      )}
    </div>
  );
}
