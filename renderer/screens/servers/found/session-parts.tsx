import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { plainText } from '../../../components/plain-text.ts';
import {
  type AnswerPlace,
  answerPlaceOf,
  type DescriptionEditor,
  expressionOf,
  isObject,
  type SentAs,
  sentAsOf,
  textAt,
  valueAt,
  withAt,
  withSentAs,
} from './description.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { t } from '../../../i18n.ts';

/** Edits how requests carry the session: a header with its scheme, a cookie, or the body. */
export function SentAsPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const sentAs = sentAsOf(edit.now);
  return (
    <PartRow part="sentAs" mark={mark} shown={<SentAsText sentAs={sentAs} />}>
      <div className={classes.controls}>
        <SentAsControls
          label={t('interface.parts.of.sentAs')}
          sentAs={sentAs}
          onChange={(next) => next && edit.change(withSentAs(edit.now, next))}
        />
      </div>
    </PartRow>
  );
}

interface SentAsControlsProps {
  label: string;
  sentAs: SentAs | undefined;
  /** Label of the choice to send it as all other requests of the session; absent if there are no others. */
  asSession?: string | undefined;
  /** Undefined means as all other requests. */
  onChange: (sentAs: SentAs | undefined) => void;
}

/** Controls for a header with its scheme, a cookie, or the body. */
export function SentAsControls({ label, sentAs, asSession, onChange }: SentAsControlsProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        // The row of the session has this label already.
        {...(asSession === undefined ? { 'aria-label': label } : { label })}
        data={[
          ...(asSession === undefined ? [] : [{ value: 'session', label: asSession }]),
          ...(['header', 'cookie', 'body'] as const).map((value) => ({
            value,
            label: t(`interface.parts.sentIn.${value}`),
          })),
        ]}
        value={sentAs?.in ?? 'session'}
        onChange={(event) => onChange(usual[event.currentTarget.value])}
      />
      {sentAs && sentAs.in !== 'body' && (
        <TextInput
          className={classes.long ?? ''}
          classNames={{ input: 'size13 mono' }}
          aria-label={t(sentAs.in === 'header' ? 'interface.parts.headerName' : 'interface.parts.cookieName')}
          maxLength={200}
          value={sentAs.name}
          onChange={(event) => onChange({ ...sentAs, name: event.currentTarget.value })}
          {...plainText}
        />
      )}
      {sentAs?.in === 'header' && /^authorization$/i.test(sentAs.name) && (
        <Scheme scheme={sentAs.scheme} onChange={(scheme) => onChange({ ...sentAs, scheme })} />
      )}
    </>
  );
}

const usual: Readonly<Record<string, SentAs>> = {
  body: { in: 'body' },
  header: { in: 'header', name: 'Authorization', scheme: 'Bearer' },
  cookie: { in: 'cookie', name: 'session' },
};

function SentAsText({ sentAs }: { sentAs: SentAs }) {
  if (sentAs.in === 'body') return t('interface.parts.sentIn.body');
  const scheme = sentAs.in === 'header' && sentAs.scheme !== undefined ? `${sentAs.scheme} ` : '';
  return (
    <>
      <span>{t(`interface.parts.sentIn.${sentAs.in}`)}</span>
      <bdi className="mono">
        {sentAs.name}
        {sentAs.in === 'header' ? ': ' : '='}
        {scheme}
        {t('interface.filled.token')}
      </bdi>
    </>
  );
}

const schemes = ['Bearer', 'JWT', 'Token'];
/** Option values that no scheme can equal. */
const [noScheme, otherScheme] = [' none', ' other'];

function Scheme({ scheme, onChange }: { scheme: string | undefined; onChange: (scheme: string | undefined) => void }) {
  const [isOther, setOther] = useState(scheme !== undefined && !schemes.includes(scheme));
  const chosen = isOther ? otherScheme : (scheme ?? noScheme);
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('interface.parts.scheme')}
        data={[
          ...schemes,
          { value: noScheme, label: t('interface.parts.noScheme') },
          { value: otherScheme, label: t('interface.parts.otherScheme') },
        ]}
        value={isOther || scheme === undefined || schemes.includes(scheme) ? chosen : otherScheme}
        onChange={({ currentTarget: { value } }) => {
          setOther(value === otherScheme);
          if (value !== otherScheme) onChange(value === noScheme ? undefined : value);
        }}
      />
      {(isOther || (scheme !== undefined && !schemes.includes(scheme))) && (
        <TextInput
          classNames={{ input: 'size13 mono' }}
          aria-label={t('interface.parts.otherScheme')}
          maxLength={50}
          value={scheme ?? ''}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...plainText}
        />
      )}
    </>
  );
}

/** Edits where the token is in the response to a login. */
export function TokenPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const place = answerPlaceOf(textAt(edit.now, ['outputs', 'token']));
  return (
    <PartRow part="token" mark={mark} shown={<TokenPlaceText place={place} />}>
      <div className={classes.controls}>
        <TokenControls output="token" edit={edit} />
      </div>
    </PartRow>
  );
}

function TokenPlaceText({ place }: { place: AnswerPlace }) {
  if (place.in === 'found') return t('interface.parts.tokenIn.found');
  if (place.in === 'header') return <span>{t('interface.place.header', { name: place.name })}</span>;
  return place.path === '' ? (
    t('interface.place.body')
  ) : (
    <bdi className="mono">{t('interface.parts.tokenAt', { path: place.path })}</bdi>
  );
}

/** Controls for the place of a value in a response: detected, a path in the body, or a header. */
export function TokenControls({ output, edit }: { output: 'token' | 'refreshToken'; edit: DescriptionEditor }) {
  const place = answerPlaceOf(textAt(edit.now, ['outputs', output]));
  const set = (next: AnswerPlace) => edit.change(withAt(edit.now, ['outputs', output], expressionOf(next)));
  const usual: Readonly<Record<string, AnswerPlace>> = {
    found: { in: 'found' },
    body: { in: 'body', path: output === 'token' ? 'token' : 'refresh_token' },
    header: { in: 'header', name: 'Authorization' },
  };
  // A request can send declared outputs only, so a refresh token that is declared keeps a path.
  const places = (['found', 'body', 'header'] as const).filter(
    (each) => each !== 'found' || output === 'token' || place.in === 'found',
  );
  const label = t(output === 'token' ? 'interface.parts.tokenPlace' : 'interface.parts.refreshPlace');
  return (
    <>
      <NativeSelect
        size="xs"
        {...(output === 'token' ? { 'aria-label': label } : { label })}
        data={places.map((value) => ({
          value,
          label: t(`interface.parts.tokenIn.${value}`),
        }))}
        value={place.in}
        onChange={(event) => set(usual[event.currentTarget.value] ?? { in: 'found' })}
      />
      {place.in !== 'found' && (
        <TextInput
          className={classes.long ?? ''}
          classNames={{ input: 'size13 mono' }}
          aria-label={t(place.in === 'body' ? 'interface.parts.bodyPath' : 'interface.parts.headerName')}
          maxLength={290}
          value={place.in === 'body' ? place.path : place.name}
          onChange={({ currentTarget: { value } }) =>
            set(place.in === 'body' ? { in: 'body', path: value } : { in: 'header', name: value })
          }
          {...plainText}
        />
      )}
    </>
  );
}

const inputs = ['cookie', 'header', 'from'] as const;

/** Edits the CSRF cookie whose value is sent back in a header. */
export function CsrfPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const said = (name: string) => textAt(edit.now, ['csrf', name]) ?? '';
  return (
    <PartRow
      part="csrf"
      mark={mark}
      shown={
        <bdi className="mono">
          {said('cookie')} → {said('header')}
        </bdi>
      }
    >
      <div className={classes.controls}>
        {inputs.map((name) => (
          <TextInput
            key={name}
            className={classes.long ?? ''}
            classNames={{ input: 'size13 mono' }}
            aria-label={t(`interface.parts.csrfIn.${name}`)}
            placeholder={t(`interface.parts.csrfIn.${name}`)}
            maxLength={200}
            value={said(name)}
            onChange={({ currentTarget: { value } }) =>
              edit.change(withAt(edit.now, ['csrf', name], name === 'from' && value === '' ? undefined : value))
            }
            {...plainText}
          />
        ))}
      </div>
    </PartRow>
  );
}

/** The member of the login that has the code of a second factor. More of it is edited as JSON. */
export function SecondFactorPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const body = valueAt(edit.now, ['secondFactor', 'totp', 'body']);
  const member = isObject(body) ? Object.keys(body).find((name) => body[name] === '{{code}}') : undefined;
  return (
    <PartRow part="secondFactor" mark={mark} shown={<bdi className="mono">{member}</bdi>}>
      <div className={classes.controls}>
        <TextInput
          className={classes.long ?? ''}
          classNames={{ input: 'size13 mono' }}
          aria-label={t('interface.parts.codeMember')}
          maxLength={100}
          value={member ?? ''}
          onChange={({ currentTarget: { value } }) => {
            const { [member ?? '']: _code, ...others } = isObject(body) ? body : {};
            edit.change(withAt(edit.now, ['secondFactor', 'totp', 'body'], { ...others, [value]: '{{code}}' }));
          }}
          {...plainText}
        />
        <Button variant="default" size="xs" onClick={() => edit.change(withAt(edit.now, ['secondFactor'], undefined))}>
          {t('interface.parts.removeCode')}
        </Button>
      </div>
    </PartRow>
  );
}
