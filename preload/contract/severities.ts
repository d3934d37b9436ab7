import type { Severity } from './report.ts';
import type { CaseId } from './report-cases.ts';

/** How much it matters that a rule is broken. Those that are not named matter as much as most do. */
const ruleSeverities: Partial<Record<CaseId, Severity>> = {
  'profile.own-user': 'high',
  'login.wrong-password': 'high',
  'login.unknown-email': 'high',
  'token.required': 'high',
  'token.form': 'low',
  'versioning.only-v1': 'low',
};
export const severityOfRule = (id: CaseId): Severity => ruleSeverities[id] ?? 'medium';

const ranks: Record<Severity, number> = { high: 0, medium: 1, low: 2, info: 3 };

/** By what matters most. */
export const bySeverity = (a: Severity, b: Severity): number => ranks[a] - ranks[b];
