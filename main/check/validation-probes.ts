import type { CaseAnswer, Question, Subject } from '../../preload/contract/report-cases.ts';
import type { RegistrationPath } from '../../preload/contract/settings.ts';
import { toText } from '../interface/template.ts';
import { createRegistrationFields, createPassword, type RequestFields, type Identity } from './test-accounts.ts';
import { createUntestedAnswer, isAccepted, type Observation } from './observation.ts';

/** How the fields of a registration differ from valid ones. */
type ValidationProbe = {
  change: (fields: RequestFields) => RequestFields;
  /** The path that it is about. Others go to the path that works. */
  at?: RegistrationPath;
  /** Whether a server without rules of its own accepts it. */
  isValid?: true;
};

/** The same password for `cpassword`, if the path has it. */
const password =
  (make: () => string) =>
  (fields: RequestFields): RequestFields => {
    const value = make();
    return { password: value, ...('cpassword' in fields && { cpassword: value }) };
  };

const emailWith = (change: (email: string) => string) => (fields: RequestFields) => ({
  email: change(toText(fields['email'] ?? '')),
});

const weakest = 'x';
const common = 'password123';
const tooLong = `Ll4!${'p'.repeat(300)}`;

/** Not secret, so reproduction scripts name them. */
export const publicPasswords: ReadonlySet<string> = new Set([weakest, common, tooLong]);

const validationProbes = {
  'name-too-long': { change: () => ({ name: 'n'.repeat(300) }) },
  'email-malformed': { change: emailWith((email) => email.replace('@', '.')) },
  'email-without-dot': { change: emailWith((email) => `${email.slice(0, email.indexOf('@'))}@example`) },
  'email-too-long': { change: emailWith((email) => email.replace('@', `${'e'.repeat(300)}@`)) },
  'password-of-1': { change: password(() => weakest) },
  'password-of-7': { change: password(() => createPassword(7)) },
  'password-common': { change: password(() => common) },
  'password-of-80': { change: password(() => createPassword(80)), isValid: true },
  'password-too-long': { change: password(() => tooLong) },
  'cpassword-different': { change: () => ({ cpassword: createPassword() }), at: 'register' },
  'cpassword-missing': { change: () => ({ cpassword: undefined }), at: 'register' },
  'registro-cpassword-equal': {
    change: (fields) => ({ cpassword: fields['password'] }),
    at: 'registro',
    isValid: true,
  },
  'registro-cpassword-different': { change: () => ({ cpassword: createPassword() }), at: 'registro' },
} as const satisfies Record<string, ValidationProbe>;

type ValidationProbeId = keyof typeof validationProbes;

const validationProbe = (id: ValidationProbeId): ValidationProbe => validationProbes[id];

/**
 * These are first sent in one registration: if it is accepted, the server accepts each, for one account instead of several.
 * If it is refused, each is sent alone. Changes of `cpassword` come last, since they depend on the password.
 */
const batches: readonly (readonly ValidationProbeId[])[] = [
  ['name-too-long', 'email-malformed', 'password-of-1', 'cpassword-different'],
  ['email-too-long', 'password-common', 'cpassword-missing'],
  ['password-of-80', 'registro-cpassword-equal'],
  ['email-without-dot', 'password-too-long', 'registro-cpassword-different'],
];

type ProbeResult = { seen: Observation; fields: RequestFields };

type RegistrationClient = {
  mayRegister: () => boolean;
  registrationPath: () => RegistrationPath;
  acceptsRegistrationAt: (path: RegistrationPath) => boolean;
  hasField: (field: 'cpassword') => boolean;
  newIdentity: () => Identity;
  register: (path: RegistrationPath, fields: RequestFields, isInvalid?: boolean) => Promise<Observation>;
  attributeToCurrentCase: (seen: Observation) => void;
  reply: (question: Question, seen: Observation, subject?: Subject) => CaseAnswer;
};

/** Tests which values a registration accepts, with as few accounts as possible. */
export class ValidationProbes {
  readonly #client: RegistrationClient;
  readonly #accepted = new Map<ValidationProbeId, ProbeResult>();
  readonly #sentBatches = new Set<readonly ValidationProbeId[]>();
  #isBatching: boolean;

  /** @param isBatching whether all cases are run, so that every probe of a batch is wanted */
  constructor(client: RegistrationClient, isBatching: boolean) {
    this.#client = client;
    this.#isBatching = isBatching;
  }

  /** Sends probes as far as accounts may be created for them. */
  async run(wanted: readonly (readonly [question: Question, probe: ValidationProbeId, subject?: Subject])[]) {
    const answers: CaseAnswer[] = [];
    const accepted: (ProbeResult & { probe: ValidationProbeId })[] = [];
    for (const [question, probe, subject] of wanted) {
      if (!this.#client.mayRegister() && !this.#accepted.has(probe)) {
        answers.push(createUntestedAnswer('account-limit', question, subject));
        continue;
      }
      const result = await this.#resultOf(probe);
      answers.push(this.#client.reply(question, result.seen, subject));
      if (isAccepted(result.seen)) accepted.push({ probe, ...result });
    }
    return { answers, accepted };
  }

  /** From now on each probe is sent again, by itself. */
  stopBatching(): void {
    this.#isBatching = false;
    this.#accepted.clear();
  }

  async #resultOf(id: ValidationProbeId): Promise<ProbeResult> {
    const earlier = this.#accepted.get(id);
    if (earlier) this.#client.attributeToCurrentCase(earlier.seen);
    return earlier ?? (await this.#sendBatch(id)) ?? this.#send([id]);
  }

  async #send(ids: readonly ValidationProbeId[]): Promise<ProbeResult> {
    const client = this.#client;
    const path = ids.map((id) => validationProbe(id).at).find((at) => at !== undefined) ?? client.registrationPath();
    const fields = createRegistrationFields(path, client.newIdentity());
    for (const id of ids) Object.assign(fields, validationProbe(id).change(fields));
    const isInvalid = ids.some((id) => !validationProbe(id).isValid);
    return { seen: await client.register(path, fields, isInvalid), fields };
  }

  async #sendBatch(id: ValidationProbeId): Promise<ProbeResult | undefined> {
    const batch = batches.find((each) => each.includes(id));
    const ids = (batch ?? []).filter((each) => {
      const { at } = validationProbe(each);
      // Without the field in the API type, its cases are not run, so its probes belong to no batch.
      if (each.includes('cpassword') && !this.#client.hasField('cpassword')) return false;
      return at === undefined || this.#client.acceptsRegistrationAt(at);
    });
    if (!this.#isBatching || !batch || this.#sentBatches.has(batch) || ids.length < 2) return undefined;
    this.#sentBatches.add(batch);
    const result = await this.#send(ids);
    if (isAccepted(result.seen)) for (const each of ids) this.#accepted.set(each, result);
    return isAccepted(result.seen) || result.seen.failed ? result : undefined;
  }
}
