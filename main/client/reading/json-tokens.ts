/** What a part of JSON text is. */
export type JsonToken =
  | 'object'
  | 'list'
  /** The end of the object or the list that was opened last. */
  | 'close'
  | 'key'
  | 'string'
  | 'number'
  | 'true'
  | 'false'
  | 'null'
  /** The text is over, and was JSON. */
  | 'end'
  /** From here on the text is no JSON. */
  | 'broken';

/** A number with its digits as they were written, which JavaScript might change: `1379505554728411138`, `1.0`, `1e400`. */
export type LongNumber = { readonly digits: string };

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [minus, plus, point, nought, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const [letterE, letterT, letterF, letterN] = [0x65, 0x74, 0x66, 0x6e];
/** A capital lacks this bit of its small letter. */
const small = 0x20;

/** What stands in a string for another character. */
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** Whole numbers up to so many digits are the same in JavaScript, but `-0`. */
const shortNumber = 15;

/** What may come next. `first` is what may also close what was opened just now. */
type Wanted = 'value' | 'first value' | 'key' | 'first key' | 'comma' | 'end';

/**
 * Reads JSON text (RFC 8259) part by part, by the very grammar of `JSON.parse`: in linear time, whatever the depth, and
 * without making values, so that the reader decides how many there are to be.
 */
export class JsonTokens {
  readonly #text: string;
  /** Of each object and list that is open, whether it is an object. */
  readonly #opened: boolean[] = [];
  #wanted: Wanted = 'value';
  #at = 0;
  #hasEscapes = false;
  #isShortNumber = false;
  /** Where the part that was read last begins, and where it ends. */
  from = 0;
  to = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next part. It is not asked again after `end` or `broken`. */
  next(): JsonToken {
    let code = this.#codeAfterBlanks();
    if (this.#wanted === 'comma') {
      if (code !== comma) return this.#close(code);
      this.#at += 1;
      this.#wanted = this.#opened.at(-1) ? 'key' : 'value';
      code = this.#codeAfterBlanks();
    }
    this.from = this.#at;
    switch (this.#wanted) {
      case 'key':
        return this.#key(code);
      case 'first key':
        return code === closeObject ? this.#close(code) : this.#key(code);
      case 'value':
        return this.#value(code);
      case 'first value':
        return code === closeList ? this.#close(code) : this.#value(code);
      case 'end':
        return this.#at === this.#text.length ? 'end' : 'broken';
      default:
        return this.#wanted satisfies never;
    }
  }

  /** The key or the string that was read last, as it is meant. */
  get string(): string {
    return this.#hasEscapes
      ? String(JSON.parse(this.#text.slice(this.from, this.to)))
      : this.#text.slice(this.from + 1, this.to - 1);
  }

  /** The number that was read last. Only a short whole one is JavaScript's own. */
  get number(): number | LongNumber {
    const digits = this.#text.slice(this.from, this.to);
    return this.#isShortNumber ? Number(digits) : { digits };
  }

  #codeAfterBlanks(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }

  #close(code: number): JsonToken {
    if (code !== (this.#opened.at(-1) ? closeObject : closeList)) return 'broken';
    this.#opened.pop();
    this.from = this.#at;
    return this.#ends(this.#at + 1, 'close');
  }

  /** What follows a value depends on whether something is open. */
  #ends(at: number, token: JsonToken): JsonToken {
    this.#at = at;
    this.to = at;
    this.#wanted = this.#opened.length > 0 ? 'comma' : 'end';
    return token;
  }

  #key(code: number): JsonToken {
    const end = code === quote ? this.#endOfString() : -1;
    if (end < 0) return 'broken';
    this.to = end;
    this.#at = end;
    if (this.#codeAfterBlanks() !== colon) return 'broken';
    this.#at += 1;
    this.#wanted = 'value';
    return 'key';
  }

  #value(code: number): JsonToken {
    switch (code) {
      case quote: {
        const end = this.#endOfString();
        return end < 0 ? 'broken' : this.#ends(end, 'string');
      }
      case openObject:
      case openList:
        this.#at += 1;
        this.to = this.#at;
        this.#opened.push(code === openObject);
        this.#wanted = code === openObject ? 'first key' : 'first value';
        return code === openObject ? 'object' : 'list';
      case letterT:
        return this.#word('true');
      case letterF:
        return this.#word('false');
      case letterN:
        return this.#word('null');
      default: {
        const end = this.#endOfNumber(code);
        return end < 0 ? 'broken' : this.#ends(end, 'number');
      }
    }
  }

  #word(word: 'true' | 'false' | 'null'): JsonToken {
    return this.#text.startsWith(word, this.#at) ? this.#ends(this.#at + word.length, word) : 'broken';
  }

  /** Where a string that begins here ends; -1 if it is none. */
  #endOfString(): number {
    const text = this.#text;
    this.#hasEscapes = false;
    let at = this.#at + 1;
    for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) {
      if (code === backslash) {
        this.#hasEscapes = true;
        escape.lastIndex = at;
        if (!escape.test(text)) return -1;
        at = escape.lastIndex;
      } else if (code >= 0x20) at += 1;
      // A control character, or the end of the text.
      else return -1;
    }
    return at + 1;
  }

  /** Where a number that begins here ends; -1 if it is none. */
  #endOfNumber(first: number): number {
    const text = this.#text;
    const whole = first === minus ? this.#at + 1 : this.#at;
    let at = this.#afterDigits(whole);
    const startsWithNought = text.charCodeAt(whole) === nought;
    if (at === whole || (startsWithNought && at > whole + 1)) return -1;
    this.#isShortNumber = at - whole <= shortNumber && !(startsWithNought && whole > this.#at);
    if (text.charCodeAt(at) === point) {
      const fraction = at + 1;
      at = this.#afterDigits(fraction);
      if (at === fraction) return -1;
      this.#isShortNumber = false;
    }
    if ((text.charCodeAt(at) | small) !== letterE) return at;
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
    at = this.#afterDigits(exponent);
    this.#isShortNumber = false;
    return at === exponent ? -1 : at;
  }

  #afterDigits(from: number): number {
    let at = from;
    for (let code = this.#text.charCodeAt(at); code >= nought && code <= nine; code = this.#text.charCodeAt(at))
      at += 1;
    return at;
  }
}
