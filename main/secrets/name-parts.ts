/**
 * Every folded name of a secret holds one of these. Most names do not, and that is told faster than what they are
 * names of; of those with a letter beyond ASCII, it is not told.
 */
const parts = `accesskey activation apikey auth backupcode challenge clave confirmation contrasen cookie credenc
  credential csrf device email fcm geheim hash haslo heslo invit jelszo jwt kennwort logout losen lozinka magic mdp mfa
  motdepasse otp parola parolele pasahitz pass pat pin privatekey psw push pw recovery refresh remember reset salasana
  salt secret segredo senha session sid sifre slaptazod temp token twofactor verif wachtwoord xsrf`.split(/\s+/);

/** By character of ASCII, its number among small letters; 0 for what is left out of a name, and `other` for digits. */
const other = 27;
const numbers = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z]/.test(character) ? character.charCodeAt(0) - 96 : /\d/.test(character) ? other : 0;
});
const width = other + 1;
/** The state in which a part has ended. */
const found = 1;

/** By state and letter, the next state: what was read ends with the beginning of a part, or with the whole of one. */
const states = statesOf(parts);

/** The states of Aho and Corasick for these words; all states in which a word has ended are one. */
function statesOf(words: readonly string[]): Uint16Array {
  const beginnings = [
    ...new Set(['', '#', ...words.flatMap((word) => Array.from(word, (_, at) => word.slice(0, at)))]),
  ];
  const byText = new Map(beginnings.map((text, state) => [text, state]));
  return Uint16Array.from({ length: beginnings.length * width }, (_, at) => {
    const state = Math.floor(at / width);
    const number = at % width;
    if (state === found) return found * width;
    if (number === 0) return state * width;
    const text = beginnings[state]! + (number === other ? '0' : String.fromCharCode(number + 96));
    if (words.some((word) => text.endsWith(word))) return found * width;
    let end = text;
    while (!byText.has(end)) end = end.slice(1);
    return byText.get(end)! * width;
  });
}

/** Whether a name, or a part of it, may be one of a secret. */
export function mayNameSecret(name: string): boolean {
  let state = 0;
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code > 127) return true;
    state = states[state + numbers[code]!]!;
  }
  return state === found * width;
}

/** The same of a name in a text of which these are the codes. */
export function mayNameSecretAt(codes: Uint16Array, from: number, to: number): boolean {
  let state = 0;
  for (let at = from; at < to; at++) {
    const code = codes[at]!;
    if (code > 127) return true;
    state = states[state + numbers[code]!]!;
  }
  return state === found * width;
}
