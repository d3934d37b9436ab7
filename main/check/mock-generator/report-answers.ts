import type { Report } from '../../../preload/contract/report.ts';
import type { CaseAnswer, CaseId, Question } from '../../../preload/contract/report-cases.ts';

export type AnswerValue = CaseAnswer['value'];

/** What a report answers to a question, with the calls of its case. */
export type ReportAnswer = { value: AnswerValue; calls: string[] };

type Rule<T> = { value: T; calls: string[] };

/** Cases without calls of their own, with the case whose calls they look at. */
const sources: Partial<Record<CaseId, CaseId>> = {
  'token.lifetime': 'login.right-credentials',
  'token.same-second': 'login.two-tokens',
  'registration.both-paths': 'registration.served',
};

/** The answer of a report to a question; undefined if its case was not measured. */
export function answerTo({ cases }: Report, caseId: CaseId, question: Question): ReportAnswer | undefined {
  const found = cases.find(({ id }) => id === caseId);
  if (found === undefined || found.outcome === 'not-measured') return undefined;
  const answer = found.answers.find((each) => each.question === question);
  const source = found.calls.length > 0 ? found : cases.find(({ id }) => id === sources[caseId]);
  return answer && { value: answer.value, calls: (source ?? found).calls.slice(0, 50) };
}

/** A rule out of an answer, or else the service's own choice, which rests on no calls. */
export function ruleFrom<T>(
  answer: ReportAnswer | undefined,
  own: T,
  read: (value: AnswerValue) => T | undefined,
): Rule<T> {
  const value = answer && read(answer.value);
  return answer && value !== undefined ? { value, calls: answer.calls } : { value: own, calls: [] };
}

export const readAccepted = (value: AnswerValue): boolean | undefined =>
  value.kind === 'reply' ? value.handling === 'accepted' : undefined;

export const readFlag = (value: AnswerValue): boolean | undefined => (value.kind === 'flag' ? value.yes : undefined);
