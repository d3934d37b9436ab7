import { normalizeText } from '../../normalize-text.ts';
import { fold } from '../../secrets/secret-names.ts';
import { sentenceOf } from './sentences.ts';

/**
 * What a server's words are about, in the languages seen so far: English, Spanish, Portuguese. Texts are compared without
 * accents and with `_`, `-` and `.` as spaces, so that keys such as `auth.token_expired` read like sentences.
 */
const phrases = {
  /** There were too many attempts. The number of seconds is not in here. */
  throttled: [
    /too many (?:login |failed |sign in )?(?:attempts|requests|tries|logins)/,
    /throttl|rate ?limit/,
    /demasiad[oa]s? (?:muchos |muchas )?(?:\w+ )?(?:intentos|solicitudes|peticiones|veces)/,
    /(?:limite|maximo) de (?:intentos|solicitudes|peticiones)/,
    /muitas (?:tentativas|solicitacoes|requisicoes)/,
    /try again (?:in|after) \d+/,
    /(?:intent\w{1,12}|prueb\w{1,12}) (?:\w{1,20} ){0,3}(?:en|dentro de) \d+/,
    /(?:bloquead|suspendid|locked|blocked|suspended).{0,60}\b\d+ ?(?:s|min|h)/,
    /(?:wait|esper[ae]\w*|aguard\w*) (?:\w+ ){0,2}\d+ (?:s|m)/,
  ],
  /** The email or the password is wrong, or nobody has that email. */
  credentials: [
    /credential|credencia|incorret[ao]s?\b/,
    /(?:password|contrasena|clave|senha|user ?name|usuario|user|email|e mail|correo|mail|login|datos|account|cuenta|identifier)\b.{0,60}\b(?:incorrect\w*|wrong|invalid\w*|errone\w*|equivocad\w*|mal\b|no coinciden?|do(?:es)? ?n(?:o|')t match|mismatch|not found|not exist|no existe|no encontrad\w*|no registrad\w*|unknown|no (?:son|es) (?:correct\w*|valid\w*))/,
    /(?:incorrect\w*|wrong|invalid\w*|bad|unknown|no such|mal)\b.{0,40}\b(?:password|contrasena|clave|senha|user ?name|usuario|user|email|e mail|correo|login|account|identifier|grant)/,
    /(?:no existe|no se encontro|no encontrado|not found|couldn't find|could not find).{0,30}\b(?:usuario|user|email|correo|cuenta|account)/,
    /unauthori[sz]ed|unauthenticated|no autorizado|no autenticado|nao autorizado|access denied|acceso denegado/,
    /(?:authentication|login|sign in|log in|autenticacion|inicio de sesion) (?:has )?(?:fail|fall|error|incorrect)/,
    /(?:failed|unable|could not|cannot) to (?:authenticate|log ?in|sign ?in)|auth failed|these do not match our records/,
  ],
  /** The bearer token is missing, wrong, expired or revoked. */
  tokenRefused: [
    /unauthenticated|not (?:authenticated|logged in|signed in)|no autenticado|nao autenticado/,
    /(?:token|jwt|session|sesion|sessao|signature|bearer)\b.{0,50}\b(?:expired|invalid\w*|missing|required|not (?:found|provided|valid|supplied|given|present|recognized)|revoked|blacklisted|malformed|absent|unknown|wrong|caduc\w*|expir\w*|vencid\w*|requerid\w*|falta\w*|inexistente|no (?:encontrad\w*|proporcionad\w*|valid\w*|existe|enviad\w*|es valid\w*))/,
    /(?:expired|invalid\w*|missing|malformed|no|not? valid|bad|sin|wrong|unknown|revoked|falta(?: el)?|caducad\w*)\b.{0,20}\b(?:token|jwt|bearer|session|sesion)/,
    /(?:authentication credentials|authorization header|bearer token).{0,30}(?:not provided|missing|required|absent|malformed)/,
    /could not validate credentials|(?:need|must|have) to (?:be )?(?:sign|log)(?:ged|ned)? ?in|please (?:log|sign) ?in|login required|authentication required|requires authentication|(?:debes?|hay que) (?:iniciar sesion|autenticarse|estar autenticad\w*)|inici[ae] sesion/,
    /not enough segments|(?:signature|token|jwt) (?:verification|validation) (?:has )?fail/,
    /(?:could not|unable to|failed to) verify (?:the )?(?:jwt|token)|(?:jwt|token)expired/,
    /(?:error|fail\w*|unable|could not|cannot)\b.{0,20}\b(?:decod|pars)\w* (?:the |your )?(?:token|jwt)/,
    /token could not be parsed|invalid authentication credentials/,
    /(?:token|jwt|sessao)\b.{0,50}\b(?:ausente|nao (?:fornecid|informad|encontrad|enviad)\w*)/,
    /route login not defined/,
  ],
  /** It means the same with any status but 403, where it may be about a permission. */
  unauthorized: [/unauthori[sz]ed|no autorizado|nao autorizado/],
  /** It is the double-submit token of pages, and says nothing about the bearer token. */
  pageToken: [/csrf|xsrf/],
  /** A logout wants this token too, which the interface does not have. */
  refreshToken: [
    /refresh ?token|tokens? de (?:refresco|refresh|actualizacion|renovacion|atualizacao|rafraichissement)|jeton d(?:e |')(?:rafraichissement|actualisation)|aktualisierungstoken|token di (?:refresh|aggiornamento|rinnovo)/,
  ],
  /** An email is to be confirmed before anybody can log in. */
  confirmFirst: [
    /\b(?:confirm|verif|activat|validat|bestatig|activ[ae]|valid[ae]|aktivier)\w*\b.{0,60}\b(?:e ?mail|mail|correo|inbox|account|cuenta|conta|compte|konto|link|enlace|lien|direccion|adresse|indirizzo)/,
    /\b(?:e ?mail|mail|correo|account|cuenta|conta|compte|konto)\b.{0,60}\b(?:confirm|verif|activat|validat|bestatig|activa(?:r|cion)|aktivier)\w*/,
    /\b(?:sent|send|enviad[oa]|enviamos|envoye|gesendet|inviato|inviata|mandado|mandamos)\b.{0,40}\b(?:link|enlace|lien|code|codigo)\b/,
  ],
  /** The account is there, and its email is not confirmed yet. */
  unconfirmed: [
    /\b(?:e ?mail|mail|correo|account|user|cuenta|usuario|conta|compte|konto|indirizzo)\b.{0,40}\b(?:not|n't|no|nao|non|nicht|pas|isn't|unverified|unconfirmed)\b.{0,20}\b(?:verif|confirm|activat|validat|activad|bestatigt|aktiviert)\w*/,
    /\b(?:un(?:verified|confirmed)|sin (?:verificar|confirmar|activar)|por (?:verificar|confirmar)|pendiente de (?:verificacion|confirmacion|activacion))\b/,
    /\b(?:please|must|need to|debes?|tienes que|por favor|first|primero|bitte|veuillez)\b.{0,40}\b(?:confirm|verif|activat|validat|activ[ae]|bestatig)\w*\b.{0,40}\b(?:e ?mail|mail|correo|account|cuenta|direccion|adresse|konto|compte)/,
  ],
  /** Nobody gets into the account for a while, or until somebody opens it. */
  locked: [
    /\b(?:account|user|cuenta|usuario|conta|compte|konto|utente)\b.{0,40}\b(?:locked|bloquead[oa]|gesperrt|verrouille|bloccat[oa])\b/,
    /\block(?:ed)? ?out\b/,
  ],
  /** Somebody has closed the account. */
  disabled: [
    /\b(?:account|user|cuenta|usuario|conta|compte|konto|utente)\b.{0,40}\b(?:disabled|suspended|deactivated|banned|inactive|not active|blocked|deshabilitad[oa]|inhabilitad[oa]|desactivad[oa]|suspendid[oa]|inactiv[oa]|suspens[oa]|desactive|deaktiviert|disattivat[oa]|disabilitat[oa])\b/,
  ],
  /** Nobody has the account of the token any more. */
  accountGone: [
    /\b(?:user|account|member|profile|usuario|usuaria|cuenta|conta|utilisateur|compte|benutzer|nutzer|konto|utente)\b.{0,40}\b(?:not found|not exist|no existe|no (?:fue |se )?encontrad[oa]|deleted|removed|gone|no longer exists?|eliminad[oa]|borrad[oa]|nao (?:foi )?encontrad[oa]|nao existe|excluid[oa]|introuvable|n'existe (?:pas|plus)|supprime|nicht gefunden|existiert nicht|geloscht|non (?:trovato|esiste))/,
    /\b(?:no such|unknown|no existe (?:el|la|ese|esa)|no se encontro (?:el|la|al)|could not find|couldn't find|unable to find)\b.{0,20}\b(?:user|account|usuario|cuenta)\b/,
  ],
  /** The address has no such operation. */
  routeMissing: [
    /\b(?:route|ruta|endpoint|path|url|uri|rota|resource|recurso|handler|page|pagina)\b.{0,200}\b(?:not (?:be )?found|not exist|no existe|no (?:fue )?encontrad\w*|nao encontrad\w*|not defined|no definid\w*|not supported|unknown)/,
    /(?:no|not? found|no existe|no se encontro|unknown|unable to find|no se ha encontrado)\b.{0,30}\b(?:route|ruta|endpoint|path|url|rota|handler|static resource)/,
    /cannot (?:get|post|put|patch|delete|head) \//,
    /no static resource|method not allowed|metodo no permitido|method is not supported/,
    /^(?:404 )?(?:not found|no encontrado|no encontrada|page not found)$/,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

export type Subject = keyof typeof phrases;

/** Whether the words of a text are about this subject. */
export function isAbout(subject: Subject, text: string | undefined): boolean {
  if (text === undefined) return false;
  const words = normalizeText(sentenceOf(text), 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_.\-[\]"“”«»:;,!¡()]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return phrases[subject].some((pattern) => pattern.test(words));
}

/** Says whether the last part of a path is a login page, to which Laravel, Django, Rails and Spring send strangers. */
export function isLoginPage(location: string): boolean {
  const path = URL.canParse(location, 'http://x.test') ? new URL(location, 'http://x.test').pathname : location;
  const last = fold(path.split('/').findLast((part) => part !== '') ?? '');
  return /^(?:login|logon|signin|iniciarsesion|iniciosesion|ingresar|acceso|entrar|auth|sso|loginphp|loginhtml|loginaspx)$/.test(
    last,
  );
}
