import { ActionIcon, Button, Group, NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { ConnectionSecret, ExtraHeader } from '../../../preload/contract/connection.ts';
import type { FilePurpose } from '../../../preload/contract/contract.ts';
import { api } from '../../api.ts';
import { Fold } from '../../components/fold.tsx';
import { BinIcon, PlusIcon } from '../../components/icons.tsx';
import { plainText } from '../../components/plain-text.ts';
import { SecretInput } from '../../components/secret-input.tsx';
import { t } from '../../i18n.ts';
import classes from './server-form.module.css';
import { emptyCertificate, emptyProxy } from './server-values.ts';
import { useServerFormContext } from './use-server-form.ts';

const proxyModes = ['system', 'none', 'manual', 'pac'] as const;
const certificateForms = ['none', 'pem', 'pfx'] as const;

/** Fields for the proxy, the certificates and the time limits. */
export function ConnectionFolds() {
  const { form, server } = useServerFormContext();
  const { proxy, authorityFile, clientCertificate } = form.values.connection;
  const certificates = [
    ...(authorityFile === '' ? [] : [t('connection.summary.authority')]),
    ...(clientCertificate.form === 'none' ? [] : [t('connection.summary.client')]),
    ...(server && server.pins.length > 0 ? [t('connection.summary.pinned')] : []),
  ];
  const hasAddress = proxy.mode === 'manual' && proxy.address !== '';
  return (
    <>
      <Fold
        title={t('connection.proxyTitle')}
        value={hasAddress ? proxy.address : t(`connection.proxyMode.${proxy.mode}`)}
      >
        <ProxyFields />
      </Fold>
      <Fold
        title={t('connection.certificates')}
        value={certificates.length === 0 ? t('connection.summary.none') : certificates.join(', ')}
      >
        <FileField
          label={t('connection.authority')}
          description={t('connection.authorityHelp')}
          purpose="authority"
          path="connection.authorityFile"
        />
        <ClientCertificateFields />
      </Fold>
      <LimitsFold />
    </>
  );
}

function ProxyFields() {
  const { form } = useServerFormContext();
  const { mode } = form.values.connection.proxy;
  return (
    <>
      <NativeSelect
        label={t('connection.proxy')}
        data={proxyModes.map((value) => ({ value, label: t(`connection.proxyMode.${value}`) }))}
        value={mode}
        onChange={(event) => {
          const chosen = proxyModes.find((each) => each === event.currentTarget.value);
          if (chosen) form.setFieldValue('connection.proxy', emptyProxy[chosen]);
        }}
      />
      {mode === 'pac' && (
        <FileField
          typed
          label={t('connection.pac')}
          description={t('connection.pacHelp')}
          purpose="pac"
          path="connection.proxy.url"
        />
      )}
      {mode === 'manual' && (
        <>
          <TextInput
            label={t('connection.proxyAddress')}
            description={t('connection.proxyAddressHelp')}
            {...form.getInputProps('connection.proxy.address')}
            {...plainText}
          />
          <TextInput
            label={t('connection.proxyUsername')}
            {...form.getInputProps('connection.proxy.username')}
            {...plainText}
          />
          <SecretField name="proxyPassword" />
          <Textarea
            label={t('connection.noProxy')}
            description={t('connection.noProxyHelp')}
            rows={2}
            {...form.getInputProps('connection.proxy.noProxy')}
            {...plainText}
          />
        </>
      )}
    </>
  );
}

function ClientCertificateFields() {
  const { form } = useServerFormContext();
  const { form: kind } = form.values.connection.clientCertificate;
  return (
    <>
      <NativeSelect
        label={t('connection.clientCertificate')}
        data={certificateForms.map((value) => ({ value, label: t(`connection.certificateForm.${value}`) }))}
        value={kind}
        onChange={(event) => {
          const chosen = certificateForms.find((each) => each === event.currentTarget.value);
          if (chosen) form.setFieldValue('connection.clientCertificate', emptyCertificate[chosen]);
        }}
      />
      {kind === 'pem' && (
        <>
          <FileField
            label={t('connection.certificateFile')}
            purpose="certificate"
            path="connection.clientCertificate.certificateFile"
          />
          <FileField label={t('connection.keyFile')} purpose="key" path="connection.clientCertificate.keyFile" />
        </>
      )}
      {kind === 'pfx' && (
        <FileField label={t('connection.pfxFile')} purpose="pfx" path="connection.clientCertificate.file" />
      )}
      {kind !== 'none' && <SecretField name="passphrase" />}
    </>
  );
}

/** The saved secret is never sent to the window, so the field starts empty. */
function SecretField({ name }: { name: ConnectionSecret }) {
  const { form, server } = useServerFormContext();
  const { secrets } = form.values.connection;
  return (
    <SecretInput
      visible={false}
      autoComplete="off"
      label={t(`connection.${name}`)}
      description={t(server?.secrets.includes(name) ? 'connection.secretKept' : 'connection.secretHelp')}
      value={secrets[name] ?? ''}
      onChange={(event) => {
        const { [name]: _typed, ...others } = secrets;
        const typed = event.currentTarget.value;
        form.setFieldValue('connection.secrets', typed === '' ? others : { ...others, [name]: typed });
      }}
    />
  );
}

interface FileFieldProps {
  label: string;
  description?: string;
  purpose: FilePurpose;
  /** Path in the values of the form. */
  path: string;
  /** Whether the user may type something other than a file, such as a URL. */
  typed?: boolean;
}

/** Shows a file chosen in the dialog of the system. Main accepts no typed path. */
function FileField({ label, description, purpose, path, typed = false }: FileFieldProps) {
  const { form } = useServerFormContext();
  const input = form.getInputProps(path);

  async function choose() {
    const result = await api.servers.chooseFile({ purpose });
    if (result.ok && result.value.file !== undefined) form.setFieldValue(path, result.value.file);
  }

  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label={label}
        description={description}
        readOnly={!typed}
        placeholder={typed ? undefined : t('connection.noFile')}
        {...input}
        {...plainText}
      />
      <Button
        data-home
        variant="default"
        aria-label={t('connection.chooseFor', { label })}
        onClick={() => void choose()}
      >
        {t('connection.choose')}
      </Button>
      {!typed && input.value !== '' && (
        <Button
          variant="default"
          aria-label={t('connection.clearFor', { label })}
          onClick={() => form.setFieldValue(path, '')}
        >
          {t('connection.clear')}
        </Button>
      )}
    </Group>
  );
}

const limitNames = ['connectSeconds', 'firstByteSeconds', 'totalSeconds'] as const;
/** In seconds, used for empty fields. */
const limitDefaults = { connectSeconds: '10', firstByteSeconds: '20', totalSeconds: '30' } as const;

function LimitsFold() {
  const { form } = useServerFormContext();
  const { limits } = form.values.connection;
  const [connect, first, total] = limitNames.map((name) => limits[name].trim() || limitDefaults[name]);
  return (
    <Fold
      title={t('connection.limits')}
      value={t('connection.summary.limits', { connect, first, total, count: Number(total) })}
    >
      <div className={classes.limits}>
        {limitNames.map((name) => (
          <TextInput
            key={name}
            classNames={{ root: classes.limit }}
            label={t(`connection.limit.${name}`)}
            inputMode="decimal"
            placeholder={limitDefaults[name]}
            {...form.getInputProps(`connection.limits.${name}`)}
            {...plainText}
          />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {t('connection.limitsHelp')}
      </Text>
    </Fold>
  );
}

/** Fields for the extra headers. Their saved values are never sent to the window. */
export function HeadersFold() {
  const { form, server, isMoved } = useServerFormContext();
  const addRef = useRef<HTMLButtonElement>(null);
  const { headers = [] } = form.values.connection;
  const names = headers.map(({ name }) => name.trim()).filter((name) => name !== '');

  function add() {
    form.setFieldValue('connection.headers', [...headers, { name: '', value: '' }]);
    requestAnimationFrame(() => form.getInputNode(`connection.headers.${headers.length}.name`)?.focus());
  }

  function remove(at: number) {
    form.setFieldValue(
      'connection.headers',
      headers.filter((_header, index) => index !== at),
    );
    addRef.current?.focus();
  }

  return (
    <Fold title={t('extraHeaders.title')} value={names.length === 0 ? t('extraHeaders.none') : names.join(', ')}>
      <Text size="xs" c="dimmed">
        {t('extraHeaders.help')}
      </Text>
      <div className="grid gap12 or-nothing">
        {headers.map(({ name }, at) => {
          const saved = savedValue(name, server?.extraHeaders ?? [], isMoved);
          const label = t('extraHeaders.remove', { name: name.trim() || at + 1 });
          return (
            <div
              // A row has no id, and no state outside of the values of the form.
              // oxlint-disable-next-line react/no-array-index-key
              key={at}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset would bring a legend, which nobody needs to see.
              role="group"
              className={classes.header}
              aria-label={t('extraHeaders.row', { number: at + 1 })}
            >
              <TextInput
                classNames={{ input: 'size13 mono' }}
                label={t('extraHeaders.name')}
                {...form.getInputProps(`connection.headers.${at}.name`)}
                {...plainText}
              />
              <SecretInput
                visible={false}
                autoComplete="off"
                label={t('extraHeaders.value')}
                placeholder={saved && t(`extraHeaders.saved.${saved}`)}
                {...form.getInputProps(`connection.headers.${at}.value`)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={label}
                title={label}
                onClick={() => remove(at)}
              >
                <BinIcon />
              </ActionIcon>
            </div>
          );
        })}
      </div>
      <Button ref={addRef} w="fit-content" variant="default" size="xs" leftSection={<PlusIcon />} onClick={add}>
        {t('extraHeaders.add')}
      </Button>
    </Fold>
  );
}

/** State of the saved value, which the window never gets. */
function savedValue(name: string, extraHeaders: readonly ExtraHeader[], isMoved: boolean) {
  const found = extraHeaders.find((each) => each.name.toLowerCase() === name.trim().toLowerCase());
  if (!found) return undefined;
  return !found.isSet ? 'isMissing' : isMoved ? 'isDropped' : 'isSet';
}
