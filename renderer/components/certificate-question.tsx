import { Button, Text } from '@mantine/core';
import type { CertificateDetails, TlsProblem } from '../../preload/contract/connection.ts';
import type { Server } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { api, useAppState } from '../api.ts';
import { useTexts } from '../texts.tsx';
import { useAttempt } from '../use-attempt.ts';
import classes from './certificate-question.module.css';
import { useSayError } from '../use-say-error.ts';

/** Trusting one certificate would not solve these problems. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

/**
 * The certificate that was not trusted, and the offer to trust exactly this one for exactly this server. Main asks in a
 * dialog of the system.
 */
export function CertificateQuestion({ error }: { error: AppError }) {
  const state = useAppState();
  if (error.kind !== 'tls' || !error.certificate || notAboutTheCertificate.has(error.problem)) return null;
  const active = state?.servers.find(({ id }) => id === state.activeServerId);
  return active ? <Question certificate={error.certificate} server={active} /> : null;
}

function Question({ certificate, server }: { certificate: CertificateDetails; server: Server }) {
  const { t, i18n } = useTexts();
  const sayError = useSayError();
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' });
  const attempt = useAttempt(server.id);
  const said = attempt.failure && sayError(attempt.failure.error, 'server');
  const isStale = attempt.failure?.error.kind === 'not-now';
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
        <Button
          size="xs"
          variant="default"
          aria-busy={attempt.sending}
          onClick={() => void attempt.run(() => api.servers.trust({ id: server.id, sha256 }))}
        >
          {t('certificate.trust')}
        </Button>
      )}
      {said && (
        <Text component="output" size="sm">
          {isStale ? t('certificate.stale') : `${said.says} ${said.advice}`}
        </Text>
      )}
    </div>
  );
}
