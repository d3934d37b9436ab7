import { useEffect, useMemo, useRef } from 'react';
import type { BehaviourChange, RuleName, RuleValue, ShownDouble } from '../../../preload/contract/local-servers.ts';
import type { ReportComparison } from '../../../preload/contract/report.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { sayRemark } from '../../../preload/contract/words/say-remark.ts';
import { reportWords } from '../../../preload/contract/words/say-report.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { Fold } from '../../components/fold.tsx';
import { formatDuration } from '../../format.ts';
import { Faults } from '../built-in-server/faults.tsx';
import { useQuery } from '../../use-query.ts';
import { Vulnerabilities } from '../built-in-server/vulnerabilities.tsx';
import { ComparisonCell, differenceRows } from '../checks/comparison-rows.tsx';
import { Parts } from '../checks/report-parts.tsx';
import classes from './double-parts.module.css';
import { language, t } from '../../i18n.ts';

interface DoubleFoldsProps {
  server: Server;
  double: ShownDouble;
}

/** Shows what was learned of the original, what was not, what differs, and what the double does wrong on purpose. */
export function DoubleFolds({ server, double }: DoubleFoldsProps) {
  const spoken = language();
  const words = useMemo(() => reportWords(spoken), [spoken]);
  const { details, error } = useDetails(server.id, double.proof.state);
  if (error) return <ErrorMessage error={error} during="server" />;
  const { learned = [], notMeasured = [], unmeasuredCases = [], remarks = [], comparison, changes } = details ?? {};
  const { proof } = double;
  const differs = proof.state === 'compared' && proof.differences > 0;
  const counts = { number: notMeasured.length + unmeasuredCases.length };
  return (
    <div className="card">
      {comparison && differs && (
        <Fold title={t('doubles.differences')} value={String(comparison.differences.length)} isOpen>
          <Differences comparison={comparison} sides={[double.of, server.name]} />
        </Fold>
      )}
      {changes && (
        <Fold title={t('doubles.changes')} value={t('doubles.changesCount', { number: changes.differences.length })}>
          <Differences comparison={changes} sides={[t('doubles.before'), t('doubles.now')]} />
        </Fold>
      )}
      <Fold
        title={t('doubles.learned')}
        value={details ? t('doubles.rests', { calls: details.calls, answers: details.answers }) : ''}
      >
        <ul className={classes.list}>
          {learned.map(({ rule, value, calls }) => (
            <li key={rule} className={classes.rule}>
              <span>{t(`doubles.rules.${rule}`)}</span>
              <span>
                <b>{sayValue(rule, value)}</b> <span className="muted">{t('doubles.calls', { count: calls })}</span>
              </span>
            </li>
          ))}
        </ul>
      </Fold>
      <Fold title={t('doubles.notMeasured')} value={details ? t('doubles.notMeasuredCount', counts) : ''}>
        <p className="flush text soft">{t('doubles.notMeasuredHelp')}</p>
        <ul className={classes.list}>
          {notMeasured.map((rule) => (
            <li key={rule}>{t(`doubles.rules.${rule}`)}</li>
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
            <p className="flush text soft">{t('doubles.remarks')}</p>
            <ul className={classes.list}>
              {remarks.map((remark) => (
                <li key={JSON.stringify(remark)}>
                  <Parts parts={sayRemark(words, remark)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </Fold>
      <Misbehaves server={server} double={double} />
    </div>
  );
}

/** Reads what is known of a double, again once it was compared. */
function useDetails(id: string, compared: string) {
  const { data: details, error, reload } = useQuery(() => api.doubles.details({ id }), id);
  const seen = useRef(compared);
  useEffect(() => {
    if (seen.current === compared) return;
    seen.current = compared;
    void reload();
  }, [compared, reload]);
  return { details, error };
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

/** Chooses what a double does wrong on purpose, as at the built-in server. */
function Misbehaves({ server, double: { run, behaviour } }: DoubleFoldsProps) {
  const { data: choices } = useQuery(api.builtIn.choices);
  const { wrong, faults } = behaviour;

  const behave = (change: Omit<BehaviourChange, 'dialect'>) => api.doubles.behave({ id: server.id, change });

  return (
    <Fold
      title={t('doubles.misbehaves')}
      value={t('doubles.misbehavesCount', { number: wrong.length + faults.length })}
    >
      {run.state !== 'running' && <p className="flush text soft">{t('doubles.startFirst')}</p>}
      {run.state === 'running' && choices && (
        <>
          <Vulnerabilities names={choices.wrongs} chosen={wrong} behave={behave} />
          <Faults choices={choices} behaviour={behaviour} behave={behave} />
        </>
      )}
    </Fold>
  );
}

/** More than anybody sends stands for a limit that was not met. */
const NO_LIMIT = 1_000_000;

const characters: ReadonlySet<RuleName> = new Set(['nameMost', 'emailMost', 'passwordLeast', 'passwordMost']);

function sayValue(rule: RuleName, value: RuleValue): string {
  switch (value.kind) {
    case 'flag':
      return t(value.yes ? 'doubles.values.yes' : 'doubles.values.no');
    case 'never':
      return t('doubles.values.never');
    case 'choice':
      return t(`doubles.values.${value.choice}`);
    case 'limit':
      return t('doubles.values.limit', { most: value.most, time: formatDuration(value.windowSeconds) });
    case 'number':
      return sayNumber(rule, value.number);
    default:
      return value satisfies never;
  }
}

function sayNumber(rule: RuleName, number: number): string {
  if (rule === 'tokenSeconds') return formatDuration(number);
  if (rule === 'passwordCutAt' && number === 0) return t('doubles.values.no');
  if (number >= NO_LIMIT) return t('doubles.values.noLimit');
  return t(characters.has(rule) ? 'doubles.values.characters' : 'doubles.values.bytes', { number });
}
