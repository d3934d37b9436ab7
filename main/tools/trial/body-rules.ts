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

/** Changes of a body's members and encoding, where the response names what the server expects. */
export function proposeBodyChanges(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { status, step } = stepResponse;
  if (step.name === 'profile' || step.name === 'logout' || status < 400 || status === 404 || status === 405) return [];
  const fields = missingFields(stepResponse, context);
  const isRefused = step.name === 'login' && !step.result.ok && step.result.error.kind === 'unauthenticated';
  const changes = isRefused
    ? [...fields, ...otherIdentity(stepResponse, context)]
    : [...otherEncoding(stepResponse, context), ...wrapped(stepResponse, context), ...fields];
  return changes.length > 0 ? changes.slice(0, 3) : otherGuess(stepResponse, context);
}

/** JSON instead of a form or the other way round: the server names the other type, or misses all members that were sent. */
function otherEncoding(stepResponse: StepResponse, { adapter, description }: TrialContext): DescriptionChange[] {
  const { status, headers, step, at, text } = stepResponse;
  const current = (step.calls.at(-1)?.request.headers ?? []).some(
    ([name, value]) => /^content-type$/i.test(name) && value.includes('urlencoded'),
  )
    ? 'form'
    : 'json';
  const to = current === 'form' ? 'json' : 'form';
  const body = valueAtPath(description, `${at}.body`) ?? adapter.description.calls.login.body;
  if (body === undefined) return [];
  const accepted = headers.get('accept-post') ?? (status === 415 ? headers.get('accept') : undefined);
  const takes = { json: /json/i, form: /urlencoded/i } as const;
  const propose = (evidence: string | undefined) => [createChange(`${at}.encoding`, to, { evidence })];
  if (accepted !== undefined) return takes[to].test(accepted) ? propose(`${status} Accept: ${accepted}`) : [];
  const sentence = findSentence(stepResponse, aboutEncoding);
  if (status === 415 || (status < 500 && sentence !== undefined && !takes[current].test(withoutRefused(sentence)))) {
    return /multipart/i.test(text) && !takes[to].test(text) ? [] : propose(sentence ?? '415');
  }
  // The server misses members that were all sent, so it did not parse the body.
  const missing = complaintsOf(stepResponse).filter(({ text }) => isMissing.test(text));
  const sent = sentNames(body);
  const isUnread =
    missing.length > 0 && missing.length >= sent.length && missing.every(({ field }) => sent.includes(field));
  return isUnread ? propose(`${status} ${missing[0]!.field}: ${missing[0]!.text}`) : [];
}

/** "Content type 'application/json' not supported" names the type that was sent. */
const withoutRefused = (sentence: string): string =>
  sentence.replaceAll(
    /['"`]?application\/[\w-]+[^'"`,;]{0,20}['"`]?(?: is)? (?:not supported|unsupported)|unsupported media type\W*["'`]?application\/[\w-]+/gi,
    '',
  );

/** Rails: `param is missing or the value is empty: user`. */
function wrapped(stepResponse: StepResponse, { description }: TrialContext): DescriptionChange[] {
  const rails = /param is missing or the value is empty(?: or invalid)?: :?([A-Za-z]\w{0,40})/;
  const [, name] = rails.exec(stepResponse.text) ?? rails.exec(stepResponse.body) ?? [];
  const body = valueAtPath(description, `${stepResponse.at}.body`);
  if (name === undefined || !isRecord(body) || Object.hasOwn(body, name)) return [];
  const evidence = `${stepResponse.status} param is missing or the value is empty: ${name}`;
  return [createChange(`${stepResponse.at}.body`, { [name]: body }, { evidence, value: `${name}: {…}` })];
}

const isMissing =
  /requir|missing|blank|empty|mandatory|provide|absent|must be a string|expected string|received undefined|obligator|requerid|falta|erforderlich|requis|manquant|notblank|notnull/i;
const isUnexpected =
  /not allowed|should not exist|unknown|unrecogni|unexpected|extra|not permitted|additional|invalid (?:field|key)/i;

type Complaint = { field: string; text: string };

/** Fields that an error response names, with its text for each. */
function complaintsOf({ body, messages }: StepResponse): Complaint[] {
  const fieldErrors = findFieldErrors(parseBody(body).json)?.fields ?? {};
  const named = Object.entries(fieldErrors).map(([field, texts]) => ({
    field: lastPart(field),
    text: texts.join(' '),
  }));
  const inProse = messages.flatMap(({ text }) => [
    ...fieldsNamedIn(text).map((each) => ({ field: lastPart(each.field), text: each.text })),
    ...missingFieldsInText(text),
  ]);
  const all = [...named, ...inProse].filter(({ field }) => /^[A-Za-z][\w-]{0,60}$/.test(field));
  return all.filter(({ field }, at) => all.findIndex((each) => each.field === field) === at);
}

const lastPart = (field: string): string => field.split(/[./[\]]/).findLast((part) => part !== '') ?? '';

/** `Missing parameter: username`, `"username" is required`. */
function missingFieldsInText(text: string): Complaint[] {
  const patterns = [
    /\b(?:missing|required)(?: (?:required|form|body|request))*(?: (?:parameter|param|field|property|key|attribute|argument))s?\b[:\s]*["'`]?([A-Za-z][\w-]{1,60})\b/gi,
    /["'`]([A-Za-z][\w-]{1,60})["'`](?: (?:field|parameter|property))? (?:is|are|was) (?:required|missing|mandatory)/gi,
    /\b(?:field|parameter|property) ["'`]?([A-Za-z][\w-]{1,60})["'`]? (?:is|was) (?:required|missing|mandatory)/gi,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([match, field = '']) => ({ field, text: match })),
  );
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
 * The other identity that the registration sent, a user name or an email, where the log-in of the account that was just
 * created is refused.
 */
function otherIdentity(stepResponse: StepResponse, { description, steps }: TrialContext): DescriptionChange[] {
  const registered = steps.find(({ name, result }) => name === 'register' && result.ok);
  const body = valueAtPath(description, `${stepResponse.at}.body`);
  if (!registered || !isRecord(body)) return [];
  const [only, ...more] = identityMembers(body);
  const at = Array.isArray(valueAtPath(description, 'calls.register'))
    ? 'calls.register.0.body'
    : 'calls.register.body';
  if (!only || more.length > 0) return [];
  const evidence = findSentence(stepResponse, /\S/) ?? `${stepResponse.status}`;
  const others = identityMembers(valueAtPath(description, at)).filter(([name, value]) => body[name] !== value);
  return others.map((other) => replaceMember(only[0], other, { path: `${stepResponse.at}.body`, body, evidence }));
}

/** Whether the identity may be wrong. An error about the password alone means that the server found the account. */
function mayBeAboutIdentity(error: AppError): boolean {
  if (error.kind === 'unauthenticated') return error.field !== 'password';
  return error.kind === 'validation' && Object.keys(error.fields).every((field) => Object.hasOwn(others, field));
}

/** Replaces a member by another one. */
function replaceMember(
  from: string,
  [name, value]: readonly [name: string, value: string],
  { path, body, evidence }: { path: string; body: PlainJsonObject; evidence: string },
): DescriptionChange {
  const next = Object.entries(body).map((each) => (each[0] === from ? ([name, value] as const) : each));
  return createChange(path, Object.fromEntries(next), { evidence, value: `${from} → ${name}: ${value}` });
}

const others = { email: 'username', username: 'email' } as const;
const mentions = { email: /e-?mail|correo/i, username: /user ?-?_?name|usuario/i } as const;

/**
 * A user name for an email or the other way round, where a typed account is refused and the import only guessed which. A
 * field that the user edited is no guess any more, so the two are not proposed in turns.
 */
function otherGuess(stepResponse: StepResponse, { description, steps, guesses }: TrialContext): DescriptionChange[] {
  const { step, at, status, text } = stepResponse;
  const isAboutIdentity = !step.result.ok && mayBeAboutIdentity(step.result.error);
  const whole = valueAtPath(description, `${at}.body`);
  if (step.name !== 'login' || !isAboutIdentity || steps.some(({ name }) => name === 'register') || !isRecord(whole))
    return [];
  const inner = containerIn(whole);
  const path = `${at}.body${inner ? `.${inner.name}` : ''}`;
  const body = inner?.members ?? whole;
  const [only, ...more] = identityMembers(body);
  const name = only?.[0];
  if (more.length > 0 || (name !== 'email' && name !== 'username') || Object.hasOwn(body, others[name])) return [];
  const isGuess = guesses.some(
    (each) =>
      (each.at === `${at}.body` && each.why === 'usual') ||
      (each.at === `${path}.${name}` && each.why === 'schema-silent'),
  );
  const other = others[name];
  // A server that says "invalid email or password" has read an email.
  if (!isGuess || (mentions[name].test(text) && !mentions[other].test(text))) return [];
  const evidence = findSentence(stepResponse, /\S/) ?? `${status}`;
  return [replaceMember(name, [other, `{{${other}}}`], { path, body, evidence })];
}

/** The members of a body that identify the user. */
const identityMembers = (body: PlainJson | undefined): [name: string, value: string][] =>
  isRecord(body)
    ? Object.entries(body).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && /^\{\{(?:email|username)\}\}$/.test(value) ? [[name, value]] : [],
      )
    : [];

/** Whether a member name is common, and therefore no secret. */
export const isUsualField = (name: string): boolean => kindOf(name) !== undefined;

/** RFC 6749, 4.3.2 and 6. */
const grantTypes: Partial<Record<StepResponse['step']['name'], string>> = {
  login: 'password',
  refresh: 'refresh_token',
};

/** Members that the server misses: a sent one under another name, or a further one. */
function missingFields(stepResponse: StepResponse, context: TrialContext): DescriptionChange[] {
  const { at, status } = stepResponse;
  const whole = valueAtPath(context.description, `${at}.body`);
  const inner = isRecord(whole) ? containerIn(whole) : undefined;
  const path = `${at}.body${inner ? `.${inner.name}` : ''}`;
  const body = inner?.members ?? (isRecord(whole) ? whole : {});
  const complaints = complaintsOf(stepResponse).filter(({ text }) => !isUnexpected.test(text));
  const missing = complaints.filter(({ field }) => !Object.hasOwn(body, field) && field !== inner?.name);
  if (missing.length === 0) return [];
  let next: PlainJsonObject = body;
  const values: string[] = [];
  const variables: DescriptionChange['parts'][number][] = [];
  for (const { field } of missing.slice(0, 6)) {
    const renamed = renamedTo(field, next, stepResponse, complaints, context);
    if (renamed) {
      next = renamed.members;
      values.push(`${renamed.from} → ${field}`);
      continue;
    }
    const filled = valueFor(field, stepResponse, context);
    if (filled === undefined) continue;
    next = { ...next, [field]: filled.value };
    values.push(`${field}: ${typeof filled.value === 'string' ? filled.value : JSON.stringify(filled.value)}`);
    if (filled.variable) variables.push({ at: ['variables', filled.variable.name], to: filled.variable.definition });
  }
  if (values.length === 0) return [];
  const evidence = missing.map(({ field, text }) => (text.includes(field) ? text : `${field}: ${text}`)).join(' ');
  return [createChange(path, next, { evidence: `${status} ${evidence}`, value: values.join(', '), more: variables })];
}

/** The member that contains the fields, if the body has one, such as `user` in Rails. */
function containerIn(body: PlainJsonObject): { name: string; members: PlainJsonObject } | undefined {
  const isFlat = Object.values(body).some((value) => typeof value === 'string' && placeholderNames(value).length > 0);
  const container = isFlat
    ? undefined
    : Object.entries(body).find(([, value]) => isRecord(value) && placeholderNames(value).length > 0);
  return container && isRecord(container[1]) ? { name: container[0], members: container[1] } : undefined;
}

const sentNames = (body: PlainJsonObject | PlainJson): string[] =>
  isRecord(body) ? Object.keys(containerIn(body)?.members ?? body) : [];

/** Renames the one member that has the meaning of a missing one, unless the server misses that one as well. */
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
  const isMissingToo = complaints.some((each) => each.field === only?.[0]);
  // A registration may take an email and a user name.
  if (!only || same.length > 1 || isMissingToo || (step.name === 'register' && kind === 'who')) return undefined;
  const members = Object.entries(body).map(([name, value]) => [name === only[0] ? field : name, value] as const);
  return { from: only[0], members: Object.fromEntries(members) };
}

type FilledMember = { value: PlainJson; variable?: { name: string; definition: PlainJsonObject } };

/** The value of a missing member: a field of the form, a constant of a standard, or a new variable that the user fills in. */
function valueFor(
  field: string,
  { step }: StepResponse,
  { description, adapter }: TrialContext,
): FilledMember | undefined {
  const grant = field === 'grant_type' ? grantTypes[step.name] : undefined;
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
  const definition: PlainJsonObject = /secret|key|token/i.test(field)
    ? { description: field, secret: true }
    : { description: field };
  return { value: `{{${name}}}`, variable: { name, definition } };
}
