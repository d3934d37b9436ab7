import { CaseId } from '../../../preload/contract/report-cases.ts';
import type { Case } from '../case.ts';
import { tamperedTokenCases } from './altered-tokens.ts';
import { errorCases } from './errors.ts';
import { otherEndpointCases } from './functions.ts';
import { loginCases } from './login.ts';
import { raceCases } from './races.ts';
import { registrationCases } from './registration.ts';
import { registrationFieldCases } from './registration-fields.ts';
import { serverCases } from './server.ts';
import { sessionCases } from './session.ts';
import { tokenCases } from './token.ts';

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
].toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
