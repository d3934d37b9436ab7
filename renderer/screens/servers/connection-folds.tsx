import { NativeSelect, Text, Textarea, TextInput } from '@mantine/core';
import type { ConnectionField, ConnectionSecret, EnteredConnection } from '../../../preload/contract/connection.ts';
import { SecretInput } from '../../components/secret-input.tsx';
import { emptyCertificate, emptyProxy } from './entered-connection.ts';
import classes from './connection-folds.module.css';
import { Fold } from '../../components/fold.tsx';
import { FileField } from './file-field.tsx';
import { plainText } from '../../components/plain-text.ts';
import { t } from '../../i18n.ts';

const proxyModes = ['system', 'none', 'manual', 'pac'] as const;
const certificateForms = ['none', 'pem', 'pfx'] as const;
const limitNames = ['connectSeconds', 'firstByteSeconds', 'totalSeconds'] as const;

interface ConnectionFoldsProps {
  connection: EnteredConnection;
  onChange: (connection: EnteredConnection) => void;
  /** The secrets that main keeps already. Their values never come here. */
  kept: readonly ConnectionSecret[];
  /** How many certificates the person trusts for this server alone. */
  pins: number;
  /** The field that main could not use, and what is wrong with it. */
  wrong?: { field: ConnectionField; says: string } | undefined;
}

/** Shows proxy, certificates and time limits of one server. */
export function ConnectionFolds({ connection, onChange, kept, pins, wrong }: ConnectionFoldsProps) {
  const { proxy, authorityFile, clientCertificate } = connection;
  const change = (part: Partial<EnteredConnection>) => onChange({ ...connection, ...part });
  const errorAt = (field: ConnectionField) => (wrong?.field === field ? wrong.says : undefined);
  const certificates = [
    ...(authorityFile === '' ? [] : [t('connection.summary.authority')]),
    ...(clientCertificate.form === 'none' ? [] : [t('connection.summary.client')]),
    ...(pins === 0 ? [] : [t('connection.summary.pinned')]),
  ];
  const hasAddress = proxy.mode === 'manual' && proxy.address !== '';

  const parts = { connection, change, errorAt, kept };
  return (
    <>
      <Fold
        title={t('connection.proxyTitle')}
        value={hasAddress ? proxy.address : t(`connection.proxyMode.${proxy.mode}`)}
      >
        <ProxyFields {...parts} />
      </Fold>
      <Fold
        title={t('connection.certificates')}
        value={certificates.length === 0 ? t('connection.summary.none') : certificates.join(', ')}
      >
        <FileField
          label={t('connection.authority')}
          description={t('connection.authorityHelp')}
          purpose="authority"
          value={connection.authorityFile}
          onChange={(file) => change({ authorityFile: file })}
          error={errorAt('authorityFile')}
        />
        <ClientCertificateFields {...parts} />
      </Fold>
      <LimitFold {...parts} />
    </>
  );
}

/** The seconds that hold where nothing was typed. */
const limitDefaults = { connectSeconds: '10', firstByteSeconds: '20', totalSeconds: '30' } as const;

function LimitFold({ connection: { limits }, change, errorAt }: PartProps) {
  const error = errorAt('limits');
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
            value={limits[name]}
            onChange={(event) => change({ limits: { ...limits, [name]: event.currentTarget.value } })}
            error={error !== undefined && (name === 'connectSeconds' ? error : true)}
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

interface PartProps {
  connection: EnteredConnection;
  change: (part: Partial<EnteredConnection>) => void;
  errorAt: (field: ConnectionField) => string | undefined;
  kept: readonly ConnectionSecret[];
}

function ProxyFields({ connection, change, errorAt, kept }: PartProps) {
  const { proxy } = connection;
  return (
    <>
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
        <FileField
          typed
          label={t('connection.pac')}
          description={t('connection.pacHelp')}
          purpose="pac"
          value={proxy.url}
          onChange={(url) => change({ proxy: { ...proxy, url } })}
          error={errorAt('pac')}
        />
      )}
      {proxy.mode === 'manual' && (
        <>
          <TextInput
            label={t('connection.proxyAddress')}
            description={t('connection.proxyAddressHelp')}
            value={proxy.address}
            onChange={(event) => change({ proxy: { ...proxy, address: event.currentTarget.value } })}
            error={errorAt('proxy')}
            {...plainText}
          />
          <TextInput
            label={t('connection.proxyUsername')}
            value={proxy.username}
            onChange={(event) => change({ proxy: { ...proxy, username: event.currentTarget.value } })}
            error={errorAt('proxyUsername')}
            {...plainText}
          />
          <SecretField name="proxyPassword" connection={connection} change={change} kept={kept} />
          <Textarea
            label={t('connection.noProxy')}
            description={t('connection.noProxyHelp')}
            rows={2}
            value={proxy.noProxy}
            onChange={(event) => change({ proxy: { ...proxy, noProxy: event.currentTarget.value } })}
            error={errorAt('noProxy')}
            {...plainText}
          />
        </>
      )}
    </>
  );
}

function ClientCertificateFields({ connection, change, errorAt, kept }: PartProps) {
  const { clientCertificate } = connection;
  return (
    <>
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
            error={errorAt('clientCertificate')}
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
          error={errorAt('clientCertificate')}
        />
      )}
      {clientCertificate.form !== 'none' && (
        <SecretField name="passphrase" connection={connection} change={change} kept={kept} />
      )}
    </>
  );
}

/** Takes a secret that is typed here and never shown again. */
function SecretField({ name, connection, change, kept }: Omit<PartProps, 'errorAt'> & { name: ConnectionSecret }) {
  return (
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
}
