import type { GuessReason } from '../../../preload/contract/guess-reason.ts';
import { isRecord, toText, type PlainJson } from '../../interface/template.ts';
import { namesSecret } from '../../client/secrets/secret-names.ts';
import type { Role } from './roles.ts';
import { looksSecret, type DescriptionDraft } from './description-draft.ts';
import type { ImportedRequest, BodyMember } from './imported-request.ts';
import { meaningOfName, memberNameWords, type MemberMeaning } from './member-names.ts';

/** A member that holds a value, where it is, and what it is. */
export type Leaf = {
  member: BodyMember;
  way: readonly string[];
  means: MemberMeaning | undefined;
  isSure: boolean;
  /** Whether all around it are required, too; undefined where the schema says nothing of it. */
  required: boolean | undefined;
};

/** In levels and members of a body, as a description may have them. */
const deepest = 5;
const mostMembers = 50;

const isText = ({ type, value, format }: BodyMember): boolean =>
  (type === undefined || type === 'string' || (type === 'number' && typeof value === 'number')) &&
  typeof value !== 'boolean' &&
  !/^(?:date|time|uri|binary|byte)/.test(format ?? '');

/** The members of a body that hold values, with what each is by its name, its type and its format. */
export function leavesOf(members: readonly BodyMember[] = [], way: readonly string[] = [], required?: boolean): Leaf[] {
  const leaves = members.slice(0, mostMembers).flatMap((member): Leaf[] => {
    const here = [...way, member.name];
    const isRequired = way.length === 0 ? member.required : required && member.required;
    if (member.members) return here.length < deepest ? leavesOf(member.members, here, isRequired) : [];
    const named = isText(member) ? meaningOfName(member.name) : undefined;
    const isMail =
      member.format === 'email' ||
      (named?.means !== 'password' && /^[^@\s]+@[^@\s]+$/.test(toText(shownBy(member) ?? '')));
    const means = isMail && [undefined, 'username', 'either'].includes(named?.means) ? 'email' : named?.means;
    return [{ member, way: here, means, isSure: isMail || named?.sure !== false, required: isRequired }];
  });
  if (way.length > 0 || leaves.some(({ means }) => means === 'password')) return leaves;
  // What a schema calls a password by its format is one, unless its name says what else it is.
  for (const leaf of leaves) {
    const last = memberNameWords(leaf.member.name).at(-1) ?? '';
    if (leaf.member.format !== 'password' || leaf.means !== undefined || /^(?:secret|token|key|code)$/.test(last))
      continue;
    Object.assign(leaf, { means: 'password', isSure: false });
  }
  return leaves;
}

const shownBy = ({ value, example }: BodyMember): PlainJson | undefined => value ?? example;

/** What is known of the other calls, when the body of one is made. */
export type BodyContext = {
  /** Who registers, by the names of members: what a log-in takes under the same name is the same. */
  registers: readonly Leaf[];
  logsIn: readonly Leaf[];
  /** The values of the tokens of an answer to the log-in, as far as the text has one. */
  tokens: { token?: string | undefined; refreshToken?: string | undefined };
};

type Filled = { value: PlainJson; guess?: GuessReason | undefined };

const whoKinds: readonly (MemberMeaning | undefined)[] = ['email', 'either', 'username', 'name'];
const has = (leaves: readonly Leaf[], means: MemberMeaning): boolean => leaves.some((each) => each.means === means);

/** Who logs in: what is required of it, or else the first of email, either of both, user name, and name. */
export function findIdentifierFields(leaves: readonly Leaf[]): Leaf[] {
  const all = whoKinds.flatMap((kind) => leaves.filter(({ means }) => means === kind));
  // A name beside an email or a user name is no more than a name.
  const kinds = all.filter(({ means }) => means !== 'name' || all.every((each) => each.means === 'name'));
  const required = kinds.filter((each) => each.required === true);
  if (required.length > 0 || kinds.length > 0) return required.length > 0 ? required : kinds.slice(0, 1);
  // A log-in has something that says who it is, whatever its name.
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

/** The passwords that are typed: those that are required, or else the first, and what repeats it. */
function passwordsAmong(leaves: readonly Leaf[]): Leaf[] {
  const passwords = leaves.filter(({ means }) => means === 'password');
  const required = passwords.filter((each) => each.required === true);
  const sure = passwords.filter(({ isSure }) => isSure);
  return required.length > 0 ? required : (sure.length > 0 ? sure : passwords).slice(0, 1);
}

/** Which members are filled in from the forms and the session, and with what. */
function filledOf(role: Role, leaves: readonly Leaf[], known: BodyContext): Map<Leaf, Filled> {
  const filled = new Map<Leaf, Filled>();
  const put = (leaf: Leaf, value: PlainJson, guess?: GuessReason): void => void filled.set(leaf, { value, guess });
  // What is said to be optional is sent all the same where nothing else can be it.
  const silent = ({ required }: Leaf, guess?: GuessReason): GuessReason | undefined =>
    guess ?? (required === false ? 'schema-silent' : undefined);
  if (role === 'login' || role === 'register') {
    const isLogin = role === 'login';
    const who = isLogin
      ? findIdentifierFields(leaves)
      : besidePassword(leaves).filter((each) => isOfRegistration(each, leaves, known));
    for (const each of who) {
      const [field, guess] = isLogin ? loginField(each, known) : registerField(each, leaves);
      put(each, `{{${field}}}`, silent(each, guess));
    }
    for (const each of passwordsAmong(leaves))
      put(each, '{{password}}', silent(each, each.isSure ? undefined : 'by-name'));
    if (!isLogin) {
      for (const each of leaves.filter(({ means, required }) => means === 'cpassword' && required !== false))
        put(each, '{{cpassword}}', silent(each));
    }
    return filled;
  }
  const isRefresh = role === 'refresh';
  const refresh = leaves.filter((each) => each.means === 'refresh' || holds(each, known.tokens.refreshToken));
  const wanted = (list: readonly Leaf[]) => {
    const sent = list.filter(({ required }) => required !== false);
    return sent.length > 0 || !isRefresh ? sent : list.slice(0, 1);
  };
  for (const each of wanted(refresh)) put(each, '{{refreshToken}}', silent(each));
  const tokens = leaves.filter(
    (each) => !refresh.includes(each) && (each.means === 'token' || holds(each, known.tokens.token)),
  );
  const isAlone = isRefresh && refresh.length === 0 && tokens.length === 1;
  // A renewal by one token alone takes the one that renews, where the log-in gives one, or where nobody knows what it gives.
  const givesNone = known.tokens.token !== undefined && known.tokens.refreshToken === undefined;
  // The pair of tokens goes together; of a body that may be anything, the one that renews goes alone.
  const isPair = leaves.every((each) => refresh.includes(each) || tokens.includes(each));
  const others =
    refresh.length > 0 && isRefresh && !isPair ? tokens.filter(({ required }) => required === true) : tokens;
  for (const each of refresh.length > 0 ? others.filter(({ required }) => required !== false) : wanted(others)) {
    put(each, isAlone && !givesNone ? '{{refreshToken}}' : '{{token}}', isAlone ? 'by-name' : silent(each));
  }
  return filled;
}

/** A schema that requires nothing may go on into everything that a person has: who registers stands beside the password. */
function besidePassword(leaves: readonly Leaf[]): readonly Leaf[] {
  const around = leaves
    .find(({ means }) => means === 'password')
    ?.way.slice(0, -1)
    .join('.');
  if (around === undefined) return leaves;
  return leaves.filter(({ required, way }) => required === true || way.slice(0, -1).join('.') === around);
}

/** Whether a text has in this place the token of the log-in's answer itself. */
const holds = ({ member }: Leaf, token: string | undefined): boolean =>
  token !== undefined && token.length > 4 && shownBy(member) === token;

/** Who somebody is at a log-in, and why that is a guess. */
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

/** Whether a member of a registration says who registers, and is sent. */
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
  // A log-in by something that registering need not have would find nobody.
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

/** What a document or Swagger UI has in the place of a text: no data. */
const isMadeUp = (text: string): boolean => text === 'string' || /^[*•●·x]{4,}$/i.test(text);

/** Makes the body of a call: who somebody is and the tokens are placeholders, and what else is required is a constant or asked for. */
export function inferBody(
  role: Role,
  request: ImportedRequest,
  draft: DescriptionDraft,
  known: BodyContext,
): { [name: string]: PlainJson } | undefined {
  if (request.method === 'GET' && request.encoding !== 'query') return undefined;
  const isTypedIn = role === 'register' || role === 'login';
  const leaves = leavesOf(request.body);
  const filled = filledOf(role, leaves, known);
  const body: { [name: string]: PlainJson } = {};
  for (const leaf of leaves) {
    const at = `calls.${role}.body.${leaf.way.join('.')}`;
    const found = filled.get(leaf);
    if (found?.guess) draft.guess(at, found.guess);
    const value = found ? found.value : constantOf(role, leaf, request, draft, at);
    if (value !== undefined) setAt(body, leaf.way, value);
  }
  // Where a schema does not say what is required, the rest is left out, and may be needed.
  const left = leaves
    .filter((each) => each.required === undefined && !hasAt(body, each.way))
    .map(({ way }) => way.join('.'));
  if (left.length > 0 && Object.keys(body).length > 0)
    draft.guess(`calls.${role}.body`, 'schema-silent', left.join(', ').slice(0, 300));
  if (Object.keys(body).length > 0) return body;
  if (!isTypedIn) return undefined;
  // A text that has the address alone.
  draft.guess(`calls.${role}.body`, 'usual');
  return { ...(role === 'register' && { name: '{{name}}' }), email: '{{email}}', password: '{{password}}' };
}

/** What is sent of a member that nobody types: a constant of the text, or else a variable where it is required. */
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
    // RFC 6749, 4.3.2 and 6: no other value can be meant.
    if (typeof value === 'string' && value !== '') return value;
    return role === 'refresh' ? 'refresh_token' : role === 'login' ? 'password' : undefined;
  }
  if (required !== true) return undefined;
  if (typeof value === 'string' && isMadeUp(value)) {
    // A log-in does without what somebody left as it was offered.
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

const hasAt = (body: PlainJson | undefined, [name, ...way]: readonly string[]): boolean =>
  name === undefined || (isRecord(body) && Object.hasOwn(body, name) && hasAt(body[name], way));

function setAt(body: { [name: string]: PlainJson }, [name = '', ...way]: readonly string[], value: PlainJson): void {
  if (name === '' || name === '__proto__' || name.length > 100) return;
  if (way.length === 0) return void (body[name] = value);
  const inner = Object.hasOwn(body, name) ? body[name] : {};
  if (!isRecord(inner)) return;
  body[name] = inner;
  setAt(inner, way, value);
}
