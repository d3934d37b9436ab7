import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import { plainText } from '../../../components/plain-text.ts';
import {
  type CallName,
  type CallOption,
  callPlace,
  type DescriptionEditor,
  fillingOf,
  isObject,
  type Json,
  type Member,
  membersOf,
  methodOf,
  newCall,
  pathOf,
  redirectsOf,
  renamed,
  renewalSentAsOf,
  textAt,
  typedConstant,
  typedPath,
  valueAt,
  variableFor,
  withAt,
  withCall,
  withOption,
  withPath,
  withRenewalSentAs,
} from './description.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { SentAsControls, TokenControls } from './session-parts.tsx';
import { t } from '../../../i18n.ts';
import { CloseIcon, PlusIcon } from '../../../components/icons.tsx';

interface CallPartProps {
  name: CallName;
  mark: Mark;
  edit: DescriptionEditor;
  /** Other requests of the imported text that may be this call. */
  others: readonly CallOption[];
}

/** A call with its method, path and body. Another request of the imported text can replace it. */
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

function Line({ name, edit }: { name: CallName; edit: DescriptionEditor }) {
  const place = callPlace(edit.now, name);
  function setMethod(method: string) {
    const next = withAt(edit.now, [...place, 'method'], method);
    // A GET has no body. A login by GET has its fields in the query.
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

function Removal({ name, edit }: { name: CallName; edit: DescriptionEditor }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      // `refresh` may be absent from a description, but not null.
      onClick={() => edit.change(withCall(edit.now, name, name === 'refresh' ? undefined : null))}
    >
      {t('interface.parts.remove')}
    </Button>
  );
}

/** The fields that a login sends. */
export function FieldsPart({ mark, edit }: { mark: Mark; edit: DescriptionEditor }) {
  const members = membersOf(bodyOf(edit, 'login'));
  return (
    <PartRow
      part="fields"
      mark={mark}
      shown={
        <>
          {members.map(({ place, value }) => (
            <span key={place.join('\n')} className={classes.member}>
              <bdi className="mono">{place.join('.')}</bdi>
              <span className="muted">= {fillingText(value)}</span>
            </span>
          ))}
          <span className="hint">
            {t(members.length === 0 ? 'interface.parts.noFields' : `interface.parts.as.${encodingOf(edit, 'login')}`)}
          </span>
        </>
      }
    >
      <div className={classes.controls}>
        <FieldsControls call="login" edit={edit} />
      </div>
    </PartRow>
  );
}

const bodyPlace = (edit: DescriptionEditor, call: CallName) => [...callPlace(edit.now, call), 'body'];
const bodyOf = (edit: DescriptionEditor, call: CallName): Json | undefined => valueAt(edit.now, bodyPlace(edit, call));

const encodingOf = ({ now }: DescriptionEditor, call: CallName): 'json' | 'form' | 'query' => {
  const own = textAt(now, [...callPlace(now, call), 'encoding']) ?? textAt(now, ['encoding']);
  return own === 'form' || own === 'query' ? own : 'json';
};

/** Edits the members of a request body, one per line, and its encoding. */
function FieldsControls({ call, edit }: { call: CallName; edit: DescriptionEditor }) {
  const place = bodyPlace(edit, call);
  const body = bodyOf(edit, call);
  const members = membersOf(body);
  // Only a login by GET has its fields in the query.
  const encodings =
    encodingOf(edit, call) === 'query' ? (['query', 'json', 'form'] as const) : (['json', 'form'] as const);
  const set = (next: Json | undefined) => edit.change(withAt(edit.now, place, next));
  const freeName = ['field', ...members.map((_, index) => `field${index + 2}`)].find(
    (name) => valueAt(body, [name]) === undefined,
  );
  return (
    <div className={classes.fields}>
      {members.map((member, index) => (
        // With its name as a key, a field would be remounted while the name is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <Field key={index} call={call} member={member} body={body} edit={edit} onBody={set} />
      ))}
      <div className={classes.controls}>
        <Button
          data-home
          variant="default"
          size="xs"
          leftSection={<PlusIcon />}
          onClick={() => set(withAt(isObject(body) ? body : {}, [freeName ?? 'field'], ''))}
        >
          {t('interface.parts.addField')}
        </Button>
        {members.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label={t('interface.parts.encoding')}
            data={encodings.map((value) => ({ value, label: t(`interface.parts.as.${value}`) }))}
            value={encodingOf(edit, call)}
            onChange={(event) => {
              const own = [...callPlace(edit.now, call), 'encoding'];
              const isOwn = call !== 'login' || valueAt(edit.now, own) !== undefined;
              edit.change(withAt(edit.now, isOwn ? own : ['encoding'], event.currentTarget.value));
            }}
          />
        )}
      </div>
    </div>
  );
}

interface FieldProps {
  call: CallName;
  member: Member;
  body: Json | undefined;
  edit: DescriptionEditor;
  onBody: (next: Json | undefined) => void;
}

function Field({ call, member: { place, value }, body, edit, onBody }: FieldProps) {
  const filling = fillingOf(value);
  const before = isObject(body) ? body : {};
  const name = place.join('.');
  const variables = Object.keys(isObject(edit.now['variables']) ? edit.now['variables'] : {});
  const named = [...new Set([...known[call], ...variables, ...(filling.is === 'field' ? [filling.name] : [])])];
  const fill = (next: Json) => onBody(withAt(before, place, next));
  function choose(chosen: string) {
    if (chosen === constant) return fill('');
    if (chosen !== newVariable) return fill(`{{${chosen}}}`);
    const variable = variableFor(place);
    const isDeclared = variables.includes(variable.name);
    const filled = withAt(edit.now, [...bodyPlace(edit, call), ...place], `{{${variable.name}}}`);
    const said = variable.secret ? { secret: true } : {};
    return edit.change(isDeclared ? filled : withAt(filled, ['variables', variable.name], said));
  }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset needs a legend on the screen.
    <div role="group" aria-label={name} className={classes.field}>
      <TextInput
        classNames={{ input: 'size13 mono' }}
        aria-label={t('interface.parts.fieldName')}
        maxLength={100}
        value={name}
        onChange={(event) => {
          const to = event.currentTarget.value.split('.');
          if (valueAt(body, to) === undefined) onBody(renamed(body, place, to));
        }}
        {...plainText}
      />
      <NativeSelect
        className={classes.choice ?? ''}
        size="xs"
        aria-label={t('interface.parts.filledWith')}
        value={filling.is === 'constant' ? constant : filling.name}
        onChange={(event) => choose(event.currentTarget.value)}
        data={[
          ...named.map((each) => ({ value: each, label: fillingText(`{{${each}}}`) })),
          { value: constant, label: t('interface.parts.constant') },
          { value: newVariable, label: t('interface.parts.newVariable') },
        ]}
      />
      {filling.is === 'constant' && (
        <TextInput
          classNames={{ input: 'size13 mono' }}
          aria-label={t('interface.parts.constant')}
          maxLength={2000}
          value={filling.text}
          onChange={(event) => fill(typedConstant(event.currentTarget.value, value))}
          {...plainText}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('interface.parts.removeField', { name })}
        title={t('interface.parts.removeField', { name })}
        onClick={() => onBody(withAt(before, place, undefined))}
      >
        <CloseIcon />
      </ActionIcon>
    </div>
  );
}

/** Option values that no variable name can equal. */
const constant = '=';
const newVariable = '+';

/** Built-in placeholders of each call: fields of its form, or tokens of the session. */
const known: Readonly<Record<CallName, readonly string[]>> = {
  register: ['email', 'username', 'name', 'password', 'cpassword'],
  login: ['email', 'username', 'password'],
  profile: ['token'],
  logout: ['refreshToken', 'token'],
  refresh: ['refreshToken', 'token'],
};

/** Label of what fills a member: a form field, the name of a variable, or the constant itself. */
export function fillingText(value: Json): string {
  const filling = fillingOf(value);
  if (filling.is === 'constant') return filling.text === '' ? '""' : filling.text;
  const field = formFields.find((each) => each === filling.name);
  return field ? t(`interface.filled.${field}`) : filling.name;
}

const formFields = ['name', 'email', 'password', 'cpassword', 'username', 'token', 'refreshToken', 'origin'] as const;
