/**
 * Every folded name of a secret holds one of these. Most names do not, and that is told faster than what they are
 * names of; of those with a letter beyond ASCII, it is not told.
 */
const parts = `accesskey activation apikey auth backupcode challenge clave confirmation contrasen cookie credenc
  credential csrf device email fcm geheim hash haslo heslo invit jelszo jwt kennwort logout losen lozinka magic mdp mfa
  motdepasse otp parola parolele pasahitz pass pat pin privatekey psw push pw recovery refresh remember reset salasana
  salt secret segredo senha session sid sifre slaptazod temp token twofactor verif wachtwoord xsrf`.split(/\s+/);

/** By character of ASCII, its number among small letters; 0 for what is left out of a name, and `digit`. */
const digit = 27;
const numbers = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code).toLowerCase();
  return /[a-z]/.test(character) ? character.charCodeAt(0) - 96 : /\d/.test(character) ? digit : 0;
});
const width = digit + 1;
/** The state in which a part has ended. */
const found = 1;

/** By state and letter, the next state: what was read ends with the beginning of a part, or with the whole of one. */
const states = statesOf(parts);

/** The states of Aho and Corasick for these words, each by its place; all in which a word has ended are one. */
function statesOf(words: readonly string[]): Uint16Array {
  const most = words.join('').length + 2;
  const next = new Uint16Array(most * width);
  let count = found + 1;
  for (const word of words) {
    let row = 0;
    for (let at = 0; at < word.length; at++) {
      const place = row + numbers[word.charCodeAt(at)]!;
      if (next[place] === found) break;
      if (at === word.length - 1) next[place] = found;
      else row = (next[place] ||= count++) * width;
    }
  }
  /** By state, the one that the longest other end of what was read leads to. */
  const links = new Uint16Array(most);
  const reached = [0];
  for (const state of reached) {
    for (let number = 1; number < width; number++) {
      const place = state * width + number;
      const child = next[place]!;
      const other = state === 0 ? 0 : next[links[state]! * width + number]!;
      if (child <= found) next[place] ||= other;
      else if (other === found) next[place] = found;
      else {
        links[child] = other;
        reached.push(child);
      }
    }
    next[state * width] = state;
  }
  next.fill(found, found * width, (found + 1) * width);
  return next.map((state) => state * width);
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
