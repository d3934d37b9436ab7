import { isDeepStrictEqual } from 'node:util';
import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import {
  digitsOf,
  isList,
  isNumber,
  isJsonObject,
  type JsonValue,
  type LongNumber,
} from '../../client/reading/json.ts';
import { readJsonWebToken } from '../../client/reading/json-web-token.ts';
import { secretsByForm } from '../../client/secrets/secret-forms.ts';
import { isPasswordHash } from '../../client/secrets/secret-forms.ts';
import { isSecretByName } from '../../client/secrets/is-secret.ts';
import { classifyName } from '../../client/secrets/secret-names.ts';
import { maskRanges, type SecretRegistry } from '../../client/secrets/secret-registry.ts';
import { emailEncoders } from '../../service/mock/email-encoders.ts';
import {
  EmailEncoding,
  MockField,
  tokenNumberOf,
  type Placeholder,
  type Segment,
  type Template,
  type TextTemplate,
} from '../../service/mock/mock-definition.ts';
import { toRecord, type CallContext, type IssuedValues, type TestUser } from './analyzed-calls.ts';
import {
  inferIdFormat,
  isUserIdName,
  requestIdName,
  inferTimePlaceholder,
  isUuid,
  parseTimeFormat,
  inferSegments,
  inferHashSegments,
} from './value-formats.ts';
import { holdsId, createTextTemplate, createSharedTextTemplate, secretOf } from './text-placeholders.ts';

type IdForm = Extract<Placeholder, { place: 'id' }>['form'];

/** What the templates of a mock are inferred with. */
export type TemplateContext = {
  secretRegistry: SecretRegistry;
  /** Takes what could not be told apart, or was left out. */
  addRemark: (remark: MockRemark) => void;
  /** Hides the addresses of the people of a run, and their ids, in whatever spelling. */
  hidePeople?: ((text: string) => string) | undefined;
  /** Whether the values are those of tokens, of which no two are the same. */
  isOfTokens?: boolean;
};

const usernameName = /user.?name|^(?:user|login|nick(?:name)?|account|handle|usuario|sub)$/i;
const methodName = /method|verb|m[eé]todo/i;
const fields = MockField.options;

/** Cuts secrets out of a text. What a refusal says of a field is no secret, even if the field's name says so. */
function withoutSecrets(
  text: string,
  { isSuccess }: Pick<CallContext, 'isSuccess'>,
  secretRegistry: SecretRegistry,
): string {
  const isSaid = !isSuccess && !secretRegistry.isRegistered(text);
  return isSaid ? maskRanges(text, [...secretRegistry.find(text), ...secretsByForm(text)]) : secretRegistry.mask(text);
}

/** Finds placeholders in the texts of answers of one kind, whole or in them; secrets that are left are cut out. */
export function inferText(
  texts: readonly string[],
  knowns: readonly CallContext[],
  inference: TemplateContext,
): TextTemplate {
  const { secretRegistry, addRemark, hidePeople = (text) => text } = inference;
  const [known] = knowns;
  return createSharedTextTemplate(texts, knowns).map((part) => {
    if (typeof part !== 'string' || !known) return part;
    const hidden = hidePeople(withoutSecrets(part, known, secretRegistry));
    if (hidden !== part) addRemark({ kind: 'secret-left-out' });
    return hidden;
  });
}

/** Whether the values are ids: the same for one person, and others for another. Unknown people are skipped. */
function isOfPerson(name: string, texts: readonly string[], knowns: readonly CallContext[]): boolean {
  const told = texts.flatMap((text, at) => {
    const person = knowns[at]?.person;
    return person ? [{ text, person }] : [];
  });
  if (told.length === 0) return false;
  const isIts = told.every(
    ({ text, person: { id, ids = [] } }) => text === String(id) || ids.some((each) => each.text === text),
  );
  if (isIts && (isUserIdName(name) || (texts[0] ?? '').length >= 8)) return true;
  return isUserIdName(name) && differsByPerson(texts, knowns);
}

/** Whether the text depends on the person alone: one per person, and no two alike. */
function differsByPerson(texts: readonly string[], knowns: readonly CallContext[]): boolean {
  const byPerson = new Map<TestUser, string>();
  for (const [at, text] of texts.entries()) {
    const person = knowns[at]?.person;
    if (!person) continue;
    if (byPerson.has(person) && byPerson.get(person) !== text) return false;
    byPerson.set(person, text);
  }
  return byPerson.size > 1 && new Set(byPerson.values()).size === byPerson.size;
}

/** Whether the values are the numbers of their tokens, and not the ids of people that are the same by chance. */
function areTokenNumbers(texts: readonly string[], knowns: readonly CallContext[]): boolean {
  if (!texts.every((text, at) => text === tokenNumberOf(knowns[at]?.token))) return false;
  const byPerson = Map.groupBy(texts.keys(), (at) => knowns[at]?.person);
  return [...byPerson].some(([person, all]) => {
    const isId = person !== undefined && all.every((at) => texts[at] === String(person.id));
    return !isId && (person?.id !== undefined || new Set(all.map((at) => texts[at])).size > 1);
  });
}

function inferLifetime(name: string, value: number, { lifetimeSeconds }: CallContext): Placeholder | undefined {
  if (lifetimeSeconds === undefined || !/exp|ttl|life|valid|dura|venc|cadu/i.test(name)) return undefined;
  for (const [unit, perSecond] of [
    ['s', 1],
    ['ms', 1000],
    ['min', 1 / 60],
  ] as const) {
    if (Math.abs(value / perSecond - lifetimeSeconds) <= 2) return { place: 'lifetime', unit };
  }
  return undefined;
}

const firstWord = (name: string): string => name.split(' ', 1)[0] ?? '';

/** Hyphens between the groups of a code stay where they are. */
const inferGroupedSegments = (values: readonly string[]): Segment[] =>
  inferSegments(values, (at) => values.every((value) => value[at] === '-'));

/** Finds what a value is for a second factor. */
function inferIssued(values: readonly string[], knowns: readonly CallContext[]): Placeholder | undefined {
  const [first] = knowns;
  const areAll = (valueOf: (issued: IssuedValues) => string | undefined): boolean =>
    values.every((value, at) => value !== '' && valueOf(knowns[at]?.issued ?? {}) === value);
  const output = Object.keys(first?.issued?.pendingLogin ?? {}).find((name) =>
    areAll(({ pendingLogin }) => pendingLogin?.[name]),
  );
  if (output !== undefined) return { place: 'pending-login', output, segments: inferSegments(values) };
  if (areAll(({ factorSecret }) => factorSecret)) return secretOf(values[0] ?? '');
  const index = first?.issued?.recoveryCodes?.indexOf(values[0] ?? '') ?? -1;
  return index >= 0 && areAll(({ recoveryCodes }) => recoveryCodes?.[index])
    ? { place: 'recovery-code', index, segments: inferGroupedSegments(values) }
    : undefined;
}

/** Whether each value has the secret of a new factor in it, as the addresses have that authenticator apps read. */
const holdFactorSecrets = (values: readonly string[], knowns: readonly CallContext[]): boolean =>
  values.every((value, at) => {
    const secret = knowns[at]?.issued?.factorSecret;
    return secret !== undefined && secret !== '' && value.includes(secret);
  });

export function inferTextPlaceholder(
  name: string,
  values: readonly string[],
  knowns: readonly CallContext[],
): Placeholder | undefined {
  const areAll = (valueOf: (known: CallContext) => string | undefined): boolean =>
    values.every((value, at) => value !== '' && knowns[at] !== undefined && valueOf(knowns[at]) === value);
  if (areAll(({ token }) => token)) return { place: 'token' };
  const issued = inferIssued(values, knowns);
  if (issued) return issued;
  const byUsername: (readonly [Placeholder, (known: CallContext) => string | undefined])[] = [
    [{ place: 'username' }, ({ person }) => person?.username],
    [{ place: 'username', letters: 'small' }, ({ person }) => person?.username?.toLowerCase()],
  ];
  // Where the email was sent as the user name, the name of the value tells which of the two it is.
  const isEmail = knowns.some(({ person }) => person?.username === person?.email);
  const ofPerson: (readonly [Placeholder, (known: CallContext) => string | undefined])[] = [
    ...(isEmail && !usernameName.test(name) ? [] : byUsername),
    [{ place: 'email' }, ({ person }) => person?.email],
    [{ place: 'email', letters: 'small' }, ({ person }) => person?.email.toLowerCase()],
    [{ place: 'email', letters: 'capitals' }, ({ person }) => person?.email.toUpperCase()],
    ...EmailEncoding.options.map(
      (code) =>
        [{ place: 'email', code }, ({ person }: CallContext) => person && emailEncoders[code](person.email)] as const,
    ),
    [{ place: 'name' }, ({ person }) => person?.name],
    [{ place: 'name', letters: 'small' }, ({ person }) => person?.name.toLowerCase()],
    [{ place: 'name', letters: 'capitals' }, ({ person }) => person?.name.toUpperCase()],
    [{ place: 'first-name' }, ({ person }) => firstWord(person?.name ?? '')],
    [{ place: 'rest-of-name' }, ({ person }) => person?.name.slice(firstWord(person.name).length + 1)],
  ];
  const isSuccess = knowns.every((known) => known.isSuccess);
  if (isSuccess) for (const [place, valueOf] of ofPerson) if (areAll(valueOf)) return place;
  for (const field of fields) {
    if (areAll(({ sent }) => (typeof sent?.[field] === 'string' ? sent[field] : undefined)))
      return { place: 'sent', field };
  }
  if (!isSuccess) for (const [place, valueOf] of ofPerson.slice(0, -2)) if (areAll(valueOf)) return place;
  const path = inferTimePlaceholder(name, values, knowns);
  if (path) return path;
  if (areAll((known) => known.path)) return { place: 'path' };
  if (methodName.test(name) && areAll((known) => known.method)) return { place: 'method' };
  return undefined;
}

/** What a refusal says of a field in one word, such as `equal_to`. */
const isCode = /^[A-Za-z]{2,30}(?:[_.:-][A-Za-z]{2,30}){0,5}$/;

const isSentence = (text: string): boolean => /\s/.test(text.trim()) || text.length < 6;

/** Finds what one text of an answer is, in all answers of its kind. */
function inferString(
  name: string,
  values: readonly string[],
  knowns: readonly CallContext[],
  inference: TemplateContext,
): Template {
  const [value = ''] = values;
  const [known] = knowns;
  if (!known || value === '') return { constant: value };
  if (isPasswordHash(value)) return { value: { place: 'random', segments: inferHashSegments(value) } };
  const place = inferTextPlaceholder(name, values, knowns);
  if (place) return { value: place };
  if (areTokenNumbers(values, knowns)) return { value: { place: 'token-number', isText: true } };
  if (!holdEmails(values, knowns) && isOfPerson(name, values, knowns)) {
    return { value: { place: 'id', form: knownForm(values, knowns) ?? inferIdFormat(idsOf(values, knowns)) } };
  }
  const hasFactorSecret = holdFactorSecrets(values, knowns);
  const differ = new Set(values).size > 1;
  const isOneWord = parseTimeFormat(value) === undefined && values.every((each) => /^[\w.:-]{6,}$/.test(each));
  const isDrawn =
    (isUuid(value) && (differ || !areOfSeveral(knowns))) ||
    readJsonWebToken(value) !== undefined ||
    requestIdName.test(name) ||
    (differ && (sameLength(values) || inference.isOfTokens));
  if (isOneWord && isDrawn && !holdIds(values, knowns))
    return { value: { place: 'random', segments: inferSegments(values) } };
  if (
    !hasFactorSecret &&
    values.some((each) => isSecretByName(each, classifyName(name))) &&
    !isSentence(value) &&
    !(isCode.test(value) && !known.isSuccess)
  ) {
    inference.addRemark({ kind: 'secret-made-up', name: shownName(name) });
    return { value: { place: 'random', segments: inferSegments(values) } };
  }
  const text = inferText(values, knowns, inference);
  if (differ && text.every((part) => typeof part === 'string')) {
    inference.addRemark({ kind: 'text-differs', name: shownName(name) });
  }
  const [only, ...more] = text;
  return more.length === 0 && (only === undefined || typeof only === 'string') ? { constant: only ?? '' } : { text };
}

/** Whether the answers are about several people. An id that is the same in all of them is no person's, but a role's, say. */
const areOfSeveral = (knowns: readonly CallContext[]): boolean =>
  new Set(knowns.flatMap(({ person }) => person ?? [])).size > 1;

/** Whether each value has the id of its person in it. Of one person alone, that may be chance. */
const holdIds = (values: readonly string[], knowns: readonly CallContext[]): boolean =>
  new Set(knowns.map(({ person }) => person)).size > 1 &&
  values.every((value, at) => knowns[at] !== undefined && holdsId(value, knowns[at]));

/** Whether each value has the email of its person in it, such as `mailto:ana@example.test`. */
const holdEmails = (values: readonly string[], knowns: readonly CallContext[]): boolean =>
  values.every((value, at) => {
    const email = knowns[at]?.person?.email.trim().toLowerCase() ?? '';
    return email !== '' && value.toLowerCase().includes(email);
  });

/** A name of a field is the server's own word, of which a remark repeats the beginning. */
const shownName = (name: string): string => name.slice(0, 60);

const sameLength = (values: readonly string[]): boolean => new Set(values.map(({ length }) => length)).size === 1;

/** The form of an id that its person is known to have, which is the same wherever it stands. */
function knownForm(values: readonly string[], knowns: readonly CallContext[]): IdForm | undefined {
  for (const [at, value] of values.entries()) {
    const found = knowns[at]?.person?.ids?.find(({ text }) => text === value);
    if (found) return found.form;
  }
  return undefined;
}

/** Returns the ids of the people, as the answers write them. */
const idsOf = <T>(values: readonly T[], knowns: readonly CallContext[]): T[] =>
  values.filter((_each, at) => knowns[at]?.person !== undefined);

/** A number of fewer digits may be a count, which grows. A mock file has no form for more. */
const [fewestDigits, mostDigits] = [8, 100];

/** Finds what long numbers are that differ: another one for each person, or for each answer. */
function inferLongNumber(texts: readonly string[], knowns: readonly CallContext[]): Placeholder | undefined {
  const digits = texts[0]?.length ?? 0;
  const isLong = ({ length }: string): boolean => length >= fewestDigits && length <= mostDigits;
  if (!texts.every((text) => isLong(text) && /^\d+$/.test(text))) return undefined;
  if (differsByPerson(texts, knowns)) return { place: 'id', form: { kind: 'number', digits } };
  return sameLength(texts) ? { place: 'random-number', digits } : undefined;
}

function inferNumber(
  name: string,
  values: readonly (number | LongNumber)[],
  knowns: readonly CallContext[],
  { addRemark, isOfTokens }: TemplateContext,
): Template {
  const [first = 0] = values;
  const [known] = knowns;
  if (!known) return constantOf(first);
  const texts = values.map(digitsOf);
  if (areTokenNumbers(texts, knowns)) return { value: { place: 'token-number', isText: false } };
  if (isOfPerson(name, texts, knowns)) return { value: { place: 'id', form: inferIdFormat(idsOf(values, knowns)) } };
  const value = Number(digitsOf(first));
  const place = inferLifetime(name, value, known) ?? inferTimePlaceholder(name, values, knowns);
  if (place) return { value: place };
  if (texts.every((each, at) => each === String(knowns[at]?.waitSeconds))) return { value: { place: 'wait' } };
  const field = fields.find((each) => value > 99 && isDeepStrictEqual(known.sent?.[each], first));
  if (field) return { value: { place: 'sent', field } };
  if (new Set(texts).size > 1) {
    const drawn = inferLongNumber(texts, knowns);
    if (drawn) return { value: drawn };
    if (isOfTokens) return { value: { place: 'serial' } };
    addRemark({ kind: 'number-differs', name: shownName(name) });
  }
  return constantOf(first);
}

function constantOf(value: JsonValue): Template {
  if (isNumber(value)) return typeof value === 'number' ? { constant: value } : { number: value.digits };
  return { constant: typeof value === 'object' ? null : value };
}

/** Whether every call got back what it had sent for a field, or its whole body. */
function inferEcho(values: readonly JsonValue[], knowns: readonly CallContext[]): Placeholder | undefined {
  const [value] = values;
  if (isJsonObject(value) ? value.values.size === 0 : !isList(value) || value.length === 0) return undefined;
  const areAll = (isSent: (each: JsonValue, known: CallContext) => boolean): boolean =>
    values.every((each, at) => knowns[at] !== undefined && isSent(each, knowns[at]));
  if (areAll((each, { sent }) => isJsonObject(each) && isDeepStrictEqual(toRecord(each), sent)))
    return { place: 'sent-body' };
  const field = fields.find((name) => areAll((each, { sent }) => isDeepStrictEqual(each, sent?.[name])));
  return field && { place: 'sent', field };
}

/** A name of a field, with a placeholder for the id of the person in it: some servers say who may do what by that. */
export function createFieldName(key: string, known: CallContext | undefined): string | TextTemplate {
  const ids = (known?.person?.ids ?? []).map(({ text }) => text).filter(({ length }) => length >= 8);
  if (!known || !ids.some((id) => key.includes(id))) return key;
  const parts = createTextTemplate(key, { ...known, token: undefined, sent: undefined });
  return parts.some((part) => typeof part !== 'string' && part.place === 'id') ? parts : key;
}

const typeOf = (value: JsonValue): string =>
  value === null ? 'null' : isNumber(value) ? 'number' : isList(value) ? 'list' : typeof value;

/** Returns the values of the type that most of them have, with what is known of each: values of two types tell nothing. */
function ofOneType(
  values: readonly JsonValue[],
  knowns: readonly CallContext[],
): [values: JsonValue[], knowns: CallContext[]] {
  const types = Map.groupBy(values.keys(), (at) => typeOf(values[at] ?? null));
  const [most = []] = [...types.values()].toSorted((a, b) => b.length - a.length);
  return [most.map((at) => values[at] ?? null), most.flatMap((at) => knowns[at] ?? [])];
}

/**
 * Finds the placeholders in the bodies of answers of one kind. What is the same in all of them stays as it is, and so does
 * what cannot be told apart, which is said.
 *
 * @param name the name that the value stands under
 */
export function inferTemplate(
  name: string,
  values: readonly JsonValue[],
  knowns: readonly CallContext[],
  inference: TemplateContext,
): Template {
  if (new Set(values.map(typeOf)).size > 1) return inferTemplate(name, ...ofOneType(values, knowns), inference);
  const [value = null] = values;
  const echo = inferEcho(values, knowns);
  if (echo) return { value: echo };
  if (values.every((each) => typeof each === 'string')) return inferString(name, values, knowns, inference);
  if (values.every(isNumber)) return inferNumber(name, values, knowns, inference);
  const inner = (
    each: string,
    of: (outer: JsonValue, at: number) => JsonValue | undefined,
    innerName = each,
  ): Template => {
    const having = values.flatMap((outer, at) => {
      const found = of(outer, at);
      return found === undefined ? [] : [{ found, at }];
    });
    const itsKnowns = having.flatMap(({ at }) => knowns[at] ?? []);
    return inferTemplate(
      innerName,
      having.map(({ found }) => found),
      itsKnowns,
      inference,
    );
  };
  if (isList(value)) {
    return {
      list: value
        .slice(0, 2000)
        .map((_each, at) => inner(String(at), (outer) => (isList(outer) ? outer[at] : undefined), '')),
    };
  }
  if (isJsonObject(value)) {
    const nameOf = (key: string): string =>
      (inference.hidePeople ?? String)(withoutSecrets(key, { isSuccess: true }, inference.secretRegistry));
    return {
      fields: [...value.values.keys()].slice(0, 2000).map((key): [string | TextTemplate, Template] => {
        const name = createFieldName(key, knowns[0]);
        const isNamed = (outer: JsonValue, at: number): JsonValue | undefined => {
          if (!isJsonObject(outer)) return undefined;
          if (typeof name === 'string') return outer.values.get(key);
          const same = [...outer.values].find(([each]) => isDeepStrictEqual(createFieldName(each, knowns[at]), name));
          return same?.[1];
        };
        return [
          typeof name === 'string'
            ? nameOf(name)
            : name.map((part) => (typeof part === 'string' ? nameOf(part) : part)),
          inner(key, isNamed),
        ];
      }),
    };
  }
  return constantOf(value);
}
