import { Button } from '@mantine/core';
import type {
  BehaviourChange,
  MockVerificationStatus,
  RuleName,
  RuleValue,
  MockServerInfo,
} from '../../../preload/contract/local-servers.ts';
import { accountRuleNames, type AccountRuleName } from '../../../preload/contract/names.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { AllowedOrigins } from '../../components/allowed-origins.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import {
  ActivityIcon,
  DoneIcon,
  InfoIcon,
  PlayIcon,
  RefreshIcon,
  StopIcon,
  WarningIcon,
} from '../../components/icons.tsx';
import { BreakableText, UntrustedText } from '../../components/untrusted-text.tsx';
import { useAction } from '../../use-action.ts';
import { ClockStrip } from '../built-in-server/strip.tsx';
import stripClasses from '../built-in-server/strip.module.css';
import { formatDateTime, formatDuration } from '../../format.ts';
import classes from './mock-server.module.css';
import { t } from '../../i18n.ts';
import type { ReportComparison } from '../../../preload/contract/report.ts';
import { formatRemark } from '../../../preload/contract/locales/format-remark.ts';
import type { ReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { Fold } from '../../components/fold.tsx';
import { Faults } from '../built-in-server/faults.tsx';
import { useQuery } from '../../use-query.ts';
import { Vulnerabilities } from '../built-in-server/vulnerabilities.tsx';
import { ComparisonCell, differenceRows } from '../checks/comparison-rows.tsx';
import { Parts } from '../checks/report-parts.tsx';
import { reportTexts } from '../../answers/report-texts.ts';

interface MockServerProps {
  server: Server;
  mock: MockServerInfo;
}

interface ActingProps extends MockServerProps {
  /** Shared by all actions, since each changes the mock server: one runs at a time. */
  action: ReturnType<typeof useAction>;
}

/** A mock server: its original, its status, how it compares, and what was learned. */
export function MockServer({ server, mock }: MockServerProps) {
  const isWorkbench = useApp().settings.workbench;
  const action = useAction();
  return (
    <>
      <p className="flush text soft">{t('mocks.of', { name: mock.of, moment: formatDateTime(mock.measuredAt) })}</p>
      <RunStrip server={server} mock={mock} action={action} />
      <VerificationStrip server={server} mock={mock} action={action} />
      {action.failure && <ErrorMessage error={action.failure.error} during="server" />}
      {isWorkbench && mock.run.state === 'running' && (
        <ClockStrip
          aheadMs={mock.clockAheadMs}
          sending={action.pending}
          onMove={(to) => void action.run(() => api.mocks.moveClock({ id: server.id, to }))}
        />
      )}
      {isWorkbench && <MockServerFolds key={mock.measuredAt} server={server} mock={mock} />}
      {isWorkbench && <AllowedOrigins key={server.id} server={server} />}
    </>
  );
}

const runIcons = { running: DoneIcon, starting: ActivityIcon, stopped: InfoIcon, failed: WarningIcon } as const;

/** Status, and one button to start and stop, so that it keeps the focus. */
function RunStrip({ server, mock: { run }, action }: ActingProps) {
  const isRunning = run.state === 'running';
  const failure = run.state === 'failed' ? run.message : '';
  const Icon = runIcons[run.state];
  return (
    <section
      className={stripClasses.strip}
      data-tone={run.state === 'failed' ? 'bad' : isRunning ? 'good' : 'quiet'}
      aria-label={t('mocks.runTitle')}
    >
      <Icon size={20} />
      <div className={stripClasses.texts}>
        <output className={stripClasses.text}>
          <strong>{t(`mocks.run.${run.state}`)}</strong>
          <span>
            {isRunning ? (
              <UntrustedText text={server.baseUrl} />
            ) : (
              t(run.state === 'failed' ? 'mocks.failedHelp' : 'mocks.stoppedHelp', { failure })
            )}
          </span>
        </output>
        <div className={stripClasses.text} data-holds aria-hidden>
          <strong>{t('mocks.run.stopped')}</strong>
          <span>{t('mocks.stoppedHelp')}</span>
        </div>
      </div>
      <Button
        variant="default"
        size="xs"
        miw={96}
        leftSection={isRunning ? <StopIcon /> : <PlayIcon />}
        aria-busy={action.pending || run.state === 'starting'}
        onClick={() =>
          void action.run(() => (isRunning ? api.mocks.stop({ id: server.id }) : api.mocks.start({ id: server.id })))
        }
      >
        {t(isRunning ? 'mocks.stop' : 'mocks.start')}
      </Button>
    </section>
  );
}

/** How the mock server compares with its original. It is as high as its longest text. */
function VerificationStrip({ server, mock: { verification, of, originId }, action }: ActingProps) {
  const differs = verification.state === 'compared' && verification.differences > 0;
  const isGood = verification.state === 'compared' && !differs;
  const Icon = isGood ? DoneIcon : differs ? WarningIcon : verification.state === 'running' ? ActivityIcon : InfoIcon;
  const isPossible = originId !== undefined && verification.state !== 'running';
  const [done, planned] =
    verification.state === 'running' ? [verification.casesDone, verification.casesPlanned] : [0, 0];
  return (
    <section
      className={stripClasses.strip}
      data-tone={differs ? 'warn' : isGood ? 'good' : 'quiet'}
      aria-label={t('mocks.verificationTitle')}
    >
      <Icon size={20} />
      <div className={stripClasses.texts}>
        <output className={stripClasses.text}>
          <strong>
            <BreakableText text={verificationText(verification, of)} />
          </strong>
          <span>{t(`mocks.verificationHelp.${differs ? 'differs' : verification.state}`)}</span>
        </output>
        <div className={stripClasses.text} data-holds aria-hidden>
          <strong>{t('mocks.verification.differs', { name: of, count: 99, cases: 99 })}</strong>
          <span>{t('mocks.verificationHelp.from-file')}</span>
        </div>
        <progress
          className={classes.progress}
          hidden={verification.state !== 'running'}
          max={Math.max(1, planned)}
          value={done}
          aria-label={t('mocks.verification.running')}
        />
      </div>
      <Button
        variant="default"
        size="xs"
        leftSection={<RefreshIcon />}
        aria-disabled={!isPossible}
        aria-busy={action.pending}
        onClick={() => isPossible && void action.run(() => api.mocks.compare({ id: server.id }))}
      >
        {t('mocks.compareAgain')}
      </Button>
    </section>
  );
}

function verificationText(proof: MockVerificationStatus, name: string): string {
  if (proof.state !== 'compared') return t(`mocks.verification.${proof.state}`);
  const { differences: count, cases } = proof;
  return count === 0
    ? t('mocks.verification.same', { name, cases })
    : t('mocks.verification.differs', { name, count, cases });
}

/** Learned and missing rules, differences, and simulated faults of a mock server. */
function MockServerFolds({ server, mock }: MockServerProps) {
  const words = reportTexts();
  const { data: details, error } = useQuery(
    () => api.mocks.details({ id: server.id }),
    `${server.id} ${mock.verification.state}`,
  );
  if (error) return <ErrorMessage error={error} during="server" takesFocus={false} />;
  const { learned = [], notMeasured = [], unmeasuredCases = [], remarks = [], comparison, changes } = details ?? {};
  const { verification } = mock;
  const differs = verification.state === 'compared' && verification.differences > 0;
  const counts = { number: notMeasured.length + unmeasuredCases.length };
  return (
    <div className="card">
      {comparison && differs && (
        <Fold title={t('mocks.differences')} value={String(comparison.differences.length)} isOpen>
          <Differences comparison={comparison} sides={[mock.of, server.name]} />
        </Fold>
      )}
      {changes && (
        <Fold title={t('mocks.changes')} value={t('mocks.changesCount', { number: changes.differences.length })}>
          <Differences comparison={changes} sides={[t('mocks.before'), t('mocks.now')]} />
        </Fold>
      )}
      <Fold
        title={t('mocks.rulesFound')}
        value={details ? t('mocks.rests', { calls: details.calls, answers: details.answers }) : ''}
      >
        <ul className={classes.list}>
          {learned.map(({ rule, value, calls }) => (
            <li key={rule} className={classes.rule}>
              <span>{ruleText(words, rule)}</span>
              <span>
                <b>{ruleValueText(words, rule, value)}</b>{' '}
                <span className="muted">{t('mocks.calls', { count: calls })}</span>
              </span>
            </li>
          ))}
        </ul>
      </Fold>
      <Fold title={t('mocks.notTested')} value={details ? t('mocks.notTestedCount', counts) : ''}>
        <p className="flush text soft">{t('mocks.notTestedHelp')}</p>
        <ul className={classes.list}>
          {notMeasured.map((rule) => (
            <li key={rule}>{ruleText(words, rule)}</li>
          ))}
          {unmeasuredCases.map(({ caseId, reason }) => (
            <li key={caseId}>
              <span>{words.case(caseId)}</span>
              <span className="muted">
                <Parts parts={words.notMeasured(reason)} />
              </span>
            </li>
          ))}
        </ul>
        {remarks.length > 0 && (
          <>
            <p className="flush text soft">{t('mocks.remarks')}</p>
            <ul className={classes.list}>
              {remarks.map((remark) => (
                <li key={JSON.stringify(remark)}>
                  <Parts parts={formatRemark(words, remark)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Fold>
      <Misbehaviour server={server} mock={mock} />
    </div>
  );
}

interface DifferencesProps {
  comparison: ReportComparison;
  sides: readonly [before: string, after: string];
}

function Differences({ comparison, sides: [before, after] }: DifferencesProps) {
  const rows = differenceRows(comparison);
  return (
    <ul className={classes.list}>
      {rows.map((row) => (
        <li key={row.key}>
          <b>{row.title}</b>
          <span>
            <bdi className="muted">{before}</bdi>: <ComparisonCell cell={row.before} />
          </span>
          <span>
            <bdi className="muted">{after}</bdi>: <ComparisonCell cell={row.after} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Simulated vulnerabilities and faults, as for the built-in server. */
function Misbehaviour({ server, mock: { run, behaviour } }: MockServerProps) {
  const { data: choices } = useQuery(api.builtIn.choices);
  const { defects, faults } = behaviour;

  const behave = (change: Omit<BehaviourChange, 'dialect'>) => api.mocks.setBehaviour({ id: server.id, change });

  return (
    <Fold
      title={t('mocks.faultsActive')}
      value={t('mocks.faultsActiveCount', { number: defects.length + faults.length })}
    >
      {run.state !== 'running' && <p className="flush text soft">{t('mocks.startFirst')}</p>}
      {run.state === 'running' && choices && (
        <>
          <Vulnerabilities names={choices.defects} chosen={defects} behave={behave} />
          <Faults choices={choices} behaviour={behaviour} behave={behave} />
        </>
      )}
    </Fold>
  );
}

/** A number this high means that the check found no limit. */
const NO_LIMIT = 1_000_000;

const characters: ReadonlySet<AnyRule> = new Set(['nameMost', 'emailMost', 'passwordLeast', 'passwordMost']);

type AnyRule = RuleName | AccountRuleName;

const isAccountRule = (rule: AnyRule): rule is AccountRuleName => accountRuleNames.some((name) => name === rule);

const ruleText = ({ texts }: ReportFormatter, rule: AnyRule): string =>
  isAccountRule(rule) ? texts('model')(`accountRules.${rule}`) : t(`mocks.rules.${rule}`);

function ruleValueText({ texts, number }: ReportFormatter, rule: AnyRule, value: RuleValue): string {
  switch (value.kind) {
    case 'flag':
      return t(value.yes ? 'mocks.values.yes' : 'mocks.values.no');
    case 'never':
      return t('mocks.values.never');
    case 'choice':
      return t(`mocks.values.${value.choice}`);
    case 'limit':
      return t('mocks.values.limit', { most: value.most, time: formatDuration(value.windowSeconds) });
    case 'number':
      return rule === 'codeStepsBefore' ? number(value.number) : ruleNumberText(rule, value.number);
    case 'wrong-codes':
      return texts('model')(`wrongCodes.${value.of}`, { most: number(value.most) });
    default:
      return value satisfies never;
  }
}

function ruleNumberText(rule: AnyRule, number: number): string {
  if (rule === 'tokenSeconds' || rule === 'pendingLoginSeconds') return formatDuration(number);
  if (rule === 'passwordCutAt' && number === 0) return t('mocks.values.no');
  if (number >= NO_LIMIT) return t('mocks.values.noLimit');
  return t(characters.has(rule) ? 'mocks.values.characters' : 'mocks.values.bytes', { number });
}
