import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { InterfaceInput } from '../../../preload/contract/connection.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { setMatchingInterfaces } from '../../matching-interfaces.ts';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { guessesOf } from '../servers/found/part-marks.ts';
import { ImportPanel } from '../servers/import-panel.tsx';
import { plainText } from '../../components/plain-text.ts';
import { Variables } from '../servers/interface-variables.tsx';
import { SentCalls } from '../servers/sent-calls.tsx';
import { newServer } from '../servers/server-values.ts';
import { ImportContext, type Source, useImport, valuesFor } from '../servers/use-import.ts';
import classes from './welcome.module.css';
import { t } from '../../i18n.ts';

interface FirstImportProps {
  source: Source;
  onSource: (source: Source | undefined) => void;
}

/** Creates a server from a command or a file, and opens it. The user sees the recognized calls before they are used. */
export function FirstImport({ source, onSource }: FirstImportProps) {
  const imported = useImport(source, onSource, '');
  const attempt = useAction();
  const [variables, setVariables] = useState<InterfaceInput['variables']>([]);
  const [address, setAddress] = useState<string>();
  const { address: goesTo = address ?? imported.found?.address ?? '', production = false } = imported.edited ?? {};
  const use = (text: string) =>
    attempt.run<unknown>(async () => {
      const enteredInterface = {
        text,
        variables: valuesFor(imported.reading, variables),
        guesses: imported.edited && guessesOf(imported.edited),
      };
      const made = await api.servers.create({
        ...newServer,
        address: goesTo,
        enteredInterface,
        ...(production && { production, colour: 'red' as const }),
      });
      if (!made.ok) return made;
      setMatchingInterfaces(goesTo, imported.matchingNames);
      const chosen = await api.servers.choose(made.value);
      // Commands come from testers, so a new check is opened.
      navigate({ page: 'checks', starting: true });
      return chosen.ok ? api.settings.change({ welcomed: true, workbench: true }) : chosen;
    });

  const { reading } = imported;
  return (
    <div className={classes.import}>
      <ImportContext value={imported}>
        <ImportPanel
          onUse={(text) => void use(text)}
          isBusy={attempt.pending}
          isPrimary
          tried={{ production, variables: valuesFor(reading, variables) }}
        >
          {reading && !imported.edited && (
            <TextInput
              label={t('server.address')}
              classNames={{ input: 'size13 mono' }}
              inputMode="url"
              value={goesTo}
              onChange={(event) => setAddress(event.currentTarget.value)}
              {...plainText}
            />
          )}
          {reading && <Variables variables={reading.interface.variables} values={variables} onChange={setVariables} />}
          {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
        </ImportPanel>
      </ImportContext>
      {reading && !imported.edited && (
        <SentCalls
          reading={reading}
          shipped={imported.used}
          isSaved={false}
          values={Object.fromEntries(variables.map(({ name, value }) => [name, value]))}
        />
      )}
    </div>
  );
}
