import type { FindingId } from '../../preload/contract/report.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';

/** The lines of the journey in the application, each with what the server's author knows of it. */
export type JourneyLines = {
  /** The calls until the profile is shown. A server that gives a token at once needs no login. */
  'calls of a registration': string;
  /** The name and the email, then the other fields. */
  'the profile shows': string;
  'a taken email': string;
  'a password of two characters': string;
  'a wrong password': string;
  'logging out': string;
  /** The status of the profile with the token that was logged out. */
  'the token after it': string;
};

/** The lines of a check that an author can say without looking at the run. A reply is `400 refused`. */
export type RunLines = {
  'paths of registration': string;
  'a registration': string;
  'a different cpassword': string;
  'an email again': string;
  'an email in other case': string;
  'a password of 1': string;
  'a password of 7': string;
  'a common password': string;
  'a password cut at 72': string;
  'no email at registration': string;
  'a number as password at registration': string;
  'a malformed email': string;
  'a login': string;
  'a wrong password': string;
  'an unknown email': string;
  'told apart by the answer': string;
  'an object as email at login': string;
  'the token': string;
  'its life': string;
  'the first token after a second login': string;
  'no token': string;
  'a malformed token': string;
  'a token of somebody else': string;
  'bearer in lower case': string;
  'the profile': string;
  'a logout': string;
  'the token after logout': string;
  'another token after logout': string;
  'the place of the message': string;
  'the place of errors by field': string;
  'a body that is no JSON': string;
  'a wrong method': string;
  'an unknown path': string;
  'a stack trace': string;
  'a sent password': string;
  'failed cases': CaseId[];
  /** Of those that were asked for. */
  'cases not measured': CaseId[];
  findings: FindingId[];
};

/** What Llavero says instead today, and why. A gap that is closed fails, so that its lines go. */
export type Gap<T> = {
  says: T;
  because: string;
  /** It comes and goes with the time that calls take, so it cannot be seen to be closed. */
  sometimes?: true;
};

export type Known = {
  registersAt: 'registro' | 'register';
  journey: JourneyLines;
  run: RunLines;
  gaps?: {
    journey?: { [L in keyof JourneyLines]?: Gap<JourneyLines[L]> };
    run?: { [L in keyof RunLines]?: Gap<RunLines[L]> };
  };
};

/** A gap of several servers: their token says nothing but who it is for and when it was made. */
export const oneTokenASecond: Gap<string> = {
  says: 'none',
  because: 'Two logins within one second give one token here, which the run takes for all that there is.',
  sometimes: true,
};

/** A gap of the few cases of `npm test` alone, at servers that have both kinds of refusals. */
export const onlySentences: Gap<string> = {
  says: 'in-words',
  because: 'The few cases of `npm test` meet no refusal that names its field: a sentence does.',
  sometimes: true,
};
