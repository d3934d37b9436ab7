import type { MockDetails, MockRemark } from '../../../preload/contract/mock-details.ts';
import { RuleName, type RuleValue } from '../../../preload/contract/local-servers.ts';
import { accountRuleNames, type AccountRuleName } from '../../../preload/contract/names.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Report } from '../../../preload/contract/report.ts';
import { parseRemarks } from '../../check/mock-generator/format-remarks.ts';
import type { AccountRules } from '../../service/mock/account-rules.ts';
import type { MockRules, MockDefinition } from '../../service/mock/mock-definition.ts';
import { NO_LIMIT } from '../../service/mock/own-lengths.ts';
import type { MockFiles } from './mock-files.ts';

function toRuleValue(value: MockRules[RuleName]['value']): RuleValue {
  if (value === null) return { kind: 'never' };
  if (typeof value === 'boolean') return { kind: 'flag', yes: value };
  if (typeof value === 'number') return { kind: 'number', number: value };
  if (typeof value === 'string') return { kind: 'choice', choice: value };
  return { kind: 'limit', ...value };
}

function toAccountRuleValue(value: AccountRules[AccountRuleName]['value']): RuleValue {
  if (value === null) return { kind: 'number', number: NO_LIMIT };
  return typeof value === 'object' ? { kind: 'wrong-codes', ...value } : toRuleValue(value);
}

/** The call that a rule is about, or what the names of its calls begin with. */
function callAbout(rule: AccountRuleName): string {
  if (rule.startsWith('password')) return 'changePassword';
  return rule === 'deletionEndsTokens' ? 'deleteAccount' : 'code.';
}

/** The ids of all calls that a mock rests on. */
function callsOf({ answers, rules, accountRules, token }: MockDefinition): Set<string> {
  const all = [...Object.values(rules), ...Object.values(accountRules ?? {})];
  return new Set([...answers, ...all.flat(), token].flatMap((each) => each?.calls ?? []));
}

const unmeasuredIn = ({ cases }: Report): MockDetails['unmeasuredCases'] =>
  cases.flatMap((each) => (each.outcome === 'not-measured' ? [{ caseId: each.id, reason: each.reason }] : []));

const isListedAbove = (remark: MockRemark | string): boolean =>
  typeof remark === 'string' || remark.kind === 'case' || remark.kind === 'rule' || remark.kind === 'registrations';

/** What is in a mock file, and how the mock compared with its original. */
export async function readMockDetails(
  id: string,
  files: Pick<MockFiles, 'model' | 'original' | 'comparisons'>,
): Promise<Result<MockDetails>> {
  const [read, original, comparisons] = await Promise.all([files.model(id), files.original(id), files.comparisons(id)]);
  if (!read.ok) return fail({ kind: 'mock-refused', problem: 'files-gone' });
  const { model } = read;
  const rules = RuleName.options.map((rule) => {
    const { value, calls } = model.rules[rule];
    return { rule, value: toRuleValue(value), calls };
  });
  const { accountRules } = model;
  const ofAccounts = accountRuleNames.flatMap((rule) => {
    const found = accountRules?.[rule];
    const isServed = model.answers.some(({ operation }) => operation.startsWith(callAbout(rule)));
    return found && isServed ? [{ rule, value: toAccountRuleValue(found.value), calls: found.calls }] : [];
  });
  const all = [...rules, ...ofAccounts];
  return ok({
    calls: callsOf(model).size,
    answers: model.answers.length,
    learned: all.flatMap(({ rule, value, calls }) => (calls.length > 0 ? [{ rule, value, calls: calls.length }] : [])),
    notMeasured: all.flatMap(({ rule, calls }) => (calls.length > 0 ? [] : [rule])),
    unmeasuredCases: original && unmeasuredIn(original),
    // With a report of the original, its cases and rules are listed above.
    remarks: [
      ...parseRemarks(model.remarks),
      ...parseRemarks(model.notMeasured).filter((each) => !original || !isListedAbove(each)),
    ],
    ...comparisons,
  });
}
