import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DialectPart, Server, ServerColour, ServerDetails } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { sayError } from '../../say-error.ts';
import { useAttempt } from '../../use-attempt.ts';
import { ConnectionFields, enteredConnectionOf, isOwnConnection } from './connection-fields.tsx';
import { ConnectionTest } from './connection-test.tsx';

const colours: readonly ServerColour[] = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink'];
const dialectParts: readonly DialectPart[] = ['token', 'user', 'message'];

const plainText = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;

interface ServerFormProps {
  /** Absent for a new one. */
  server?: Server;
  onDone: () => void;
}

/** Everything a person can say about a server. */
export function ServerForm({ server, onDone }: ServerFormProps) {
  const { t, i18n } = useTranslation();
  const builtIn = server?.builtIn ?? false;
  const [details, setDetails] = useState<ServerDetails>({
    name: server?.name ?? '',
    colour: server?.colour ?? 'gray',
    notes: server?.notes ?? '',
    registrationPath: server?.registrationPath ?? 'registro',
    production: server?.production ?? false,
    pinned: server?.pinned ?? {},
  });
  const [address, setAddress] = useState(server?.baseUrl ?? '');
  const [connection, setConnection] = useState(() => enteredConnectionOf(server));
  const [connectionOpen, setConnectionOpen] = useState(() => isOwnConnection(connection));
  const attempt = useAttempt(server?.id ?? '');
  const formRef = useRef<HTMLFormElement>(null);
  const alertRef = useRef<HTMLDivElement>(null);
  const change = (part: Partial<ServerDetails>) => setDetails((last) => ({ ...last, ...part }));

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
      server ? api.servers.edit({ id: server.id, ...entered }) : api.servers.create(entered),
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
            label={t('server.name')}
            description={t('server.nameHelp')}
            maxLength={100}
            value={details.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            {...plainText}
          />
        )}
        <TextInput
          label={t('server.address')}
          description={t(builtIn ? 'server.addressBuiltIn' : 'server.addressHelp')}
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
              kept={server?.secrets ?? []}
              {...(wrongField && fieldError !== undefined && { wrong: { field: wrongField, says: fieldError } })}
            />
          </details>
        )}
        <ConnectionTest address={address} {...(!builtIn && { connection })} {...(server && { serverId: server.id })} />
        <NativeSelect
          label={t('server.colour')}
          data={colours.map((value) => ({ value, label: t(`colour.${value}`) }))}
          value={details.colour}
          onChange={(event) => {
            const chosen = colours.find((each) => each === event.currentTarget.value);
            if (chosen) change({ colour: chosen });
          }}
        />
        <NativeSelect
          label={t('server.path')}
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
            label={t('server.productionFlag')}
            description={t('server.productionHelp')}
            checked={details.production}
            onChange={(event) => change({ production: event.currentTarget.checked })}
          />
        )}
        <Textarea
          label={t('server.notes')}
          rows={3}
          maxLength={5_000}
          value={details.notes}
          onChange={(event) => change({ notes: event.currentTarget.value })}
        />
        <details open={Object.keys(details.pinned).length > 0}>
          <Text component="summary" size="sm">
            {t('server.dialect')}
          </Text>
          <Stack gap="sm" mt="sm">
            <Text size="sm" c="dimmed">
              {t('server.dialectHelp')}
            </Text>
            {dialectParts.map((part) => {
              const path = server?.learned[part];
              return (
                <TextInput
                  key={part}
                  label={t(`server.pinned.${part}`)}
                  description={path === undefined ? t('server.notLearned') : t('server.learned', { path })}
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
