import { Fragment, useId } from 'react';
import type { InterfacePreview, RequestPreview, ShippedInterface } from '../../../preload/contract/connection.ts';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import classes from './interface-fold.module.css';
import { proofText } from './interface-text.ts';
import { t } from '../../i18n.ts';

interface SentCallsProps {
  reading: Extract<InterfacePreview, { readable: true }>;
  /** Set for a description that ships with Llavero. */
  shipped?: Pick<ShippedInterface, 'id' | 'proved'> | undefined;
  /** False if the calls apply only once the form is saved. */
  isSaved: boolean;
  /** Typed values of the variables. */
  values: Readonly<Record<string, string>>;
}

const calls = ['register', 'login', 'profile', 'logout', 'refresh'] as const;

/** The five calls of a description as they are sent, with marked placeholders. */
export function SentCalls({ reading, shipped, isSaved, values }: SentCallsProps) {
  const headingId = useId();
  const { variables } = reading.interface;
  const about = aboutText(shipped) ?? reading.interface.about;
  const filled = Object.fromEntries(
    variables.flatMap(({ name, secret, usual = '' }) => {
      const value = secret ? '' : values[name] || usual;
      return value === '' ? [] : [[name, value] as const];
    }),
  );
  return (
    <section className="grid gap8" aria-labelledby={headingId}>
      <div className="row wrap apart gap8">
        <h3 id={headingId} className={classes.legend}>
          {t(isSaved ? 'interface.willBeSent' : 'interface.wouldBeSent')}
        </h3>
        <span className="hint">{t('interface.token', { place: placeText(reading.token) })}</span>
      </div>
      <ul className="list outlined round6 clip" aria-labelledby={headingId}>
        {calls.flatMap((name) => {
          const sent = reading.sent.filter(({ call }) => call === name);
          if (sent.length === 0) {
            return [
              <li key={name} className={classes.call}>
                <span className="soft">{t(`interface.calls.${name}`)}</span>
                <span className="muted">{t('interface.none')}</span>
              </li>,
            ];
          }
          return sent.map((call) => <Sent key={`${name} ${call.path}`} call={call} filled={filled} />);
        })}
      </ul>
      <p className="flush hint anywhere">{t('interface.marked')}</p>
      {about !== undefined && (
        <p className="flush hint anywhere">
          <UntrustedText text={about} />
        </p>
      )}
    </section>
  );
}

function aboutText(shipped: SentCallsProps['shipped']): string | undefined {
  const notes: Partial<Record<string, string>> = t('interface.notes', { returnObjects: true });
  const note = shipped && notes[shipped.id];
  return shipped && note !== undefined ? `${proofText(shipped)}. ${note}` : undefined;
}

function Sent({ call, filled }: { call: RequestPreview; filled: Readonly<Record<string, string>> }) {
  return (
    <li className={classes.call}>
      <span className="soft">{t(`interface.calls.${call.call}`)}</span>
      <bdi className={classes.line}>
        <b>{call.method}</b> <Filled text={call.path} filled={filled} />
      </bdi>
      {call.parts.length > 0 && (
        <bdi className={classes.parts}>
          {call.parts.map(({ name, value, isHeader }, index) => (
            // Two parts of a call may have the same name.
            // oxlint-disable-next-line react/no-array-index-key
            <Fragment key={index}>
              {index > 0 && ' · '}
              {isHeader ? `${name}: ` : `${name} `}
              <Filled text={value} filled={filled} />
            </Fragment>
          ))}
        </bdi>
      )}
    </li>
  );
}

function Filled({ text, filled }: { text: string; filled: Readonly<Record<string, string>> }) {
  return text.split(/\{\{([A-Za-z]\w*)\}\}/).map((part, index) => {
    // With a group in the pattern, `split` puts the names of the placeholders at the odd indexes.
    const value = index % 2 === 0 ? part : Object.hasOwn(filled, part) ? filled[part] : undefined;
    return value === undefined ? (
      // oxlint-disable-next-line react/no-array-index-key -- The parts of a text are told apart by nothing else.
      <mark key={index} className={classes.mark}>
        {variableText(part)}
      </mark>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- As above.
      <UntrustedText key={index} text={value} />
    );
  });
}

const named = ['name', 'email', 'password', 'cpassword', 'username', 'token', 'refreshToken', 'origin'] as const;

function variableText(name: string): string {
  const known = named.find((each) => each === name);
  return known ? t(`interface.filled.${known}`) : name;
}

function placeText(place: string | undefined): string {
  if (place === undefined) return t('interface.place.found');
  if (place === 'body') return t('interface.place.body');
  if (place === 'cookie') return t('interface.place.cookie');
  return place.startsWith('headers.') ? t('interface.place.header', { name: place.slice(8) }) : place;
}
