import { Button, Checkbox, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ConnectionSecret } from '../../../preload/contract/connection.ts';
import type { DialectPart, Server, ServerColour } from '../../../preload/contract/models.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { ConnectionFields } from './connection-fields.tsx';
import { plainText } from './plain-text.ts';
import { useServerForm } from './use-server-form.ts';
import { ConnectionTest } from './connection-test.tsx';

const colours: readonly ServerColour[] = ['gray', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'purple', 'pink'];
const dialectParts: readonly DialectPart[] = ['token', 'user', 'message'];

interface ServerFormProps {
  /** It is undefined for a new server. */
  server?: Server | undefined;
  onDone: () => void;
}

/** Takes everything a person can say about a server. */
export function ServerForm({ server, onDone }: ServerFormProps) {
  const { t } = useTranslation();
  const { formRef, alertRef, ...form } = useServerForm(server, onDone);
  const { builtIn, details, change, address, setAddress, connection } = form;
  return (
    <form ref={formRef} onSubmit={(event) => void form.submit(event)} noValidate>
      <Stack gap="md">
        {form.failure && <ErrorMessage error={form.failure} during="server" wait={0} ref={alertRef} />}
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
          error={form.addressError}
          onChange={(event) => {
            setAddress(event.currentTarget.value);
            form.dismiss();
          }}
          {...plainText}
        />
        {!builtIn && <ConnectionPart form={form} kept={server?.secrets ?? []} />}
        <ConnectionTest address={address} connection={builtIn ? undefined : connection} serverId={server?.id} />
        <Traits form={form} />
        <PinnedPlaces form={form} learned={server?.learned ?? {}} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onDone}>
            {t('app.cancel')}
          </Button>
          <Button type="submit" aria-busy={form.sending}>
            {t('app.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Form = Omit<ReturnType<typeof useServerForm>, 'formRef' | 'alertRef'>;

/** Shows how the server is reached. It is folded away while all of that has its defaults. */
function ConnectionPart({ form, kept }: { form: Form; kept: readonly ConnectionSecret[] }) {
  const { t } = useTranslation();
  const { connection, setConnection, connectionOpen, setConnectionOpen } = form;
  return (
    <details open={connectionOpen} onToggle={(event) => setConnectionOpen(event.currentTarget.open)}>
      <Text component="summary" size="sm">
        {t('connection.title')}
      </Text>
      <ConnectionFields
        connection={connection}
        onChange={(changed) => {
          setConnection(changed);
          form.dismiss();
        }}
        kept={kept}
        wrong={form.wrongConnection}
      />
    </details>
  );
}

/** Asks for colour, path and notes, and whether the server is production. */
function Traits({ form: { builtIn, details, change } }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <>
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
    </>
  );
}

/** Asks which place in the answers holds what. It is folded away until a person has said something about it. */
function PinnedPlaces({ form: { details, change }, learned }: { form: Form; learned: Server['learned'] }) {
  const { t } = useTranslation();
  return (
    <details open={Object.keys(details.pinned).length > 0}>
      <Text component="summary" size="sm">
        {t('server.dialect')}
      </Text>
      <Stack gap="sm" mt="sm">
        <Text size="sm" c="dimmed">
          {t('server.dialectHelp')}
        </Text>
        {dialectParts.map((part) => {
          const path = learned[part];
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
  );
}
