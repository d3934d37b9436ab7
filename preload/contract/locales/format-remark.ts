import type { MockRemark, UntestedRule } from '../mock-details.ts';
import type { TextPart, ReportFormatter } from './report-formatter.ts';

/** Rules that reject something. A mock has only those that were observed. */
const limits: ReadonlySet<UntestedRule> = new Set([
  'nameMost',
  'emailMost',
  'passwordLeast',
  'passwordMost',
  'passwordCutAt',
  'bodyMostBytes',
  'failedLogins',
]);

/** A sentence with the number of requests that would settle what is open. */
function costOf({ texts, number }: ReportFormatter, remark: MockRemark): string {
  if (!('calls' in remark) || remark.calls === undefined) return '';
  const option = 'onlyWith' in remark ? remark.onlyWith : undefined;
  const one = remark.calls === 1 ? 'costOne' : 'cost';
  const key = option === undefined ? one : (`${one}With` as const);
  return ` ${texts('model')(key, { calls: number(remark.calls), option })}`;
}

/** A remark of a mock on itself. */
export function formatRemark(formatter: ReportFormatter, remark: MockRemark): TextPart[] {
  const t = formatter.texts('model');
  const cost = costOf(formatter, remark);
  switch (remark.kind) {
    case 'case':
      return [`${formatter.case(remark.caseId)}: `, ...formatter.notMeasured(remark.reason), `.${cost}`];
    case 'rule': {
      const isLimit = limits.has(remark.rule);
      return [t(isLimit ? 'remarks.limit' : 'remarks.rule', { rule: t(`rules.${remark.rule}`) }) + cost];
    }
    case 'length': {
      const { rule, least, most } = remark;
      const between = { length: t(`lengths.${rule}`), least: formatter.number(least), most: formatter.number(most) };
      return [t('remarks.length', between) + cost];
    }
    case 'secret-made-up':
    case 'text-differs':
    case 'number-differs':
      return [t(`remarks.${remark.kind}`, { name: remark.name })];
    case 'several-ways':
      return [t(`remarks.${remark.kind}`, { situation: remark.situation, where: remark.where })];
    case 'account-calls':
      return [t('remarks.account-calls', { names: remark.names.join(', ') })];
    case 'redirect':
      return [t('remarks.redirect', { where: remark.where })];
    case 'secret-left-out':
    case 'did-not-fit':
    case 'cut':
    case 'no-token':
    case 'registrations':
    case 'renewals':
    case 'forged-requests':
    case 'other-types':
    case 'languages':
    case 'email-letters':
    case 'name-signs':
    case 'pairs-together':
    case 'pairs-first':
    case 'pairs-unknown':
      return [t(`remarks.${remark.kind}`) + cost];
    default:
      return remark satisfies never;
  }
}
