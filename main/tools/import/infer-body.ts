import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import { isRecord, toText, type PlainJson } from '../../interface/template.ts';
import { namesSecret } from '../../client/secrets/secret-names.ts';
import type { Role } from './roles.ts';
import { looksSecret, type DescriptionDraft } from './description-draft.ts';
import type { ImportedRequest, BodyMember } from './imported-request.ts';
import { meaningOfName, memberNameWords, type MemberMeaning } from './member-names.ts';

/** A member with a value. */
export type Leaf = {
  member: BodyMember;
  /** The names of the members around it, and its own. */
  path: readonly string[];
  means: MemberMeaning | undefined;
  isSure: boolean;
  /** Whether it and all members around it are required; undefined if the schema does not tell. */
  required: boolean | undefined;
};

const maxDepth = 5;
const maxMembers = 50;

const isText = ({ type, value, format }: BodyMember): boolean =>
  (type === undefined || type === 'string' || (type === 'number' && typeof value === 'number')) &&
  typeof value !== 'boolean' &&
  !/^(?:date|time|uri|binary|byte)/.test(format ?? '');

/** The members of a body that have values, with their meaning by name, type and format. */
export function leavesOf(
  members: readonly BodyMember[] = [],
  path: readonly string[] = [],
  required?: boolean,
): Leaf[] {
  const leaves = members.slice(0, maxMembers).flatMap((member): Leaf[] => {
    const here = [...path, member.name];
    const isRequired = path.length === 0 ? member.required : required && member.required;
    if (member.members) return here.length < maxDepth ? leavesOf(member.members, here, isRequired) : [];
    const named = isText(member) ? meaningOfName(member.name) : undefined;
    const isMail =
      member.format === 'email' ||
      (named?.means !== 'password' && /^[^@\s]+@[^@\s]+$/.test(toText(shownBy(member) ?? '')));
    const means = isMail && [undefined, 'username', 'either'].includes(named?.means) ? 'email' : named?.means;
    return [{ member, path: here, means, isSure: isMail || named?.sure !== false, required: isRequired }];
  });
  if (path.length > 0 || leaves.some(({ means }) => means === 'password')) return leaves;
  // The format `password` counts unless the name has another meaning.
  for (const leaf of leaves) {
    const last = memberNameWords(leaf.member.name).at(-1) ?? '';
    if (leaf.member.format !== 'password' || leaf.means !== undefined || /^(?:secret|token|key|code)$/.test(last))
      continue;
    Object.assign(leaf, { means: 'password', isSure: false });
  }
  return leaves;
}

const shownBy = ({ value, example }: BodyMember): PlainJson | undefined => value ?? example;

/** What the other calls tell about a body. */
export type BodyContext = {
  /** The members of the registration: those of the log-in with the same names have the same meaning. */
  registers: readonly Leaf[];
  logsIn: readonly Leaf[];
  /** The tokens in an example of the log-in response. */
  tokens: { token?: string | undefined; refreshToken?: string | undefined };
};

type FilledValue = { value: PlainJson; guess?: GuessReason | undefined };

const identityMeanings: readonly (MemberMeaning | undefined)[] = ['email', 'either', 'username', 'name'];
const has = (leaves: readonly Leaf[], means: MemberMeaning): boolean => leaves.some((each) => each.means === means);

/** The members that identify the user: those that are required, or else the first of email, either, user name and name. */
export function findIdentifierFields(leaves: readonly Leaf[]): Leaf[] {
  const all = identityMeanings.flatMap((kind) => leaves.filter(({ means }) => means === kind));
  // Beside an email or a user name, a name is a display name.
  const kinds = all.filter(({ means }) => means !== 'name' || all.every((each) => each.means === 'name'));
  const required = kinds.filter((each) => each.required === true);
  if (required.length > 0 || kinds.length > 0) return required.length > 0 ? required : kinds.slice(0, 1);
  // A log-in identifies the user in some member: the only one without a known meaning.
  const unknown = leaves.filter(
    ({ means, member, required: isRequired }) =>
      means === undefined &&
      isRequired !== false &&
      isText(member) &&
      !member.choices &&
      (member.value === undefined || member.value === '' || /@|\{\{/.test(toText(member.value))),
  );
  return unknown.length === 1 ? unknown : [];
}

/** The passwords: those that are required, or else the first. */
function passwordsAmong(leaves: readonly Leaf[]): Leaf[] {
  const passwords = leaves.filter(({ means }) => means === 'password');
  const required = passwords.filter((each) => each.required === true);
  const sure = passwords.filter(({ isSure }) => isSure);
  return required.length > 0 ? required : (sure.length > 0 ? sure : passwords).slice(0, 1);
}

/** The members that are filled in from the forms and the session. */
function findPlaceholders(role: Role, leaves: readonly Leaf[], known: BodyContext): Map<Leaf, FilledValue> {
  const filled = new Map<Leaf, FilledValue>();
  const put = (leaf: Leaf, value: PlainJson, guess?: GuessReason): void => void filled.set(leaf, { value, guess });
  // An optional member is sent all the same if it is the only one of its meaning.
  const guessIfOptional = ({ required }: Leaf, guess?: GuessReason): GuessReason | undefined =>
    guess ?? (required === false ? 'schema-silent' : undefined);
  if (role === 'login' || role === 'register') {
    const isLogin = role === 'login';
    const identity = isLogin
      ? findIdentifierFields(leaves)
      : besidePassword(leaves).filter((each) => isOfRegistration(each, leaves, known));
    for (const each of identity) {
      const [field, guess] = isLogin ? loginField(each, known) : registerField(each, leaves);
      put(each, `{{${field}}}`, guessIfOptional(each, guess));
    }
    for (const each of passwordsAmong(leaves))
      put(each, '{{password}}', guessIfOptional(each, each.isSure ? undefined : 'by-name'));
    if (!isLogin) {
      for (const each of leaves.filter(({ means, required }) => means === 'cpassword' && required !== false))
        put(each, '{{cpassword}}', guessIfOptional(each));
    }
    return filled;
  }
  const isRefresh = role === 'refresh';
  const refresh = leaves.filter((each) => each.means === 'refresh' || holds(each, known.tokens.refreshToken));
  const sentAmong = (list: readonly Leaf[]) => {
    const sent = list.filter(({ required }) => required !== false);
    return sent.length > 0 || !isRefresh ? sent : list.slice(0, 1);
  };
  for (const each of sentAmong(refresh)) put(each, '{{refreshToken}}', guessIfOptional(each));
  const tokens = leaves.filter(
    (each) => !refresh.includes(each) && (each.means === 'token' || holds(each, known.tokens.token)),
  );
  const isAlone = isRefresh && refresh.length === 0 && tokens.length === 1;
  // A refresh by one token alone takes the refresh token, unless the log-in response is known to have none.
  const hasNoRefreshToken = known.tokens.token !== undefined && known.tokens.refreshToken === undefined;
  // A body of both tokens sends both; one with further members sends the refresh token only.
  const isPair = leaves.every((each) => refresh.includes(each) || tokens.includes(each));
  const others =
    refresh.length > 0 && isRefresh && !isPair ? tokens.filter(({ required }) => required === true) : tokens;
  for (const each of refresh.length > 0 ? others.filter(({ required }) => required !== false) : sentAmong(others)) {
    put(
      each,
      isAlone && !hasNoRefreshToken ? '{{refreshToken}}' : '{{token}}',
      isAlone ? 'by-name' : guessIfOptional(each),
    );
  }
  return filled;
}

/** The required members and those at the level of the password: a schema that requires nothing may list all data of a user. */
function besidePassword(leaves: readonly Leaf[]): readonly Leaf[] {
  const around = leaves
    .find(({ means }) => means === 'password')
    ?.path.slice(0, -1)
    .join('.');
  if (around === undefined) return leaves;
  return leaves.filter(({ required, path }) => required === true || path.slice(0, -1).join('.') === around);
}

/** Whether the example of a member is the token of the log-in response. */
const holds = ({ member }: Leaf, token: string | undefined): boolean =>
  token !== undefined && token.length > 4 && shownBy(member) === token;

/** The form field of a log-in member, and why that is a guess. */
function loginField(leaf: Leaf, { registers }: BodyContext): ['email' | 'username', (GuessReason | undefined)?] {
  if (leaf.means === 'email') return ['email'];
  if (leaf.means === 'either') return ['email', 'by-name'];
  const shown = toText(shownBy(leaf.member) ?? '');
  if (shown.includes('@')) return ['email', leaf.means === undefined ? 'by-name' : undefined];
  if (registers.length > 0 && has(registers, 'email') && !has(registers, 'username')) return ['email', 'usual'];
  const isRegistered = registers.some((each) => each.means === 'username');
  const isWord = /^[\w.-]{2,40}$/.test(shown) && !/^(?:string|text|username|user|login)$/i.test(shown);
  return ['username', leaf.means === 'username' && (isRegistered || isWord) ? undefined : 'by-name'];
}

/** Whether a registration sends a member that identifies the user. */
function isOfRegistration(
  { means, required, member }: Leaf,
  leaves: readonly Leaf[],
  { logsIn }: BodyContext,
): boolean {
  if (means === undefined) return false;
  if (means === 'name')
    return (
      required === true || (required === undefined && !/^(?:first|given)|prenom|vorname|nombres$/i.test(member.name))
    );
  if (means === 'last-name') return required === true;
  if (means !== 'email' && means !== 'username' && means !== 'either') return false;
  // The log-in needs it, even if it is optional here.
  return (
    required !== false ||
    (findIdentifierFields(logsIn).some((each) => each.means === means) &&
      !leaves.some((each) => each.means === means && each.required !== false))
  );
}

function registerField(
  { means }: Leaf,
  leaves: readonly Leaf[],
): ['name' | 'email' | 'username', (GuessReason | undefined)?] {
  if (means === 'email') return ['email'];
  if (means === 'either') return has(leaves, 'email') ? ['username', 'by-name'] : ['email', 'by-name'];
  if (means === 'username') return ['username'];
  return ['name', means === 'last-name' ? 'by-name' : undefined];
}

/** A dummy value, such as Swagger UI's. */
const isDummy = (text: string): boolean => text === 'string' || /^[*•●·x]{4,}$/i.test(text);

/** The body of a call: identity and tokens are placeholders, other required members constants or variables. */
export function inferBody(
  role: Role,
  request: ImportedRequest,
  draft: DescriptionDraft,
  known: BodyContext,
): { [name: string]: PlainJson } | undefined {
  if (request.method === 'GET' && request.encoding !== 'query') return undefined;
  const isForm = role === 'register' || role === 'login';
  const leaves = leavesOf(request.body);
  const filled = findPlaceholders(role, leaves, known);
  const body: { [name: string]: PlainJson } = {};
  for (const leaf of leaves) {
    const at = `calls.${role}.body.${leaf.path.join('.')}`;
    const placeholder = filled.get(leaf);
    if (placeholder?.guess) draft.guess(at, placeholder.guess);
    const value = placeholder ? placeholder.value : constantOf(role, leaf, request, draft, at);
    if (value !== undefined) setAt(body, leaf.path, value);
  }
  // Members of which the schema does not tell whether they are required are left out.
  const omitted = leaves
    .filter((each) => each.required === undefined && !hasAt(body, each.path))
    .map(({ path }) => path.join('.'));
  if (omitted.length > 0 && Object.keys(body).length > 0)
    draft.guess(`calls.${role}.body`, 'schema-silent', omitted.join(', ').slice(0, 300));
  if (Object.keys(body).length > 0) return body;
  if (!isForm) return undefined;
  // The text has the address only.
  draft.guess(`calls.${role}.body`, 'usual');
  return { ...(role === 'register' && { name: '{{name}}' }), email: '{{email}}', password: '{{password}}' };
}

/** The value of a member without a placeholder: a constant of the text, or else a variable if it is required. */
function constantOf(
  role: Role,
  leaf: Leaf,
  { encoding }: ImportedRequest,
  draft: DescriptionDraft,
  at: string,
): PlainJson | undefined {
  const { member, means, required } = leaf;
  const { name, value, type } = member;
  if (means === 'grant' && (required !== false || value !== undefined)) {
    // RFC 6749, 4.3.2 and 6 allow no other value.
    if (typeof value === 'string' && value !== '') return value;
    return role === 'refresh' ? 'refresh_token' : role === 'login' ? 'password' : undefined;
  }
  if (required !== true) return undefined;
  if (typeof value === 'string' && isDummy(value)) {
    // A log-in leaves a dummy value out.
    if (role !== 'login') return draft.variable(name, { secret: namesSecret(name), why: 'placeholder' });
    draft.guess(at, 'placeholder', value);
    return undefined;
  }
  if (value === undefined) {
    if (type === 'array' || type === 'object') return undefined;
    if (type === 'boolean') return (draft.guess(at, 'usual'), /accept|agree|terms|consent|privacy|gdpr/i.test(name));
    return draft.variable(name, { secret: namesSecret(name) });
  }
  if (value === '' || value === null || Array.isArray(value)) return undefined;
  if (typeof value !== 'string') return encoding === 'form' ? toText(value) : value;
  return value.length > 200 && !looksSecret(name, value) ? undefined : draft.constant(name, value, at);
}

const hasAt = (body: PlainJson | undefined, [name, ...path]: readonly string[]): boolean =>
  name === undefined || (isRecord(body) && Object.hasOwn(body, name) && hasAt(body[name], path));

function setAt(body: { [name: string]: PlainJson }, [name = '', ...path]: readonly string[], value: PlainJson): void {
  if (name === '' || name === '__proto__' || name.length > 100) return;
  if (path.length === 0) return void (body[name] = value);
  const inner = Object.hasOwn(body, name) ? body[name] : {};
  if (!isRecord(inner)) return;
  body[name] = inner;
  setAt(inner, path, value);
}
