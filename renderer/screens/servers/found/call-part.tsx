import { Button, NativeSelect, TextInput } from '@mantine/core';
import { plainText } from '../../../components/plain-text.ts';
import type { CallName, CallOption } from '../drafted.ts';
import {
  callPlace,
  methodOf,
  newCall,
  pathOf,
  redirectsOf,
  renewalSentAsOf,
  typedPath,
  withCall,
  withOption,
  withPath,
  withRenewalSentAs,
} from './described.ts';
import { textAt, valueAt, withAt } from './description-json.ts';
import type { Editing } from './editing.ts';
import { FieldsControls } from './fields-part.tsx';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { SentAsControls } from './sent-as-part.tsx';
import { TokenControls } from './token-part.tsx';
import { t } from '../../../i18n.ts';

interface CallPartProps {
  name: CallName;
  mark: Mark;
  edit: Editing;
  /** What else the text has that may be this call. */
  others: readonly CallOption[];
}

/** Shows a call, and changes its method, path and what it sends. Another request of the text can take its place. */
export function CallPart({ name, mark, edit, others }: CallPartProps) {
  const isThere = (valueAt(edit.now, ['calls', name]) ?? null) !== null;
  const redirects = name === 'login' ? redirectsOf(edit.now) : [];
  const add = () => edit.change(withOption(edit.now, name, others[0] ?? { call: newCall[name] }));
  return (
    <PartRow
      part={name}
      mark={mark}
      onAdd={isThere ? undefined : add}
      note={redirects.length > 0 ? t('interface.parts.redirects', { targets: redirects.join(', ') }) : undefined}
      shown={
        isThere ? (
          <>
            <b>{methodOf(edit.now, name)}</b>
            <bdi className="mono">{pathOf(edit.now, name) || '/'}</bdi>
          </>
        ) : undefined
      }
    >
      <div className={classes.controls}>
        <Line name={name} edit={edit} />
        {others.length > 0 && <Others name={name} edit={edit} others={others} />}
        {name === 'login' || name === 'profile' || <Removal name={name} edit={edit} />}
        {name !== 'login' && methodOf(edit.now, name) !== 'GET' && <FieldsControls call={name} edit={edit} />}
        {name === 'refresh' && (
          <>
            <SentAsControls
              label={t('interface.parts.renewalSentAs')}
              sentAs={renewalSentAsOf(edit.now)}
              asSession={t('interface.parts.sentIn.session')}
              onChange={(sentAs) => edit.change(withRenewalSentAs(edit.now, sentAs))}
            />
            <TokenControls output="refreshToken" edit={edit} />
          </>
        )}
      </div>
    </PartRow>
  );
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function Line({ name, edit }: { name: CallName; edit: Editing }) {
  const place = callPlace(edit.now, name);
  function setMethod(method: string) {
    const next = withAt(edit.now, [...place, 'method'], method);
    // A GET has no body.
    edit.change(method === 'GET' && name !== 'login' ? withAt(next, [...place, 'body'], undefined) : next);
  }
  return (
    <>
      <NativeSelect
        size="xs"
        aria-label={t('interface.parts.method')}
        data={methods}
        value={methodOf(edit.now, name)}
        onChange={(event) => setMethod(event.currentTarget.value)}
      />
      <TextInput
        className={classes.long ?? ''}
        classNames={{ input: 'size13 mono' }}
        aria-label={t('interface.parts.path')}
        maxLength={500}
        value={pathOf(edit.now, name)}
        onChange={(event) => edit.change(withPath(edit.now, name, typedPath(event.currentTarget.value)))}
        {...plainText}
      />
    </>
  );
}

function Others({ name, edit, others }: Pick<CallPartProps, 'name' | 'edit' | 'others'>) {
  const now = JSON.stringify(valueAt(edit.now, callPlace(edit.now, name)));
  const chosen = others.findIndex(({ call }) => JSON.stringify(call) === now);
  return (
    <NativeSelect
      className={classes.line ?? ''}
      size="xs"
      aria-label={t('interface.parts.others')}
      value={String(chosen)}
      onChange={(event) => {
        const other = others[Number(event.currentTarget.value)];
        if (other) edit.change(withOption(edit.now, name, other));
      }}
      data={[
        ...(chosen === -1 ? [{ value: '-1', label: t('interface.parts.others') }] : []),
        ...others.map(({ call, from }, index) => {
          const line = `${textAt(call, ['method']) ?? 'POST'} ${textAt(call, ['path']) ?? ''}`;
          return { value: String(index), label: from === undefined || from === line ? line : `${line} (${from})` };
        }),
      ]}
    />
  );
}

function Removal({ name, edit }: { name: CallName; edit: Editing }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      // A renewal may be absent, and not be null.
      onClick={() => edit.change(withCall(edit.now, name, name === 'refresh' ? undefined : null))}
    >
      {t('interface.parts.remove')}
    </Button>
  );
}
