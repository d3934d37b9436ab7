import type { SecretReference } from '../../../preload/contract/calls.ts';
import { normalizeText } from '../../files/normalize-text.ts';

export type Kind = SecretReference['secret'];

const ascii = /^[ -~]*$/;

/** Servers write one name in many ways: `Nombre_Completo`, `nombreCompleto`, `contraseña`. */
export function fold(name: string): string {
  // Nearly all names are in ASCII, of which nothing is to be normalized: that is most of the time of a long answer.
  if (ascii.test(name)) return name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return normalizeText(name, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Folded names that hold one of these are of passwords, in the languages of many servers. */
const passwords =
  /passw|passphrase|passcode|psw|pwd|contrasen|senha|motdepasse|kennwort|wachtwoord|parola|haslo|heslo|lozinka|losenord|losen$|salasana|jelszo|sifre|slaptazod|contrasenya|pasahitz|parolele|пароль|лозинка|密码|密碼|口令|パスワード|비밀번호|סיסמ|كلمةالسر|كلمةالمرور/;

/** Folded names that hold one of these are of other secrets. */
const others =
  /secret|hash|salt|token|otp|^pin$|apikey|privatekey|secretkey|accesskey|recovery|cookie|session|jwt|authorization|credential|credencial|backupcode|segredo|geheim/;

/** Whole words of a name that say it too: `user_pass`, `connect.sid`, `mdp`. */
const wholeWords = new Set([
  'pass',
  'clave',
  'sid',
  'mdp',
  'pin',
  'pw',
  'sessid',
  'phpsessid',
  'jsessionid',
  'otp',
  'pat',
  'claveacceso',
]);
const glued = /^(?:user|usr|login|admin|db|my|new|old|current|account|acct)pass$|sessid$|^clave/;

/** Fields whose content renews, protects or resets something and never authenticates a request; `_token` is Laravel's. */
const neverToken =
  /^_token$|refresh|csrf|xsrf|authenticity_?token|^(?:remember|reset|verif|confirmation|device|fcm|push|invit|activation)|(?:mfa|otp|two_?factor|challenge|log_?out|temp|temporary|pre_?auth|magic|email|password|reset|verification|confirmation|activation)_?token$/i;

/** Said about a secret, and none itself. */
const aboutSecret =
  /(?:type|class|expires|expiresin|expiresat|expiration|expiry|lifetime|length|policy|hint|count|required|enabled|tokenid|tokenname|timeout|seconds|maxage|ttl|at)$|^device(?:id|name|type|model|os|info)?$/;

type Meaning = { secret: boolean; isAbout: boolean; kind: Kind };

/** What names mean, by the name: an answer says the same ones over and over. */
const meanings = new Map<string, Meaning>();
const mostMeanings = 2000;
const longestName = 200;

/** What was a name to somebody may have been a secret of another. */
export const forgetNames = (): void => meanings.clear();

function meaningOf(name: string): Meaning {
  const known = meanings.get(name);
  if (known) return known;
  const meaning = readName(name.slice(0, longestName));
  if (meanings.size >= mostMeanings) meanings.clear();
  meanings.set(name, meaning);
  return meaning;
}

function readName(name: string): Meaning {
  const folded = fold(name);
  const words = name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .map(fold);
  const isPassword =
    passwords.test(folded) || glued.test(folded) || words.some((word) => word === 'pass' || word === 'clave');
  const secret = isPassword || others.test(folded) || isNeverToken(name) || words.some((word) => wholeWords.has(word));
  const kind =
    isPassword || /contrase|clave|mdp/.test(folded)
      ? 'password'
      : /token|jwt|authorization/.test(folded)
        ? 'token'
        : /cookie|sess|sid$/.test(folded)
          ? 'cookie'
          : 'other';
  return { secret, isAbout: aboutSecret.test(folded), kind };
}

/** Whether a field of this name is one that renews or protects something, and holds no bearer token. */
export const isNeverToken = (name: string): boolean => neverToken.test(name);

/** Whether the value under a name is shown to nobody. */
const isSecretName = (name: string): boolean => meaningOf(name).secret;

/** Whether the value under a name is to be cut out wherever it is written down. */
export const namesSecret = (name: string): boolean => isSecretName(name) && !isAboutSecret(name);

/** Whether a name is about a secret, such as when it expires, and of none. */
export const isAboutSecret = (name: string): boolean => meaningOf(name).isAbout;

export const kindOfName = (name: string): Kind => meaningOf(name).kind;
