import type { Report } from '../../preload/contract/contract-report.ts';
import type { CapsuleProblem } from '../../preload/contract/result.ts';
import { neverImitated } from '../double/compare-double.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { ServerModel } from '../service/double/model.ts';
import { ofCase, type Capsule, type CapsuleSubject } from './capsule.ts';

type Made = { ok: true; capsule: Capsule } | { ok: false; problem: CapsuleProblem };

/** A shorter secret might be a word of ours, as a run takes it too. */
const shortestSecret = 11;

/**
 * Makes a capsule of one case or finding.
 * @param subject it is undefined for a finding that no case found
 * @param model what was learned of the server in the run of the report
 * @param references the secrets of the run, of which none may be in it
 */
export function makeCapsule(
  report: Report,
  subject: CapsuleSubject | undefined,
  model: ServerModel,
  references: SecretReferences,
): Made {
  if (!subject) return { ok: false, problem: 'not-measured' };
  const { caseId, findingId } = subject;
  if (neverImitated.has(caseId)) return { ok: false, problem: 'not-imitated' };
  const its = ofCase(report, caseId);
  const isFound = its.findings.some(({ id }) => id === findingId);
  const isMeasured = its.cases.some(({ outcome }) => outcome !== 'not-measured');
  if (findingId === undefined ? !isMeasured : !isFound) return { ok: false, problem: 'not-measured' };
  const capsule: Capsule = {
    schema: 'llavero-capsule',
    version: 1,
    toolVersion: report.toolVersion,
    caseId,
    findingId,
    report: its,
    foundElsewhere: [...new Set(report.findings.filter((each) => each.caseId !== caseId).map(({ id }) => id))],
    model,
  };
  return hasSecret(JSON.stringify(capsule), references) ? { ok: false, problem: 'secret' } : { ok: true, capsule };
}

const hasSecret = (text: string, references: SecretReferences): boolean =>
  references
    .within(text)
    .found.some(({ of }) => (references.valueOf(of.id)?.length ?? shortestSecret) >= shortestSecret);
