import type { CaseAnswer, Subject, Question } from '../../../preload/contract/report-cases.ts';
import type { RegistrationPath } from '../../../preload/contract/settings.ts';
import type { CaseOutcome, DetectedFinding } from '../case.ts';
import { createRegistrationFields, type RequestFields } from '../test-accounts.ts';
import type { TestClient } from '../test-client.ts';
import { isAccepted, type Observation } from '../observation.ts';
import type { ValidationProbeId } from '../validation-probes.ts';

/** Returns the fields of somebody new, with all that the path asks for, and one thing changed. */
export const createChangedFields = (
  probe: TestClient,
  path: RegistrationPath,
  change: RequestFields,
): RequestFields => ({
  ...createRegistrationFields(path, probe.newIdentity()),
  ...change,
});

/** Says that something was not tried, since another account might have been one too many, or all is known. */
export const createUntestedAnswer = (
  why: 'account-limit' | 'implied',
  question: Question,
  subject?: Subject,
): CaseAnswer => ({
  question,
  subject,
  value: { kind: 'none', why },
});

const isUntried = ({ value }: CaseAnswer): boolean => value.kind === 'none' && value.why === 'account-limit';

/** Answers what was tried. A case of which nothing could be tried has no answer. */
export const createOutcome = (answers: CaseAnswer[], findings: DetectedFinding[] = []): CaseOutcome =>
  answers.every(isUntried) ? { notMeasured: { kind: 'account-limit' } } : { answers, findings };

/** Tries things of which each has an answer, as far as accounts may be made for them. */
export async function sendValidationProbes(
  probe: TestClient,
  wanted: readonly (readonly [question: Question, trial: ValidationProbeId, subject?: Subject])[],
): Promise<{
  answers: CaseAnswer[];
  accepted: { trial: ValidationProbeId; seen: Observation; fields: RequestFields }[];
}> {
  const answers: CaseAnswer[] = [];
  const accepted: { trial: ValidationProbeId; seen: Observation; fields: RequestFields }[] = [];
  for (const [question, trial, subject] of wanted) {
    if (!probe.mayRegister() && !probe.hasValidationResult(trial)) {
      answers.push(createUntestedAnswer('account-limit', question, subject));
      continue;
    }
    const tried = await probe.sendValidationProbe(trial);
    answers.push(probe.reply(question, tried.seen, subject));
    if (isAccepted(tried.seen)) accepted.push({ trial, ...tried });
  }
  return { answers, accepted };
}
