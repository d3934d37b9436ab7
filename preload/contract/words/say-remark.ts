import type { ModelRemark, OpenRule } from '../model-remarks.ts';
import { fill, type Part, type ReportWords } from './say-report.ts';

/** Rules that refuse something. A double has none that was not seen. */
const limits: ReadonlySet<OpenRule> = new Set([
  'nameMost',
  'emailMost',
  'passwordLeast',
  'passwordMost',
  'passwordCutAt',
  'bodyMostBytes',
  'failedLogins',
]);

/** Says how many calls would show what is open, as a sentence of its own. */
function costOf({ words, number }: ReportWords, remark: ModelRemark): string {
  if (!('calls' in remark) || remark.calls === undefined) return '';
  const w = words.model;
  const option = 'onlyWith' in remark ? remark.onlyWith : undefined;
  const [one, more] = option === undefined ? [w.costOne, w.cost] : [w.costOneWith, w.costWith];
  return ` ${fill(remark.calls === 1 ? one : more, { calls: number(remark.calls), option: option ?? '' })}`;
}

/** Says what a server model notes of itself. A model of before has sentences in English, which are said as they are. */
export function sayRemark(say: ReportWords, remark: ModelRemark | string): Part[] {
  if (typeof remark === 'string') return [remark];
  const { remarks, rules, lengths } = say.words.model;
  const cost = costOf(say, remark);
  switch (remark.kind) {
    case 'case':
      return [`${say.case(remark.caseId)}: `, ...say.notMeasured(remark.reason), `.${cost}`];
    case 'rule': {
      const isLimit = limits.has(remark.rule);
      return [fill(isLimit ? remarks.limit : remarks.rule, { rule: rules[remark.rule] }) + cost];
    }
    case 'length': {
      const { rule, least, most } = remark;
      const between = { length: lengths[rule], least: say.number(least), most: say.number(most) };
      return [fill(remarks.length, between) + cost];
    }
    case 'secret-made-up':
    case 'text-differs':
    case 'number-differs':
      return [fill(remarks[remark.kind], { name: remark.name })];
    case 'several-ways':
      return [fill(remarks[remark.kind], { situation: remark.situation, where: remark.where })];
    case 'redirect':
      return [fill(remarks.redirect, { where: remark.where })];
    case 'secret-left-out':
    case 'did-not-fit':
    case 'cut':
    case 'no-token':
    case 'registrations':
    case 'other-types':
    case 'languages':
    case 'email-letters':
    case 'name-signs':
    case 'pairs-together':
    case 'pairs-first':
    case 'pairs-unknown':
      return [remarks[remark.kind] + cost];
    default:
      return remark satisfies never;
  }
}
