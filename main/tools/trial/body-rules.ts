import type { AppError } from '../../../preload/contract/result.ts';
import { findFieldErrors } from '../../client/reading/field-errors.ts';
import { fieldsNamedIn } from '../../client/reading/form-fields.ts';
import { parseBody } from '../../client/reading/body.ts';
import { refreshOutput } from '../../interface/credential.ts';
import { isRefreshName } from '../../interface/refresh-token.ts';
import { isFieldName, isRecord, placeholderNames, type PlainJson } from '../../interface/template.ts';
import { createChange, valueAtPath, type DescriptionChange, type PlainJsonObject } from './description-change.ts';
import { findSentence, type StepResponse, type TrialContext } from './step-response.ts';

const aboutEncoding =
  /unsupported media|media type|content[- ]type|application\/(?:json|x-www-form-urlencoded)|form[- ]?(?:url)?encoded|form data|not (?:valid )?json|invalid json|json parse|malformed json|unexpected token/i;

/** The members of a body and its encoding, where the server names what it would have. */
export function proposeBodyChanges(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { status, step } = seen;
  if (step.name === 'profile' || step.name === 'logout' || status < 400 || status === 404 || status === 405) return [];
  const fields = missingFields(seen, tried);
  const isRefused = step.name === 'login' && !step.result.ok && step.result.error.kind === 'unauthenticated';
  const found = isRefused
    ? [...fields, ...otherIdentity(seen, tried)]
    : [...otherEncoding(seen, tried), ...wrapped(seen, tried), ...fields];
  return found.length > 0 ? found.slice(0, 3) : otherGuess(seen, tried);
}

/** Once the server says that it reads another type, or that it lacks what was sent, under the same names. */
function otherEncoding(seen: StepResponse, { adapter, description }: TrialContext): DescriptionChange[] {
  const { status, headers, step, at, text } = seen;
  const now = (step.calls.at(-1)?.request.headers ?? []).some(
    ([name, value]) => /^content-type$/i.test(name) && value.includes('urlencoded'),
  )
    ? 'form'
    : 'json';
  const to = now === 'form' ? 'json' : 'form';
  const body = valueAtPath(description, `${at}.body`) ?? adapter.description.calls.login.body;
  if (body === undefined) return [];
  const taken = headers.get('accept-post') ?? (status === 415 ? headers.get('accept') : undefined);
  const takes = { json: /json/i, form: /urlencoded/i } as const;
  const propose = (evidence: string | undefined) => [createChange(`${at}.encoding`, to, { evidence })];
  if (taken !== undefined) return takes[to].test(taken) ? propose(`${status} Accept: ${taken}`) : [];
  const sentence = findSentence(seen, aboutEncoding);
  if (status === 415 || (status < 500 && sentence !== undefined && !takes[now].test(withoutRefused(sentence)))) {
    return /multipart/i.test(text) && !takes[to].test(text) ? [] : propose(sentence ?? '415');
  }
  // It names what it lacks, and it was sent all of that: the server did not read the body.
  const lacking = complaintsOf(seen).filter(({ says }) => isLacking.test(says));
  const sent = namesSent(body);
  const isUnread =
    lacking.length > 0 && lacking.length >= sent.length && lacking.every(({ field }) => sent.includes(field));
  return isUnread ? propose(`${status} ${lacking[0]!.field}: ${lacking[0]!.says}`) : [];
}

/** "Content type 'application/json' not supported" speaks of what was sent. */
const withoutRefused = (sentence: string): string =>
  sentence.replaceAll(
    /['"`]?application\/[\w-]+[^'"`,;]{0,20}['"`]?(?: is)? (?:not supported|unsupported)|unsupported media type\W*["'`]?application\/[\w-]+/gi,
    '',
  );

/** Rails: `param is missing or the value is empty: user`. */
function wrapped(seen: StepResponse, { description }: TrialContext): DescriptionChange[] {
  const rails = /param is missing or the value is empty(?: or invalid)?: :?([A-Za-z]\w{0,40})/;
  const [, name] = rails.exec(seen.text) ?? rails.exec(seen.body) ?? [];
  const body = valueAtPath(description, `${seen.at}.body`);
  if (name === undefined || !isRecord(body) || Object.hasOwn(body, name)) return [];
  const evidence = `${seen.status} param is missing or the value is empty: ${name}`;
  return [createChange(`${seen.at}.body`, { [name]: body }, { evidence, value: `${name}: {…}` })];
}

const isLacking =
  /requir|missing|blank|empty|mandatory|provide|absent|must be a string|expected string|received undefined|obligator|requerid|falta|erforderlich|requis|manquant|notblank|notnull/i;
const isTooMuch =
  /not allowed|should not exist|unknown|unrecogni|unexpected|extra|not permitted|additional|invalid (?:field|key)/i;

type Complaint = { field: string; says: string };

/** What a refusal says of fields by the server's own names for them. */
function complaintsOf({ body, messages }: StepResponse): Complaint[] {
  const found = findFieldErrors(parseBody(body).json)?.fields ?? {};
  const named = Object.entries(found).map(([field, texts]) => ({ field: lastOf(field), says: texts.join(' ') }));
  const inWords = messages.flatMap(({ text }) => [
    ...fieldsNamedIn(text).map(({ field, text: says }) => ({ field: lastOf(field), says })),
    ...wordsOf(text),
  ]);
  const all = [...named, ...inWords].filter(({ field }) => /^[A-Za-z][\w-]{0,60}$/.test(field));
  return all.filter(({ field }, at) => all.findIndex((each) => each.field === field) === at);
}

const lastOf = (field: string): string => field.split(/[./[\]]/).findLast((part) => part !== '') ?? '';

/** `Missing parameter: username`, `"username" is required`. */
function wordsOf(text: string): Complaint[] {
  const patterns = [
    /\b(?:missing|required)(?: (?:required|form|body|request))*(?: (?:parameter|param|field|property|key|attribute|argument))s?\b[:\s]*["'`]?([A-Za-z][\w-]{1,60})\b/gi,
    /["'`]([A-Za-z][\w-]{1,60})["'`](?: (?:field|parameter|property))? (?:is|are|was) (?:required|missing|mandatory)/gi,
    /\b(?:field|parameter|property) ["'`]?([A-Za-z][\w-]{1,60})["'`]? (?:is|was) (?:required|missing|mandatory)/gi,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([says, field = '']) => ({ field, says })));
}

const kinds = {
  repetition: /^c_?password$|pass\w*(?:confirm\w*|repeat|again|2)$|(?:confirm|repeat|retype|re|verify)_?-?pass\w*/i,
  password:
    /^(?:pass(?:word|wd|phrase|code)?|pwd|pw|user_?password|contrasen(?:i)?a|clave|senha|passwort|mot_?de_?passe)$/i,
  who: /^(?:user_?-?(?:name|id)?|login|log_?in_?(?:name|id)?|e?_?-?mail(?:_?-?address)?|identifier|identity|account(?:_?name)?|usuario|correo|nombre_?usuario|handle|nick(?:name)?)$/i,
  name: /^(?:(?:full|display)_?-?name|name|nombre)$/i,
} as const;
const kindOf = (field: string): keyof typeof kinds | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys of the table above.
  (Object.keys(kinds) as (keyof typeof kinds)[]).find((kind) => kinds[kind].test(field));

/**
 * Who the account was registered as, where a log-in with it is refused although its password is right: it was made a moment
 * ago. The registration may have taken a user name and an email.
 */
function otherIdentity(seen: StepResponse, { description, steps }: TrialContext): DescriptionChange[] {
  const registered = steps.find(({ name, result }) => name === 'register' && result.ok);
  const body = valueAtPath(description, `${seen.at}.body`);
  if (!registered || !isRecord(body)) return [];
  const [only, ...more] = whoIn(body);
  const at = Array.isArray(valueAtPath(description, 'calls.register'))
    ? 'calls.register.0.body'
    : 'calls.register.body';
  if (!only || more.length > 0) return [];
  const evidence = findSentence(seen, /\S/) ?? `${seen.status}`;
  const others = whoIn(valueAtPath(description, at)).filter(([name, value]) => body[name] !== value);
  return others.map((other) => inPlaceOf(only[0], other, { place: `${seen.at}.body`, body, evidence }));
}

/** Whether a refusal may be of who logs in. Where it is of the password alone, the server has found the account. */
function mayBeOfWho(error: AppError): boolean {
  if (error.kind === 'unauthenticated') return error.field !== 'password';
  return error.kind === 'validation' && Object.keys(error.fields).every((field) => Object.hasOwn(others, field));
}

/** Puts another member with what fills it in the place of one. */
function inPlaceOf(
  from: string,
  [name, value]: readonly [name: string, value: string],
  { place, body, evidence }: { place: string; body: PlainJsonObject; evidence: string },
): DescriptionChange {
  const next = Object.entries(body).map((each) => (each[0] === from ? ([name, value] as const) : each));
  return createChange(place, Object.fromEntries(next), { evidence, value: `${from} → ${name}: ${value}` });
}

const others = { email: 'username', username: 'email' } as const;
const speaksOf = { email: /e-?mail|correo/i, username: /user ?-?_?name|usuario/i } as const;

/**
 * The other of email and user name, where a typed account is refused and the text that was imported shows neither. What a
 * person wrote into the fields is no guess of the import, so that the one is not proposed after the other.
 */
function otherGuess(seen: StepResponse, { description, steps, guesses }: TrialContext): DescriptionChange[] {
  const { step, at, status, text } = seen;
  const isNo = !step.result.ok && mayBeOfWho(step.result.error);
  const whole = valueAtPath(description, `${at}.body`);
  if (step.name !== 'login' || !isNo || steps.some(({ name }) => name === 'register') || !isRecord(whole)) return [];
  const inner = containerIn(whole);
  const place = `${at}.body${inner ? `.${inner.name}` : ''}`;
  const body = inner?.members ?? whole;
  const [only, ...more] = whoIn(body);
  const name = only?.[0];
  if (more.length > 0 || (name !== 'email' && name !== 'username') || Object.hasOwn(body, others[name])) return [];
  const isGuess = guesses.some(
    (each) =>
      (each.at === `${at}.body` && each.why === 'usual') ||
      (each.at === `${place}.${name}` && each.why === 'schema-silent'),
  );
  const other = others[name];
  // "Invalid email or password" is said by a server that has read an email.
  if (!isGuess || (speaksOf[name].test(text) && !speaksOf[other].test(text))) return [];
  const evidence = findSentence(seen, /\S/) ?? `${status}`;
  return [inPlaceOf(name, [other, `{{${other}}}`], { place, body, evidence })];
}

/** The members of a body that say who somebody is. */
const whoIn = (body: PlainJson | undefined): [name: string, value: string][] =>
  isRecord(body)
    ? Object.entries(body).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && /^\{\{(?:email|username)\}\}$/.test(value) ? [[name, value]] : [],
      )
    : [];

/** Whether many servers have a member of this name, so that it says nothing of a person. */
export const isUsualField = (name: string): boolean => kindOf(name) !== undefined;

/** What RFC 6749 has the client say of each call (4.3.2 and 6). */
const grants: Partial<Record<StepResponse['step']['name'], string>> = { login: 'password', refresh: 'refresh_token' };

/** Members by the names that the server has for what it lacks: another name of what is sent, or one more. */
function missingFields(seen: StepResponse, tried: TrialContext): DescriptionChange[] {
  const { at, status } = seen;
  const whole = valueAtPath(tried.description, `${at}.body`);
  const inner = isRecord(whole) ? containerIn(whole) : undefined;
  const place = `${at}.body${inner ? `.${inner.name}` : ''}`;
  const body = inner?.members ?? (isRecord(whole) ? whole : {});
  const complaints = complaintsOf(seen).filter(({ says }) => !isTooMuch.test(says));
  const lacking = complaints.filter(({ field }) => !Object.hasOwn(body, field) && field !== inner?.name);
  if (lacking.length === 0) return [];
  let next: PlainJsonObject = body;
  const values: string[] = [];
  const variables: DescriptionChange['parts'][number][] = [];
  for (const { field } of lacking.slice(0, 6)) {
    const renamed = renamedTo(field, next, seen, complaints, tried);
    if (renamed) {
      next = renamed.members;
      values.push(`${renamed.from} → ${field}`);
      continue;
    }
    const made = valueFor(field, seen, tried);
    if (made === undefined) continue;
    next = { ...next, [field]: made.value };
    values.push(`${field}: ${typeof made.value === 'string' ? made.value : JSON.stringify(made.value)}`);
    if (made.variable) variables.push({ at: ['variables', made.variable.name], to: made.variable.is });
  }
  if (values.length === 0) return [];
  const evidence = lacking.map(({ field, says }) => (says.includes(field) ? says : `${field}: ${says}`)).join(' ');
  const said = { evidence: `${status} ${evidence}`, value: values.join(', '), more: variables };
  return [createChange(place, next, said)];
}

/** The member with the fields of a body, where they are within one, such as `user` of Rails. */
function containerIn(body: PlainJsonObject): { name: string; members: PlainJsonObject } | undefined {
  const own = Object.values(body).some((value) => typeof value === 'string' && placeholderNames(value).length > 0);
  const found = own
    ? undefined
    : Object.entries(body).find(([, value]) => isRecord(value) && placeholderNames(value).length > 0);
  return found && isRecord(found[1]) ? { name: found[0], members: found[1] } : undefined;
}

const namesSent = (body: PlainJsonObject | PlainJson): string[] =>
  isRecord(body) ? Object.keys(containerIn(body)?.members ?? body) : [];

/** Renames the one member that says the same as what is lacking, if the server does not ask for that one too. */
function renamedTo(
  field: string,
  body: PlainJsonObject,
  { step }: StepResponse,
  complaints: readonly Complaint[],
  { adapter }: TrialContext,
): { from: string; members: PlainJsonObject } | undefined {
  const kind = kindOf(field);
  const refresh = refreshOutput(adapter.description);
  const placeholders =
    step.name === 'refresh'
      ? isRefreshName(field) || /token/i.test(field)
        ? [refresh ?? 'refreshToken', 'refreshToken']
        : []
      : kind === 'who'
        ? ['email', 'username']
        : kind === 'password'
          ? ['password']
          : kind === 'repetition'
            ? ['cpassword']
            : kind === 'name'
              ? ['name']
              : [];
  const same = Object.entries(body).filter(
    ([, value]) => typeof value === 'string' && placeholders.some((name) => placeholderNames(value).includes(name)),
  );
  const [only] = same;
  const isAsked = complaints.some((each) => each.field === only?.[0]);
  // A registration may take an email and a user name.
  if (!only || same.length > 1 || isAsked || (step.name === 'register' && kind === 'who')) return undefined;
  const members = Object.entries(body).map(([name, value]) => [name === only[0] ? field : name, value] as const);
  return { from: only[0], members: Object.fromEntries(members) };
}

type Made = { value: PlainJson; variable?: { name: string; is: PlainJsonObject } };

/** What a member that is lacking is filled with: a field of the form, what a standard says, or what a person is asked for. */
function valueFor(field: string, { step }: StepResponse, { description, adapter }: TrialContext): Made | undefined {
  const grant = field === 'grant_type' ? grants[step.name] : undefined;
  if (grant !== undefined) return { value: grant };
  if (step.name === 'refresh')
    return isRefreshName(field) ? { value: `{{${refreshOutput(adapter.description) ?? 'refreshToken'}}}` } : undefined;
  const kind = kindOf(field);
  if (kind === 'password') return { value: '{{password}}' };
  if (kind === 'repetition') return { value: '{{cpassword}}' };
  if (kind === 'who') return { value: /mail|correo/i.test(field) ? '{{email}}' : '{{username}}' };
  if (kind === 'name' && step.name === 'register') return { value: '{{name}}' };
  const name = field.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
  const known = valueAtPath(description, `variables.${name}`);
  if (isFieldName(name) || known !== undefined) return known === undefined ? undefined : { value: `{{${name}}}` };
  const is: PlainJsonObject = /secret|key|token/i.test(field)
    ? { description: field, secret: true }
    : { description: field };
  return { value: `{{${name}}}`, variable: { name, is } };
}
