import type { RecordedCall } from '../../../preload/contract/calls.ts';
import { Fields } from '../../answers/fields.tsx';
import { Section } from '../../answers/request-response.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { language, t } from '../../i18n.ts';

/** Shows over which connection a call went, and by which certificate it was protected. */
export function Connection({ call }: { call: RecordedCall }) {
  const { remote, proxy, security, reusedConnection } = call;
  const certificate = security?.certificate;
  const date = new Intl.DateTimeFormat(language(), { dateStyle: 'medium' });
  const period = certificate && date.formatRange(new Date(certificate.validFrom), new Date(certificate.validTo));
  const rows: [string, string | undefined][] = [
    [t('calls.remote'), remote],
    [t('calls.proxy'), proxy ?? t('calls.noProxy')],
    [t('calls.connectionUse'), t(reusedConnection ? 'calls.reused' : 'calls.new')],
    [t('calls.encryption'), security?.protocol ?? t('calls.plain')],
    [t('calls.trust'), security?.pinned ? t('calls.byCertificate') : undefined],
    [t('certificate.subject'), certificate?.subject],
    [t('certificate.issuer'), certificate?.issuer],
    [t('certificate.names'), certificate?.names.join(', ')],
    [t('certificate.valid'), period],
    [t('certificate.sha256'), certificate?.sha256],
  ];
  const known = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value: <UntrustedText text={value} /> }],
  );
  return (
    <Section title={t('calls.connection')} level={3}>
      <Fields fields={known} />
    </Section>
  );
}
