import { normalizeFieldName } from '../../client/secrets/secret-names.ts';
import { wordList } from '../../client/reading/vocabulary.ts';
import { isRefreshName } from '../../interface/refresh-token.ts';

/** The meaning of a body's member, by its name. `either` is an email or a user name. */
export type MemberMeaning =
  | 'email'
  | 'username'
  | 'either'
  | 'password'
  | 'cpassword'
  | 'name'
  | 'last-name'
  | 'code'
  | 'refresh'
  | 'token'
  | 'grant';

/** `sure` if every word of the name is known. */
type NameMeaning = { means: MemberMeaning; sure: boolean };

/** The words of a name in lower case, without accents: `passwordAgain2` is `password again 2`; `user[mail]` is `mail`. */
export function memberNameWords(name: string): string[] {
  const last =
    name
      .slice(0, 100)
      .replace(/\]+$/, '')
      .split(/[[\].]+/)
      .findLast((part) => part !== '') ?? '';
  return splitWords(last);
}

/** Two words written as one, as in `/auth/refreshtoken`. */
const glued =
  /^(refresh|renew|revoke|access|auth|bearer|validate|verify|check|get|current|my)(tokens?|jwt|sessions?|profile|accounts?|users?|info|details)$/;

/** The words of a name or a segment of a path: `refreshToken`, `sign-in`, `accounts:lookup`. */
export const splitWords = (text: string): string[] =>
  text
    .slice(0, 300)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => glued.exec(normalizeFieldName(word))?.slice(1) ?? [normalizeFieldName(word)])
    .filter((word) => word !== '');

const oneOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** The words of forms, with further languages and abbreviations. */
const passwords = new Set([
  ...wordList('form-password'),
  ...oneOf(`passwort passord pw psw psswd pword mdp passe senhas parola haslo heslo losenord losen sifre salasana jelszo
    wachtwoord lozinka passphrase adgangskode пароль 密码 密碼 パスワード 비밀번호`),
]);
const emails = new Set([
  ...wordList('form-email').filter((each) => each !== 'identifier'),
  'emailid',
  'emailaddr',
  'epost',
]);
const usernames = oneOf(`
  username user login account usuario userid nick nickname nick handle uid uname usr loginname loginid accountname userlogin
  log benutzername benutzer utilisateur nomutilisateur nomdutilisateur nombreusuario nombredeusuario nomeutente utente
  nomedeusuario nomeusuario gebruikersnaam brukernavn anvandarnamn logonid logonname screenname`);
const eithers = oneOf(`
  identifier identity principal credential usernameoremail emailorusername usernameemail emailusername loginoremail
  emailorlogin useroremail emailoruser identificador identifiant emailorphone phoneoremail usernameoremailaddress
  emailaddressorusername emailouusuario usuariooemail`);
const names = new Set([
  ...wordList('form-name').filter((each) => !usernames.has(each)),
  ...oneOf(`prenom vorname vollname vollstandigername legalname realname userfullname`),
]);
const lastNames = oneOf(`
  lastname surname familyname apellido apellidos nachname familienname nomdefamille sobrenome cognome achternaam lname`);

/** Words that do not change the meaning of a name. */
const neutral = oneOf(`
  user users usr usuario account login log signin auth my your the of plain raw text txt value input field str string j
  web app portal customer client member person personal contact primary main admin owner employee student author player
  register registration signup new`);
/** Words of other members about a password, or of another password. */
const otherPasswords = oneOf(`
  one time onetime temp temporary old current previous change changed reset forgot set send has is no not hint status
  reason breached hash hashed salt encrypted expires expired expiry expiration age policy strength length min max last
  updated required enabled verified valid token id code wifi smtp imap db database proxy email mail url uri link count
  type question answer history version format algorithm scheme remember show hide generate random update method rule
  rules attempts attempt retry failure failed ttl at on by date used needed must can app master registry`);
const repeats = oneOf(`
  confirm confirmation confirmed confirmar confirmacion confirmacao confirmer conferma repeat repeated repetir repeticion
  repetida again retype retyped re verify verification matching match bis second wiederholen wiederholung bestatigung
  bestatigen check c 2`);

/** Drops a final `1`: `password1` is the password in Django's forms. */
const withoutOne = (words: readonly string[]): readonly string[] => (words.at(-1) === '1' ? words.slice(0, -1) : words);

/** How many words from an index on are together one of a set: three in `mot de passe`. */
function lengthAt(words: readonly string[], at: number, set: ReadonlySet<string>): number {
  for (let length = Math.min(5, words.length - at); length > 0; length -= 1) {
    if (set.has(words.slice(at, at + length).join(''))) return length;
  }
  return 0;
}

/** The words around one of a set; undefined if there is none. */
function around(words: readonly string[], set: ReadonlySet<string>): readonly string[] | undefined {
  for (let at = 0; at < words.length; at += 1) {
    const length = lengthAt(words, at, set);
    if (length > 0) return words.toSpliced(at, length);
  }
  return undefined;
}

const codes = oneOf(
  `otp totp hotp code pin tan mfa tfa twofactor onetimepassword onetimecode onetimepasscode passcode 2fa`,
);

/** The meaning of a member by the words of its name. */
export function meaningOfName(name: string): NameMeaning | undefined {
  const all = memberNameWords(name);
  const words = withoutOne(all);
  const joined = words.join('');
  if (joined === 'granttype') return { means: 'grant', sure: true };
  if (wordList('form-cpassword').includes(all.join(''))) return { means: 'cpassword', sure: true };
  const besidePassword = around(words, passwords);
  if (besidePassword) {
    const others = besidePassword.filter((word) => !neutral.has(word));
    if (others.length === 0) return { means: 'password', sure: true };
    if (others.every((word) => repeats.has(word))) return { means: 'cpassword', sure: true };
    if (codes.has(joined) || /^(?:one ?time|otp)/.test(words.join(' '))) return { means: 'code', sure: true };
    return others.some((word) => otherPasswords.has(word)) ? undefined : { means: 'password', sure: false };
  }
  if (codes.has(joined) || codes.has(words.at(-1) ?? '') || codes.has(words[0] ?? ''))
    return { means: 'code', sure: true };
  if (isRefreshName(words.join('_'))) return { means: 'refresh', sure: true };
  if (/^(?:(?:access|auth|id|bearer|session|user|api|login)? ?token|jwt(?: token)?|access)$/.test(words.join(' ')))
    return { means: 'token', sure: true };
  if (around(words, eithers)?.length === 0) return { means: 'either', sure: false };
  const beside = (set: ReadonlySet<string>) =>
    around(words, set)?.every((word) => neutral.has(word) || repeats.has(word));
  if (beside(emails)) return { means: 'email', sure: true };
  // `user_name` is one before it is a name of a user.
  if (
    usernames.has(joined) ||
    (words.length > 1 &&
      usernames.has(words.slice(-2).join('')) &&
      words.every((word) => neutral.has(word) || word === 'name' || word === 'id' || usernames.has(word)))
  )
    return { means: 'username', sure: true };
  if (lastNames.has(joined)) return { means: 'last-name', sure: false };
  return beside(names) ? { means: 'name', sure: true } : undefined;
}
