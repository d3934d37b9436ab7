import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { plainText } from '../../../components/plain-text.ts';
import { type SentAs, sentAsOf, withSentAs } from './described.ts';
import type { Editing } from './editing.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { t } from '../../../i18n.ts';

/** Shows how the session is sent, and changes it: a header with its scheme, a cookie, or the body. */
export function SentAsPart({ mark, edit }: { mark: Mark; edit: Editing }) {
  const sentAs = sentAsOf(edit.now);
  return (
    <PartRow part="sentAs" mark={mark} shown={<Shown sentAs={sentAs} />}>
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
  /** What it is called to send a call as all others of the session are; absent where there are no others. */
  asSession?: string | undefined;
  /** Undefined is as all others. */
  onChange: (sentAs: SentAs | undefined) => void;
}

/** Takes a header with its scheme, a cookie, or the body. */
export function SentAsControls({ label, sentAs, asSession, onChange }: SentAsControlsProps) {
  return (
    <>
      <NativeSelect
        size="xs"
        // The row of the session has this name already.
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

function Shown({ sentAs }: { sentAs: SentAs }) {
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
/** No scheme has these characters. */
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
