import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  DialectPart,
  Environment,
  EnvironmentColour,
  EnvironmentDetails,
} from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { sayError } from '../../say-error.ts';
import { useAttempt } from '../../use-attempt.ts';
import { ConnectionFields, enteredConnectionOf, isOwnConnection } from './connection-fields.tsx';
import { ConnectionTest } from './connection-test.tsx';

const colours: readonly EnvironmentColour[] = [
  'gray',
  'blue',
  'teal',
  'green',
  'amber',
  'orange',
  'red',
  'purple',
  'pink',
];
const dialectParts: readonly DialectPart[] = ['token', 'user', 'message'];

const plainText = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;

interface EnvironmentFormProps {
  /** Absent for a new one. */
  environment?: Environment;
  onDone: () => void;
}

/** Everything a person can say about an environment. */
export function EnvironmentForm({ environment, onDone }: EnvironmentFormProps) {
  const { t, i18n } = useTranslation();
  const builtIn = environment?.builtIn ?? false;
  const [details, setDetails] = useState<EnvironmentDetails>({
    name: environment?.name ?? '',
    colour: environment?.colour ?? 'gray',
    notes: environment?.notes ?? '',
    registrationPath: environment?.registrationPath ?? 'registro',
    production: environment?.production ?? false,
    pinned: environment?.pinned ?? {},
  });
  const [address, setAddress] = useState(environment?.baseUrl ?? '');
  const [connection, setConnection] = useState(() => enteredConnectionOf(environment));
  const [connectionOpen, setConnectionOpen] = useState(() => isOwnConnection(connection));
  const attempt = useAttempt(environment?.id ?? '');
  const formRef = useRef<HTMLFormElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const change = (part: Partial<EnvironmentDetails>) => setDetails((last) => ({ ...last, ...part }));

  const error = attempt.failure?.error;
  const isAboutField = error?.kind === 'invalid-address' || error?.kind === 'invalid-connection';
  const said = error && isAboutField ? sayError(error, 'server', t, i18n.language) : undefined;
  const fieldError = said && `${said.says} ${said.advice}`;
  const wrongField = error?.kind === 'invalid-connection' ? error.field : undefined;
  useEffect(() => {
    if (!error) return;
    const field = formRef.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // What is folded away cannot take the focus.
    field?.closest('details')?.setAttribute('open', '');
    (field ?? alertRef.current)?.focus();
  }, [error]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const entered = { ...details, address, ...(!builtIn && { enteredConnection: connection }) };
    const result = await attempt.run(() =>
      environment ? api.environments.edit(environment.id, entered) : api.environments.create(entered),
    );
    if (result?.ok) onDone();
  }

  return (
    <form ref={formRef} onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {error && !isAboutField && <ErrorMessage error={error} during="server" wait={0} ref={alertRef} />}
        {!builtIn && (
          <TextInput
            data-autofocus
            label={t('environment.name')}
            description={t('environment.nameHelp')}
            maxLength={100}
            value={details.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            {...plainText}
          />
        )}
        <TextInput
          label={t('environment.address')}
          description={t(builtIn ? 'environment.addressBuiltIn' : 'environment.addressHelp')}
          inputMode="url"
          readOnly={builtIn}
          value={address}
          error={error?.kind === 'invalid-address' && fieldError}
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            attempt.dismiss();
          }}
          {...plainText}
        />
        {!builtIn && (
          <details open={connectionOpen} onToggle={(event) => setConnectionOpen(event.currentTarget.open)}>
            <Text component="summary" size="sm">
              {t('connection.title')}
            </Text>
            <ConnectionFields
              connection={connection}
              onChange={(changed) => {
                setConnection(changed);
                attempt.dismiss();
              }}
              kept={environment?.secrets ?? []}
              {...(wrongField && fieldError !== undefined && { wrong: { field: wrongField, says: fieldError } })}
            />
          </details>
        )}
        <ConnectionTest
          address={address}
          {...(!builtIn && { connection })}
          {...(environment && { environmentId: environment.id })}
        />
        <NativeSelect
          label={t('environment.colour')}
          data={colours.map((value) => ({ value, label: t(`colour.${value}`) }))}
          value={details.colour}
          onChange={(event) => {
            const chosen = colours.find((each) => each === event.currentTarget.value);
            if (chosen) change({ colour: chosen });
          }}
        />
        <NativeSelect
          label={t('environment.path')}
          data={[
            { value: 'registro', label: '/registro' },
            { value: 'register', label: '/register' },
          ]}
          value={details.registrationPath}
          onChange={(event) =>
            change({ registrationPath: event.currentTarget.value === 'register' ? 'register' : 'registro' })
          }
        />
        {!builtIn && (
          <Checkbox
            label={t('environment.productionFlag')}
            description={t('environment.productionHelp')}
            checked={details.production}
            onChange={(event) => change({ production: event.currentTarget.checked })}
          />
        )}
        <Textarea
          label={t('environment.notes')}
          rows={3}
          maxLength={5_000}
          value={details.notes}
          onChange={(event) => change({ notes: event.currentTarget.value })}
        />
        <details open={Object.keys(details.pinned).length > 0}>
          <Text component="summary" size="sm">
            {t('environment.dialect')}
          </Text>
          <Stack gap="sm" mt="sm">
            <Text size="sm" c="dimmed">
              {t('environment.dialectHelp')}
            </Text>
            {dialectParts.map((part) => {
              const path = environment?.learned[part];
              return (
                <TextInput
                  key={part}
                  label={t(`environment.pinned.${part}`)}
                  description={path === undefined ? t('environment.notLearned') : t('environment.learned', { path })}
                  maxLength={300}
                  value={details.pinned[part] ?? ''}
                  onChange={(event) => change({ pinned: { ...details.pinned, [part]: event.currentTarget.value } })}
                  {...plainText}
                />
              );
            })}
          </Stack>
        </details>
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('app.cancel')}
          </Button>
          <Button type="submit" aria-busy={attempt.sending}>
            {t('app.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
