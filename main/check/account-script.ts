import type { PendingLogin } from '../interface/second-factor.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { expressionsIn } from '../interface/outputs.ts';
import type { PlainJson, PlaceholderValues } from '../interface/template.ts';
import type { Credential } from '../interface/credential.ts';
import type { Observation } from './observation.ts';
import { extractCookie, extractOutput, toVariableName } from './shell-extraction.ts';
import type { createShellValues } from './shell-values.ts';
import type { CodeOrigin } from './test-request.ts';

type Values = Pick<ReturnType<typeof createShellValues>, 'mark' | 'fields'>;

/** Six digits that are the right code once in a million times. */
const wrongCode = '000000';

const numbered = (name: string, at: number): string => (at === 0 ? name : `${name}_${at + 1}`);

/** Base32 needs its padding, and the shell of Debian writes bytes in octal alone. */
const codeFunction = String.raw`# Prints a code of an authenticator app (RFC 6238): of a secret, of so many steps ago, with algorithm, digits and seconds.
code() {
  key=$(printf '%s%s' "$1" "$(printf %$(( (8 - ${'${#1}'} % 8) % 8 ))s | tr ' ' =)" | base32 -d | od -An -v -tx1 | tr -d ' \n')
  step=$(printf %016x $(( $(date +%s) / $5 - $2 )))
  mac=$(for at in 1 3 5 7 9 11 13 15; do printf "\\$(printf %03o 0x$(printf %s "$step" | cut -c $at-$((at + 1))))"; done |
    openssl dgst -"$3" -mac HMAC -macopt "hexkey:$key" | sed 's/.*= *//')
  at=$(( 0x$(printf %s "$mac" | tail -c 1) * 2 + 1 ))
  number=$(( 0x$(printf %s "$mac" | cut -c $at-$((at + 7))) & 0x7fffffff ))
  printf "%0$4d" $(( number % $(printf %s 1 && printf %0$4d 0) ))
}`;

/** The variables of a script for second factors: secrets, codes and what a pending login gave. */
export class AccountScript {
  readonly #adapter: ApiAdapter;
  readonly #values: Values;
  readonly #pending: PendingLogin[] = [];
  /** By email. */
  readonly #factors: string[] = [];
  /** The codes that have a variable. */
  readonly #codes: string[] = [];
  /** The factors of which a code was sent. */
  readonly #used = new Set<string>();
  /** The factors whose secret the script reads from a response. The user enters all others. */
  readonly #issued = new Set<string>();

  constructor(adapter: ApiAdapter, values: Values) {
    this.#adapter = adapter;
    this.#values = values;
  }

  /** The secrets that the user enters, and the functions that a script needs, at its start. */
  lines(): string[] {
    const entered = this.#factors
      .map((email) => [this.#secretOf(email), email] as const)
      .filter(([secret]) => this.#used.has(secret) && !this.#issued.has(secret))
      .map(([secret, email]) => `: "\${${secret}:?The secret of the authenticator app of ${email}, in Base32}"`);
    return [...entered, ...(this.#used.size > 0 ? ['', codeFunction] : [])];
  }

  #secretOf(email: string): string {
    if (!this.#factors.includes(email)) this.#factors.push(email);
    return numbered('SECRET', this.#factors.indexOf(email));
  }

  #pendingOf(pending: PendingLogin): string {
    if (!this.#pending.includes(pending)) this.#pending.push(pending);
    return numbered('PENDING', this.#pending.indexOf(pending));
  }

  /** The fields of a call about the account, with marks for all that is secret or new each time. */
  fields({ sent }: Observation): PlaceholderValues {
    const { fields = {}, code: origin } = sent?.account ?? {};
    const { newPassword, code, secret, ...others } = fields;
    const { password: marked } = this.#values.fields({ password: newPassword });
    return {
      ...this.#values.fields(others),
      ...(newPassword !== undefined && { newPassword: marked }),
      ...(code !== undefined && { code: this.#codeOf(code, origin) }),
      ...(secret !== undefined &&
        typeof fields['email'] === 'string' && {
          secret: this.#mark(`$${this.#secretOf(fields['email'])}`),
        }),
    };
  }

  #codeOf(code: PlainJson, origin: CodeOrigin | undefined): PlainJson {
    if (typeof code !== 'string' || code === '') return code;
    if (!origin) return wrongCode;
    if ('isRecovery' in origin) return this.#mark(`$${this.#recoveryOf(origin.email)}`);
    return this.#mark(`$${numbered('CODE', this.#codes.indexOf(code))}`);
  }

  #recoveryOf = (email: string): string => this.#secretOf(email).replace('SECRET', 'RECOVERY_CODE');
  #mark = (shell: string): string => this.#values.mark({ shell });

  /** The line that makes the code of a request, before its first use; each code is of another time step. */
  codeLines({ sent }: Observation): string[] {
    const { fields = {}, code: origin } = sent?.account ?? {};
    const { code } = fields;
    if (!origin || !('stepsAgo' in origin) || typeof code !== 'string' || this.#codes.includes(code)) return [];
    this.#codes.push(code);
    const { algorithm, digits, period } = origin.secret;
    const secret = this.#secretOf(origin.email);
    const wait = this.#used.has(secret)
      ? [`sleep $(( ${(origin.stepsAgo + 1) * period + 1} - $(date +%s) % ${period} ))`]
      : [];
    this.#used.add(secret);
    const variable = numbered('CODE', this.#codes.length - 1);
    return [...wait, `${variable}=$(code "$${secret}" ${origin.stepsAgo} ${algorithm} ${digits} ${period})`];
  }

  /** What a pending login has, as marks. */
  credential(pending: PendingLogin): Credential {
    const name = this.#pendingOf(pending);
    const { token, outputs = {}, cookies = {} } = pending.credential;
    const marks = (values: object): Record<string, string> =>
      Object.fromEntries(Object.keys(values).map((each) => [each, this.#mark(`$${name}_${toVariableName(each)}`)]));
    return {
      ...(token !== undefined && { token: this.#mark(`$${name}_TOKEN`) }),
      outputs: marks(outputs),
      cookies: marks(cookies),
    };
  }

  /** The lines that take what a login without a code gave. */
  pendingLines(pending: PendingLogin): string[] {
    const name = this.#pendingOf(pending);
    const { outputs = {}, cookies = {}, token } = pending.credential;
    const expressions = expressionsIn(this.#adapter.description.secondFactor?.outputs);
    const named = [...Object.keys(outputs), ...(token === undefined ? [] : ['token'])];
    return [
      ...named.map((each) =>
        extractOutput(
          `${name}_${toVariableName(each)}`,
          expressions[each] ?? '',
          this.#adapter.publicOutputs.has(each),
        ),
      ),
      ...Object.keys(cookies).map((each) => extractCookie(`${name}_${toVariableName(each)}`, each)),
    ];
  }

  /** The lines that take the secret of a factor and, if it is needed, its first recovery code. */
  factorLines({ sent }: Observation, needsRecovery: boolean): string[] {
    const { call, fields = {} } = sent?.account ?? {};
    const { email } = fields;
    if (!call?.startsWith('enrollment.') || typeof email !== 'string') return [];
    const { secret, recoveryCode } = this.#adapter.accountOutputs(call);
    const variable = this.#secretOf(email);
    if (secret !== undefined) this.#issued.add(variable);
    return [
      ...(secret === undefined
        ? []
        : [
            extractOutput(variable, secret),
            `${variable}=$(printf %s "$${variable}" | sed 's/.*[?&]secret=//; s/[&\\].*//')`,
          ]),
      ...(recoveryCode === undefined || !needsRecovery ? [] : [extractOutput(this.#recoveryOf(email), recoveryCode)]),
    ];
  }
}
