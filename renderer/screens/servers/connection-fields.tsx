import { Button, Group, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ConnectionField,
  ConnectionSecret,
  ConnectionSettings,
  EnteredConnection,
} from '../../../preload/contract/connection.ts';
import type { FilePurpose } from '../../../preload/contract/contract.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { SecretInput } from '../../components/secret-input.tsx';

const proxyModes = ['system', 'none', 'manual', 'pac'] as const;
const certificateForms = ['none', 'pem', 'pfx'] as const;
const limitNames = ['connectSeconds', 'firstByteSeconds', 'totalSeconds'] as const;
const plainText = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;

/** The connection of a server as its form shows it; of a new one, the defaults. */
export function enteredConnectionOf(server: Server | undefined): EnteredConnection {
  const { proxy, authority, clientCertificate, limits } = server?.connection ?? { proxy: { mode: 'system' } };
  return {
    proxy: enteredProxyOf(proxy),
    authorityFile: authority && 'file' in authority ? authority.file : '',
    clientCertificate: clientCertificate ?? { form: 'none' },
    limits: {
      connectSeconds: String(limits?.connectSeconds ?? ''),
      firstByteSeconds: String(limits?.firstByteSeconds ?? ''),
      totalSeconds: String(limits?.totalSeconds ?? ''),
    },
    secrets: {},
  };
}

function enteredProxyOf(proxy: ConnectionSettings['proxy']): EnteredConnection['proxy'] {
  if (proxy.mode !== 'manual') return proxy;
  const { scheme, host, port } = proxy.proxy;
  return {
    mode: 'manual',
    address: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    username: proxy.username ?? '',
    noProxy: proxy.noProxy.join(', '),
  };
}

/** Whether anything about a connection is not as it is at first. */
export function isOwnConnection({ proxy, authorityFile, clientCertificate }: EnteredConnection): boolean {
  return proxy.mode !== 'system' || authorityFile !== '' || clientCertificate.form !== 'none';
}

interface ConnectionFieldsProps {
  connection: EnteredConnection;
  onChange: (connection: EnteredConnection) => void;
  /** Secrets that are kept already, and never come here. */
  kept: readonly ConnectionSecret[];
  /** The field that main could not use, and what is wrong with it. */
  wrong?: { field: ConnectionField; says: string };
}

/** Proxy, certificates and time limits of one server. */
export function ConnectionFields({ connection, onChange, kept, wrong }: ConnectionFieldsProps) {
  const { t } = useTranslation();
  const { proxy, clientCertificate, limits } = connection;
  const change = (part: Partial<EnteredConnection>) => onChange({ ...connection, ...part });
  const errorAt = (field: ConnectionField) => (wrong?.field === field ? { error: wrong.says } : {});

  const secret = (name: ConnectionSecret) => (
    <SecretInput
      visible={false}
      autoComplete="off"
      label={t(`connection.${name}`)}
      description={t(kept.includes(name) ? 'connection.secretKept' : 'connection.secretHelp')}
      value={connection.secrets[name] ?? ''}
      onChange={(event) => {
        const { [name]: _typed, ...others } = connection.secrets;
        const typed = event.currentTarget.value;
        change({ secrets: typed === '' ? others : { ...others, [name]: typed } });
      }}
    />
  );

  return (
    <Stack gap="sm" mt="sm">
      <NativeSelect
        label={t('connection.proxy')}
        data={proxyModes.map((mode) => ({ value: mode, label: t(`connection.proxyMode.${mode}`) }))}
        value={proxy.mode}
        onChange={(event) => {
          const mode = proxyModes.find((each) => each === event.currentTarget.value);
          if (mode) change({ proxy: emptyProxy[mode] });
        }}
      />
      {proxy.mode === 'pac' && (
        <TextInput
          label={t('connection.pac')}
          description={t('connection.pacHelp')}
          value={proxy.url}
          onChange={(event) => change({ proxy: { ...proxy, url: event.currentTarget.value } })}
          {...errorAt('pac')}
          {...plainText}
        />
      )}
      {proxy.mode === 'manual' && (
        <>
          <TextInput
            label={t('connection.proxyAddress')}
            description={t('connection.proxyAddressHelp')}
            value={proxy.address}
            onChange={(event) => change({ proxy: { ...proxy, address: event.currentTarget.value } })}
            {...errorAt('proxy')}
            {...plainText}
          />
          <TextInput
            label={t('connection.proxyUsername')}
            value={proxy.username}
            onChange={(event) => change({ proxy: { ...proxy, username: event.currentTarget.value } })}
            {...errorAt('proxyUsername')}
            {...plainText}
          />
          {secret('proxyPassword')}
          <Textarea
            label={t('connection.noProxy')}
            description={t('connection.noProxyHelp')}
            rows={2}
            value={proxy.noProxy}
            onChange={(event) => change({ proxy: { ...proxy, noProxy: event.currentTarget.value } })}
            {...errorAt('noProxy')}
            {...plainText}
          />
        </>
      )}
      <FileField
        label={t('connection.authority')}
        description={t('connection.authorityHelp')}
        purpose="authority"
        value={connection.authorityFile}
        onChange={(authorityFile) => change({ authorityFile })}
        {...errorAt('authorityFile')}
      />
      <NativeSelect
        label={t('connection.clientCertificate')}
        data={certificateForms.map((form) => ({ value: form, label: t(`connection.certificateForm.${form}`) }))}
        value={clientCertificate.form}
        onChange={(event) => {
          const form = certificateForms.find((each) => each === event.currentTarget.value);
          if (form) change({ clientCertificate: emptyCertificate[form] });
        }}
      />
      {clientCertificate.form === 'pem' && (
        <>
          <FileField
            label={t('connection.certificateFile')}
            purpose="certificate"
            value={clientCertificate.certificateFile}
            onChange={(certificateFile) => change({ clientCertificate: { ...clientCertificate, certificateFile } })}
            {...errorAt('clientCertificate')}
          />
          <FileField
            label={t('connection.keyFile')}
            purpose="key"
            value={clientCertificate.keyFile}
            onChange={(keyFile) => change({ clientCertificate: { ...clientCertificate, keyFile } })}
          />
        </>
      )}
      {clientCertificate.form === 'pfx' && (
        <FileField
          label={t('connection.pfxFile')}
          purpose="pfx"
          value={clientCertificate.file}
          onChange={(file) => change({ clientCertificate: { ...clientCertificate, file } })}
          {...errorAt('clientCertificate')}
        />
      )}
      {clientCertificate.form !== 'none' && secret('passphrase')}
      <Group grow align="flex-start">
        {limitNames.map((name) => (
          <TextInput
            key={name}
            label={t(`connection.limit.${name}`)}
            inputMode="decimal"
            value={limits[name]}
            onChange={(event) => change({ limits: { ...limits, [name]: event.currentTarget.value } })}
            {...(wrong?.field === 'limits' && { error: name === 'connectSeconds' ? wrong.says : true })}
            {...plainText}
          />
        ))}
      </Group>
      <Text size="xs" c="dimmed">
        {t('connection.limitsHelp')}
      </Text>
    </Stack>
  );
}

const emptyProxy = {
  system: { mode: 'system' },
  none: { mode: 'none' },
  pac: { mode: 'pac', url: '' },
  manual: { mode: 'manual', address: '', username: '', noProxy: '' },
} as const satisfies { [M in EnteredConnection['proxy']['mode']]: Extract<EnteredConnection['proxy'], { mode: M }> };

const emptyCertificate = {
  none: { form: 'none' },
  pem: { form: 'pem', certificateFile: '', keyFile: '' },
  pfx: { form: 'pfx', file: '' },
} as const satisfies {
  [F in EnteredConnection['clientCertificate']['form']]: Extract<EnteredConnection['clientCertificate'], { form: F }>;
};

interface FileFieldProps {
  label: string;
  description?: string;
  error?: string;
  purpose: FilePurpose;
  value: string;
  onChange: (file: string) => void;
}

/** A path to type or to choose in the system's own dialog. */
function FileField({ label, description, error, purpose, value, onChange }: FileFieldProps) {
  const { t } = useTranslation();
  const id = useId();

  async function choose() {
    const result = await api.servers.chooseFile({ purpose });
    if (result.ok && result.value.file !== undefined) onChange(result.value.file);
  }

  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput
        id={id}
        flex={1}
        label={label}
        {...(description !== undefined && { description })}
        {...(error !== undefined && { error })}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        {...plainText}
      />
      <Button variant="default" aria-label={t('connection.chooseFor', { label })} onClick={() => void choose()}>
        {t('connection.choose')}
      </Button>
    </Group>
  );
}
