import { toText } from '../interface/template.ts';
import type { RegistrationPath } from '../../preload/contract/settings.ts';
import { createRegistrationFields, createPassword, type RequestFields, type Identity } from './test-accounts.ts';
import type { Observation } from './observation.ts';

/** One thing that a registration tries: how its fields differ from those that are right. */
type Trial = {
  change: (fields: RequestFields) => RequestFields;
  /** The path that it is about. Others go where registrations try things. */
  at?: RegistrationPath;
  /** Whether a server without rules of its own accepts it. */
  isRight?: true;
};

/** Puts a password in both fields, where there are two. */
const password =
  (make: () => string) =>
  (fields: RequestFields): RequestFields => {
    const made = make();
    return { password: made, ...('cpassword' in fields && { cpassword: made }) };
  };

const emailWith = (change: (email: string) => string) => (fields: RequestFields) => ({
  email: change(toText(fields['email'] ?? '')),
});

const weakest = 'x';
const common = 'password123';
const tooLong = `Ll4!${'p'.repeat(300)}`;

/** Passwords that anybody may know: reports name them. */
export const publicPasswords: ReadonlySet<string> = new Set([weakest, common, tooLong]);

const trials = {
  'name-too-long': { change: () => ({ name: 'n'.repeat(300) }) },
  'email-malformed': { change: emailWith((email) => email.replace('@', '.')) },
  'email-without-dot': { change: emailWith((email) => `${email.slice(0, email.indexOf('@'))}@example`) },
  'email-too-long': { change: emailWith((email) => email.replace('@', `${'e'.repeat(300)}@`)) },
  'password-of-1': { change: password(() => weakest) },
  'password-of-7': { change: password(() => createPassword(7)) },
  'password-common': { change: password(() => common) },
  'password-of-80': { change: password(() => createPassword(80)), isRight: true },
  'password-too-long': { change: password(() => tooLong) },
  'cpassword-different': { change: () => ({ cpassword: createPassword() }), at: 'register' },
  'cpassword-missing': { change: () => ({ cpassword: undefined }), at: 'register' },
  'registro-cpassword-equal': {
    change: (fields) => ({ cpassword: fields['password'] }),
    at: 'registro',
    isRight: true,
  },
  'registro-cpassword-different': { change: () => ({ cpassword: createPassword() }), at: 'registro' },
} as const satisfies Record<string, Trial>;

export type ValidationProbeId = keyof typeof trials;

const trialOf = (id: ValidationProbeId): Trial => trials[id];

/**
 * These go into one registration first. A server that accepts it accepts each, for one account instead of several.
 * Where it is refused, each is tried alone. What changes `cpassword` comes last, since it depends on the password.
 */
const together: readonly (readonly ValidationProbeId[])[] = [
  ['name-too-long', 'email-malformed', 'password-of-1', 'cpassword-different'],
  ['email-too-long', 'password-common', 'cpassword-missing'],
  ['password-of-80', 'registro-cpassword-equal'],
  ['email-without-dot', 'password-too-long', 'registro-cpassword-different'],
];

/** What was sent for a trial, and what came of it. */
export type ValidationProbeResult = { seen: Observation; fields: RequestFields };

/** What trials need of a probe. */
type Registering = {
  registrationPath: () => RegistrationPath;
  acceptsRegistrationAt: (path: RegistrationPath) => boolean;
  /** Whether the interface has a field. */
  hasField: (field: 'cpassword') => boolean;
  newIdentity: () => Identity;
  register: (path: RegistrationPath, fields: RequestFields, isWrong?: boolean) => Promise<Observation>;
  attributeToCurrentCase: (seen: Observation) => void;
};

/** Tries things at the registration, several at once where one account may do for all. */
export class ValidationProbes {
  readonly #probe: Registering;
  readonly #known = new Map<ValidationProbeId, ValidationProbeResult>();
  readonly #sent = new Set<readonly ValidationProbeId[]>();
  #isSharing: boolean;

  /** @param mayShare whether all cases are run, so that those that share a registration are all wanted */
  constructor(probe: Registering, mayShare: boolean) {
    this.#probe = probe;
    this.#isSharing = mayShare;
  }

  /** Tries one thing, unless an earlier registration already had it in it and was accepted. */
  async send(id: ValidationProbeId): Promise<ValidationProbeResult> {
    const earlier = this.#known.get(id);
    if (earlier) this.#probe.attributeToCurrentCase(earlier.seen);
    return earlier ?? (await this.#sendBatch(id)) ?? this.#send([id]);
  }

  /** Says whether a trial costs nothing more. */
  hasResult = (id: ValidationProbeId): boolean => this.#known.has(id);

  /** From now on each thing is tried again, by itself. */
  stopBatching(): void {
    this.#isSharing = false;
    this.#known.clear();
  }

  async #send(ids: readonly ValidationProbeId[]): Promise<ValidationProbeResult> {
    const probe = this.#probe;
    const at = ids.map((id) => trialOf(id).at).find((each) => each !== undefined) ?? probe.registrationPath();
    const fields = createRegistrationFields(at, probe.newIdentity());
    for (const id of ids) Object.assign(fields, trialOf(id).change(fields));
    const isWrong = ids.some((id) => !trialOf(id).isRight);
    return { seen: await probe.register(at, fields, isWrong), fields };
  }

  async #sendBatch(id: ValidationProbeId): Promise<ValidationProbeResult | undefined> {
    const all = together.find((each) => each.includes(id));
    const ids = (all ?? []).filter((each) => {
      const { at } = trialOf(each);
      // Cases of their own are about a repeated password: where the interface has none, they are not asked either.
      if (each.includes('cpassword') && !this.#probe.hasField('cpassword')) return false;
      return at === undefined || this.#probe.acceptsRegistrationAt(at);
    });
    if (!this.#isSharing || !all || this.#sent.has(all) || ids.length < 2) return undefined;
    this.#sent.add(all);
    const tried = await this.#send(ids);
    if (tried.seen.handling === 'accepted') for (const each of ids) this.#known.set(each, tried);
    return tried.seen.handling === 'accepted' || tried.seen.failed ? tried : undefined;
  }
}
