import { CaseId } from '../../../preload/contract/report-cases.ts';
import type { Case } from '../case.ts';
import { tamperedTokenCases } from './tampered-token-cases.ts';
import { accountCases } from './account-cases.ts';
import { errorCases } from './error-cases.ts';
import { otherEndpointCases } from './other-endpoint-cases.ts';
import { loginCases } from './login-cases.ts';
import { raceCases } from './race-cases.ts';
import { registrationCases } from './registration-cases.ts';
import { registrationFieldCases } from './registration-field-cases.ts';
import { secondFactorCases } from './second-factor-cases.ts';
import { serverCases } from './server-cases.ts';
import { sessionCases } from './session-cases.ts';
import { tokenCases } from './token-cases.ts';

const order = new Map(CaseId.options.map((id, at) => [id, at]));

/** Every case, in the order of a report. */
export const cases: readonly Case[] = [
  ...registrationCases,
  ...registrationFieldCases,
  ...loginCases,
  ...tokenCases,
  ...tamperedTokenCases,
  ...sessionCases,
  ...errorCases,
  ...serverCases,
  ...otherEndpointCases,
  ...raceCases,
  ...secondFactorCases,
  ...accountCases,
].toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
