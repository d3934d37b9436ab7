import { Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CertificateDetails, TlsProblem } from '../../preload/contract/connection.ts';
import type { Server } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { api, useAppState } from '../api.ts';
import bannerClasses from './banner.module.css';
import classes from './certificate-question.module.css';
import { Message } from './message.tsx';

/** Trusting one certificate would not settle these. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

/** The certificate that was not trusted, and the offer to trust exactly this one for exactly this server. */
export function CertificateQuestion({ error }: { error: AppError }) {
  const state = useAppState();
  if (error.kind !== 'tls' || !error.certificate || notAboutTheCertificate.has(error.problem)) return null;
  const active = state?.servers.find(({ id }) => id === state.activeServerId);
  return active ? <Question certificate={error.certificate} server={active} /> : null;
}

function Question({ certificate, server }: { certificate: CertificateDetails; server: Server }) {
  const { t, i18n } = useTranslation();
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' });
  const { subject, issuer, names, validFrom, validTo, sha256 } = certificate;
  const rows: [string, string][] = [
    [t('certificate.subject'), subject],
    [t('certificate.issuer'), issuer],
    [t('certificate.names'), names.join(', ')],
    [t('certificate.valid'), date.formatRange(new Date(validFrom), new Date(validTo))],
    [t('certificate.sha256'), sha256],
  ];
  return (
    <div className={classes.certificate}>
      <dl aria-label={t('certificate.title')}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {server.pins.includes(sha256) ? (
        <Text component="output" size="sm">
          {t('certificate.trusted')}
        </Text>
      ) : (
        <Button size="xs" variant="default" onClick={() => void api.servers.trust({ id: server.id, sha256 })}>
          {t('certificate.trust')}
        </Button>
      )}
    </div>
  );
}

/** Stands above the screen for as long as a server is trusted by its certificate alone. */
export function TrustedCertificateBanner({ server }: { server: Server }) {
  const { t } = useTranslation();
  if (server.pins.length === 0) return null;
  return (
    <div className={bannerClasses.banner}>
      <Message
        tone="info"
        aside={
          <Button
            className={classes.action}
            size="xs"
            variant="default"
            onClick={() => void api.servers.distrust({ id: server.id })}
          >
            {t('certificate.distrust')}
          </Button>
        }
      >
        <Text size="sm">{t('certificate.banner')}</Text>
      </Message>
    </div>
  );
}
