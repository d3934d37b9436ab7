import type { SecretReference } from '../../../preload/contract/calls.ts';

export type SecretKind = SecretReference['secret'];

/**
 * What the names around a value tell about it. Under `secret` every value is one; under `perhaps`, one that looks opaque;
 * under `about`, which describes a secret, one that looks opaque and is no number; `identity` is a user id.
 */
export type NameClass = {
  readonly says: 'secret' | 'perhaps' | 'about' | 'identity' | 'nothing';
  readonly kind: SecretKind;
  /** The fewest digits of a one-time code. Absent if digits are no secret. */
  readonly digits?: number;
};

/** The lines are alternatives: lower-case words without accents, separated by one space. */
const either = (text: string): string =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .join('|');

/** Parts of words that mean a password. Scripts without spaces have no words to separate. */
const passwords = either(`
  passw|passphrase|passcode|contrasen|motdepasse|kennwort|wachtwoord|lozink|losenord|salasana|jelszo|slaptazod|pasahitz
  parolele|пароль|лозинка|密码|密碼|口令|パスワード|비밀번호|סיסמ|كلمة ?السر|كلمة ?المرور`);

/** With *code*, these name a secret: `verification_code`, `codigo_de_verificacion`. */
const opening = either(`
  verif\\S*|confirma\\S*|conferma|bestatigung\\S*|activa\\S*|ativacao|attivazione|aktivierung\\S*|invit\\S*
  recovery|recupera\\S*|recupero|wiederherstellung\\S*|backup|scratch|reset|magic|pairing|device|user|pin|grant
  access|acces|acceso|acesso|accesso|zugangs?|security|seguridad|seguranca|securite|sicurezza|sicherheits?
  login|signin|sms|email|o?auth|authori[sz]ation|autori\\S*|t?otp|[mt]?fa|two factor|one time|einmal|unico|temp\\S*
  secret[ao]?|secrete|segret[ao]|segredo|geheim`);
const codes = 'codes?|codigos?|codice|codici';
const keys = 'keys?|chaves?|chiave|chiavi|cles?|llaves?|schlussel|schluessel';
const secrets = 'secrets?|secretos?|segredos?|segret[oi]|geheim|geheimnis';
const of = '(?:(?:de la|de l|de|da|do|della|dell|di|d) )?';

/** The names of secrets in many languages. The first match counts. */
const named: readonly (NameClass & { names: string })[] = [
  {
    says: 'secret',
    kind: 'password',
    names: either(`
      \\S*(?:${passwords})\\S*
      pass|passe|pw|pwd|psw|mdp|claves?|senhas?|parola|haslo|heslo|losen|sifre|contra sena
      mots? de passe|palavra ${of}passe|frase ${of}pas[os]e?|palabra ${of}paso`),
  },
  {
    says: 'secret',
    kind: 'token',
    names: either(`
      tokens?|jetons?|gettone|gettoni|jwts?|bearers?|tickets?|tgt|tgc|pats?|authori[sz]ation|csrf|xsrf
      assertions?|saml (?:response|request|art)|refresh (?:jwt|key|code|value|secret)|jwt refresh
      (?:code|pkce|oauth) verifier|sas|shared access signature`),
  },
  { says: 'secret', kind: 'token', names: '^refresh$' },
  {
    says: 'secret',
    kind: 'cookie',
    names: either(`
      sids?|sessid|(?:session|sess|sesion|sessao|sessione|sitzungs?) (?:ids?|key|identifier|cookies?)
      (?:auth|login|remember) cookies?|id ${of}(?:sesion|sessao|session|sessione)`),
  },
  {
    says: 'secret',
    kind: 'other',
    names: either(`
      t?otps?|hotp|otpauth|credentials?|credencial|credenciales|credenciais|credenziali?|zugangsdaten|anmeldedaten
      identifiants|mnemonics?|mnemonico|dsn|conn(?:ection)? (?:string|str)|private pem|pem private|pepper|otc|mtan|puk
      (?:seed|recovery|backup|wallet|mnemonic) (?:phrases?|words?|keys?)
      magic (?:link|url|uri)|(?:one time|login|signin) (?:link|url|uri)
      (?:api|access|private|sign|signing|encrypt|encryption|decryption|master|auth|service|account|storage|shared) keys?
      (?:hmac|consumer|app|application|client|server|deploy|license|admin|root|data|aes|webhook|hook) keys?
      (?:${keys}) ${of}(?:api|acces|acceso|acesso|accesso|privada|privee|privata|secreta|secrete|segreta)
      (?:api|zugangs|privater?) (?:${keys})|\\S+ (?:${secrets})
      (?:${secrets}) (?:${keys}|id|code|phrase|word|answer|antwort|value|text|string|str|number|hash|data|pin|salt|base)
      (?:frase|palabra|palavra|respuesta|resposta|phrase|mot|reponse|risposta) (?:secret[ao]?|secrete|segreta)
      (?:security|sicherheits|geheime) (?:answer|antwort)
      (?:respuesta|resposta|reponse|risposta) ${of}(?:seguridad|seguranca|securite|sicurezza)
      (?:${opening}) (?:${codes})|(?:${codes}) ${of}(?:${opening})|\\S*(?:bestatigungs|sicherheits|zugangs|aktivierungs|einmal)code`),
  },
  { says: 'perhaps', kind: 'other', digits: 1, names: 'pins?' },
  { says: 'perhaps', kind: 'other', digits: 6, names: `^(?:${codes}|tan)$` },
  {
    says: 'perhaps',
    kind: 'other',
    digits: 6,
    names: either(`
      recovery|recuperacion|recuperacao|recuperation|recupero|wiederherstellung|backup|scratch|magic|pairing|unlock|[mt]?fa
      verif\\S*|invit\\S*|einladung\\S*|convite\\S*|reset\\S*|restablec\\S*|confirm\\S*|conferma\\S*|bestatigung\\S*
      activat\\S*|activacion|ativacao|attivazione|aktivierung\\S*|two factor|dos factores|challenge`),
  },
  {
    says: 'perhaps',
    kind: 'token',
    names: either(`
      auth|oauth|sso|access|verifier|grant|remember\\S*|refresh\\S*|fcm|apns|push\\S*|webhooks?|signature|sig|hmac|state
      nonce|cnonce|nextnonce|opaque|passkeys?|artifact`),
  },
  {
    says: 'perhaps',
    kind: 'cookie',
    names: 'sessions?|sess|sesion|sesiones|sessao|sessoes|sessione|sessioni|sitzung|sitzungen|cookies?',
  },
  { says: 'perhaps', kind: 'hash', names: '\\S*hash|hashes|hashed|salts?|digest' },
  {
    says: 'perhaps',
    kind: 'other',
    names: either(`
      ${secrets}|secret[ao]|secrete|segreta|geheime|seeds?|${keys}|authori[sz]ations|pem|p12|pfx|pkcs|keystore|keytab|qr
      devices?|dispositivos?|appareils?|gerat\\S*|unsubscribe`),
  },
];

const inWords = (entries: string): RegExp => new RegExp(`(?:^| )(?:${entries})(?= |$)`, 'u');

export const namings: readonly { pattern: RegExp; naming: NameClass }[] = named.map(({ names, ...naming }) => ({
  naming,
  pattern: names.startsWith('^') ? new RegExp(names, 'u') : inWords(names),
}));

/** Words after or within the name of a secret that make a description of it. */
export const describing =
  /(?:^| )(?:type|class|expires|expires in|expires at|expiration|expiry|lifetime|length|policy|hint|count|required|enabled|timeout|seconds|max age|ttl|at)$|^token (?:id|name)$/u;

/** The same, but only beside the name of a secret. */
export const describingBeside = new RegExp(
  `^(?:has|is|needs|requires|must|should|can|max|min|total|num|number) | (?:${either(`
    kind|size|total|disabled|minutes|hours|days|age|on|by|date|time|since|until|expires?|expired|valid|invalid|issued|used
    changed?|updated|created|seen|start|started|ended|verified|confirmed|status|version|format|scheme|alg|algorithm
    method|strength|score|rules?|requirements?|name|label|title|description|ur[il]|endpoint|location|question|rate|limit
    email|mail|correo|phone|telefono|mobile|interval|provider|issuer|audience|scopes?|reason|error|message|prompt
    placeholder|platform|browser|model|os|info|ip|country|city|consent|preferences?|settings|allowed|supported
    tipo|estado|fecha|cambiad[ao]|actualizad[ao]|caduca|expira|vence|validade|scadenza|datum|geandert|typ|dauer|duree`)})$`,
  'u',
);

/** Names that are no secrets although they contain such a word. */
export const harmless = new RegExp(
  either(`
    ^device (?:id|name|type|model|os|info)$
    ^palabras clave$
    (?:^| )(?:public|publishable|primary|foreign|sort|cache) (?:${keys})$
    ^(?:${keys}|claves?) (?:publica|publique|pubblica)$`),
  'u',
);

/** User ids: those of Auth0 look like tokens. */
export const identity = /^(?:id|sub|uid|oid|user id)$/u;

/** Parts of joined words: `authtoken`, `tokenexpiresat`. A word is split only if it consists of these alone. */
const pieces = either(`
  user|usr|usuario|acceso|unica|privada|maestra|login|admin|db|my|mi|new|old|nueva|nuevo|nova|novo|current|account|acct|app|application|client|server
  consumer|service|api|auth|oauth|access|private|public|signing|encryption|master|shared|webhook|id|https?|php|asp|net|sso
  saml|response|request|assertion|tokens?|refresh|bearer|tickets?|proxy|csrf|xsrf|jwt|hash|hashed|salt|totp|hotp|otp|pin|pat
  codes?|verifier|challenge|keys?|sessions?|sess|sessid|cookies?|sid|pass|pw|pwd|psw|clave|senha|mdp|parola|haslo|heslo|sifre
  secrets?|secret[oa]|segredo|geheim|seed|nonce|signature|magic|link|url|connection|string|str|data|value|text|raw|plain
  recovery|backup|scratch|verification|verify|confirmation|activation|invite|invitation|reset|device|push|fcm|remember|me
  one|time|sms|email|mail|security|answer|question|credentials?|credencial|phrase|words|pem|dsn|passkey|type|class
  expires|expiresin|expiresat|expiry|expiration|lifetime|length|policy|hint|count|required|enabled|name|timeout|seconds
  status|version|algorithm|state|number|field|input|header|body`);
const onlyPieces = new RegExp(`^(?:${pieces}){1,6}$`, 'u');
const longestFirst = new RegExp(
  [...new Set(pieces.split('|'))].toSorted((a, b) => b.length - a.length).join('|'),
  'gu',
);
/** Endings of joined words: `githubtoken`, `phpsessid`, but not `resenha`, `obsession` and `basalt`. */
const endings =
  /^(.+?)(tokens?|jwt|apikey|accesskey|secretkey|privatekey|sessionid|sessid|credentials?|cookies?|secrets?|segredo|geheim|otp|psw|pwd|haslo|heslo|losen|sifre|parola|(?<!re|de)senha|(?<!ob|pos)session|(?<!ba)salt)$/u;
const maxJoinedCharacters = 40;

function splitJoined(word: string): string {
  if (word.length > maxJoinedCharacters) return word;
  if (onlyPieces.test(word)) return word.replaceAll(longestFirst, ' $& ').trim().replaceAll(/ +/g, ' ');
  const [, before, ending] = endings.exec(word) ?? [];
  return before === undefined || ending === undefined ? word : `${before} ${splitJoined(ending)}`;
}

/** The lower-case words of a name: `XSessionIDs2`, `x-session-ids` and `xsessionids` are `x session ids`. */
export const splitFieldName = (name: string): string =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .map(splitJoined)
    .join(' ');
