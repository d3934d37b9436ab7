import type { RecordedCall } from '../../../preload/contract/calls.ts';
import { type Phase, phasesOf } from '../../answers/call-text.ts';
import { Fields, Section } from '../../answers/request-response.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { callFormatters } from '../../format.ts';
import { language, t } from '../../i18n.ts';
import classes from './timing.module.css';

/** Timing phases of a call, and its connection. */
export function Timing({ call }: { call: RecordedCall }) {
  return (
    <>
      <Section title={t('calls.phases')} level={3}>
        <TimingBar {...call} />
      </Section>
      <Connection {...call} />
    </>
  );
}

/** Rounds to whole milliseconds, so that the shown parts add up to the shown total. */
export function inWholeMs(phases: readonly Phase[]): Phase[] {
  let exact = 0;
  return phases.map(({ name, ms }) => {
    const before = Math.round(exact);
    exact += ms;
    return { name, ms: Math.round(exact) - before };
  });
}

/** Hidden from screen readers, since the list below has the same figures. */
function TimingBar({ timings, failure }: RecordedCall) {
  const { duration } = callFormatters();
  const phases = phasesOf(timings, failure !== undefined);
  return (
    <>
      <div className={classes.bar} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={classes.phases}>
        {inWholeMs(phases).map(({ name, ms }) => (
          <li key={name}>
            <span className={classes.phase} data-phase={name} aria-hidden />
            {t(`calls.phase.${name}`)} <b>{duration(ms)}</b>
          </li>
        ))}
        <li>
          {t('calls.phase.total')} <b>{duration(timings.totalMs)}</b>
        </li>
      </ul>
    </>
  );
}

function Connection({ remote, proxy, security, reusedConnection }: RecordedCall) {
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
