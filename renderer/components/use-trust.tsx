import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';
import type { CertificateDetails, TlsProblem } from '../../preload/contract/connection.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { api, useAppState } from '../api.ts';
import { useAction } from '../use-action.ts';
import { useErrorText } from '../use-error-text.ts';
import type { AlertAction } from './alert.tsx';
import { language, t } from '../i18n.ts';

/** Problems that trusting one certificate would not solve. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

/**
 * Returns the details of an untrusted certificate, and an offer to trust exactly this one for exactly this server. Main
 * asks for confirmation in a dialog of the system.
 */
export function useTrust(error: AppError): { action?: AlertAction; facts?: ReactNode; news?: string } {
  const errorText = useErrorText();
  // The locked screen shows errors too, and has no server.
  const { servers, activeServerId } = useAppState() ?? {};
  const server = servers?.find(({ id }) => id === activeServerId);
  const attempt = useAction();
  if (error.kind !== 'tls' || !error.certificate || !server || notAboutTheCertificate.has(error.problem)) return {};
  const { certificate } = error;
  const facts = <CertificateFacts certificate={certificate} />;
  if (server.pins.includes(certificate.sha256)) return { facts, news: t('certificate.trusted') };
  const failed = attempt.failure?.error;
  const text = failed && errorText(failed, 'server');
  return {
    facts,
    action: {
      label: t('certificate.trust'),
      onPress: () => void attempt.run(() => api.servers.trust({ id: server.id })),
      isBusy: attempt.pending,
    },
    ...(text && { news: failed.kind === 'not-now' ? t('certificate.stale') : `${text.message} ${text.advice}` }),
  };
}

function CertificateFacts({ certificate }: { certificate: CertificateDetails }) {
  const date = new Intl.DateTimeFormat(language(), { dateStyle: 'long' });
  const { subject, issuer, names, validFrom, validTo, sha256 } = certificate;
  const rows: [string, string][] = [
    [t('certificate.subject'), subject],
    [t('certificate.issuer'), issuer],
    [t('certificate.names'), names.join(', ')],
    [t('certificate.valid'), date.formatRange(new Date(validFrom), new Date(validTo))],
    [t('certificate.sha256'), sha256],
  ];
  return (
    <DataList orientation="vertical" gap={4} mt={4} aria-label={t('certificate.title')}>
      {rows.map(([name, value]) => (
        <DataList.Item key={name}>
          <DataList.ItemLabel>{name}</DataList.ItemLabel>
          <DataList.ItemValue className="anywhere">
            <bdi>{value}</bdi>
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}
