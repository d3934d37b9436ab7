import { normalizeText } from '../../files/normalize-text.ts';
import { meanings, type CachedNameClass } from './name-meanings.ts';
import {
  describing,
  describingBeside,
  harmless,
  identity,
  namings,
  splitFieldName,
  type SecretKind,
  type NameClass,
} from './secret-vocabulary.ts';

export type { SecretKind, NameClass };

const ascii = /^[ -~]*$/;

/** A field name without case, accents and separators: `Nombre_Completo` and `nombreCompleto` are `nombrecompleto`. */
export function normalizeFieldName(name: string): string {
  // Nearly all names are ASCII. Normalizing them too took most of the time of a long response.
  if (ascii.test(name)) return name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return normalizeText(name, 'NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Fields whose content renews, protects or resets something and never authenticates a request; `_token` is Laravel's. */
const neverToken =
  /^_token$|refresh|csrf|xsrf|authenticity_?token|^(?:remember|reset|verif|confirmation|device|fcm|push|invit|activation)|(?:mfa|otp|two_?factor|challenge|log_?out|temp|temporary|pre_?auth|magic|email|password|reset|verification|confirmation|activation)_?token$/i;

/** The class of a value without a name. */
export const nameless: NameClass = { says: 'nothing', kind: 'other' };

const maxCachedNames = 2000;
const maxNameCharacters = 200;

function cachedClassOf(name: string): CachedNameClass {
  const known = meanings.get(name);
  if (known) return known;
  const meaning = readName(name.slice(0, maxNameCharacters));
  if (meanings.size >= maxCachedNames) meanings.clear();
  meanings.set(name, meaning);
  return meaning;
}

/** Only of Latin letters: marks of other scripts make other letters. */
const withoutAccents = (name: string): string =>
  normalizeText(normalizeText(name, 'NFD').replace(/(?<=\p{Script=Latin})\p{M}+/gu, ''), 'NFC').replaceAll(
    /[łŁßøØđĐı]/g,
    (letter) => withoutStroke[letter] ?? letter,
  );
const withoutStroke: Record<string, string> = { ł: 'l', Ł: 'L', ß: 'ss', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ı: 'i' };

function readName(name: string): CachedNameClass {
  const words = splitFieldName(ascii.test(name) ? name : withoutAccents(name));
  const isAbout = describing.test(words);
  if (harmless.test(words)) return { own: nameless, isAbout, isHarmless: true };
  const found = namings.find(({ pattern }) => pattern.test(words))?.naming;
  // Laravel's `_token` and its like have no other word.
  const named = found ?? (isNeverToken(name) ? ({ says: 'perhaps', kind: 'token' } as const) : undefined);
  if (!named)
    return { own: identity.test(words) ? { ...nameless, says: 'identity' } : nameless, isAbout, isHarmless: false };
  const own = isAbout || describingBeside.test(words) ? ({ says: 'about', kind: named.kind } as const) : named;
  return { own, isAbout, isHarmless: false };
}

/** The class of a value by its name and the names around it. Of two, the one that hides more counts. */
export function classifyName(name: string, outer: NameClass = nameless): NameClass {
  const { own, isAbout, isHarmless } = cachedClassOf(name);
  if (isHarmless || own.says === 'about' || own.says === 'secret') return own;
  if (outer.says === 'nothing' || outer.says === 'identity') return own;
  if (isAbout) return { says: 'about', kind: outer.kind };
  if (outer.says === 'secret' || own.says !== 'perhaps') return { says: outer.says, kind: outer.kind };
  return own;
}

/** True if a field of this name renews or protects something, and has no bearer token. */
export const isNeverToken = (name: string): boolean => neverToken.test(name);

/** True if a name may be that of a secret, for a value that is not known. */
export function namesSecret(name: string): boolean {
  const { says } = classifyName(name);
  return says === 'secret' || says === 'perhaps';
}
