import { makeCapsule } from '../../main/capsule/make-capsule.ts';
import type { Capsule } from '../../main/capsule/capsule.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import type { ServerModel } from '../../main/service/double/model.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';
import { reportWith } from './report.ts';

const unmeasured = <T>(value: T) => ({ value, calls: [] });

/** A model of the server of `reportWith`, which says nothing but the service's own choices. */
const emptyModel: ServerModel = {
  schema: 'llavero-model',
  version: 1,
  toolVersion: '0.1.0',
  baseUrl: 'http://127.0.0.1:8000',
  measuredAt: '2026-05-04T03:02:01.000Z',
  answers: [],
  rules: {
    servesRegistro: unmeasured(true),
    servesRegister: unmeasured(true),
    registration: [],
    registrationAtRegistro: [],
    login: [],
    nameMost: unmeasured(100),
    emailMost: unmeasured(254),
    passwordLeast: unmeasured(8),
    passwordMost: unmeasured(256),
    passwordCutAt: unmeasured(0),
    registrationIgnoresCase: unmeasured(true),
    registrationTrims: unmeasured(true),
    loginIgnoresCase: unmeasured(true),
    loginTrims: unmeasured(true),
    refusesTakenEmail: unmeasured(true),
    tellsAllProblems: unmeasured(true),
    fieldOrder: unmeasured(['name', 'email', 'password', 'cpassword']),
    unknownEmailAtOnce: unmeasured(false),
    tokensPerAccount: unmeasured('many'),
    sameTokenInOneSecond: unmeasured(false),
    logoutEnds: unmeasured('its-token'),
    tokenSeconds: unmeasured(2_592_000),
    schemeIgnoresCase: unmeasured(true),
    bodyMostBytes: unmeasured(16_384),
    failedLogins: unmeasured({ most: 5, windowSeconds: 60 }),
    registrations: unmeasured({ most: 10, windowSeconds: 60 }),
  },
  token: { kind: 'opaque', hasId: true, segments: [{ of: 'letters-and-digits', count: 48 }], calls: [] },
  notMeasured: [],
  remarks: [],
};

/** Makes a capsule with `text` wherever a server can have its say. */
export function capsuleWith(text: string, caseId: CaseId = 'registration.served'): Capsule {
  const report = reportWith(text);
  const findingId = report.findings.find((each) => each.caseId === caseId)?.id;
  const made = makeCapsule(report, { caseId, findingId }, structuredClone(emptyModel), createSecretReferences());
  if (!made.ok) throw new Error(made.problem);
  return made.capsule;
}
