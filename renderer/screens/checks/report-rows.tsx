import { reportTexts } from '../../answers/report-texts.ts';
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';
import { countsOf, rowGroups, rowsOf, type ReportRow, type RowGroup } from '../../../preload/contract/report-rows.ts';
import type { Finding } from '../../../preload/contract/report.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import { acceptedFaults, titleOfFault } from './acceptance.ts';
import { AcceptanceNote } from './accepting.tsx';
import { ShortAnswer } from './answers.tsx';
import classes from './document.module.css';
import { Picks } from './picks.tsx';
import { type Chosen, useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { t } from '../../i18n.ts';

export type Row = ReportRow<Finding>;

/** What is shown when a row is chosen. */
export const chosenOf = (row: Row): Chosen =>
  row.kind === 'finding' ? { kind: 'finding', id: row.finding.id } : { kind: 'case', id: row.result.id };

/** Returns the rows of a report as the window shows them. */
export function useRows(report: Pick<ShownReport, 'cases' | 'findings'>): Row[] {
  const { acceptances } = useReport();
  return rowsOf(report, acceptedFaults(acceptances));
}

/** What stands together on the page, and under which heading. What is wrong needs none. */
const sections = [
  { id: 'wrong', groups: ['problems', 'notes', 'accepted'] },
  { id: 'unspecified', groups: ['unspecified'] },
  { id: 'passed', groups: ['passed'] },
  { id: 'not-tested', groups: ['not-tested'] },
] as const satisfies { id: string; groups: readonly RowGroup[] }[];

interface ReportRowsProps {
  report: Pick<ShownReport, 'cases' | 'findings'>;
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Shows a report row by row, the worst first, and lets one choose a group of it. */
export function ReportRows({ report, chosen, onChoose }: ReportRowsProps) {
  const words = reportTexts();

  const [show, setShow] = useState<'all' | RowGroup>('all');
  const rows = useRows(report);
  const counts = countsOf(rows);
  // A group that an acceptance has emptied is not chosen any more.
  const shownGroup = show !== 'all' && counts[show] > 0 ? show : 'all';
  const shown = rows.filter(({ group }) => shownGroup === 'all' || group === shownGroup);
  const chosenRow = rows.find((row) => {
    const { kind, id } = chosenOf(row);
    return kind === chosen?.kind && id === chosen.id;
  });
  const { list, lineOf } = useRovingFocus(
    shown.map(({ fault }) => fault),
    chosenRow?.fault,
  );
  return (
    <section className={classes.results} aria-label={t('run.results')}>
      <Picks
        label={t('run.show')}
        shown={shownGroup}
        onShow={setShow}
        picks={[
          { value: 'all' as const, label: t('contract.all'), count: rows.length },
          ...rowGroups
            .filter((group) => counts[group] > 0 || group === 'problems')
            .map((group) => ({ value: group, label: words.t(`groups.${group}`), count: counts[group] })),
        ]}
      />
      {shown.length === 0 && <p className={classes.plain}>{t('run.noneShown')}</p>}
      <div className={classes.results} {...list}>
        {sections.map(({ id, groups }) => (
          <Section
            key={id}
            id={id}
            rows={shown.filter(({ group }) => groups.some((each) => each === group))}
            lineOf={lineOf}
            onChoose={onChoose}
          />
        ))}
      </div>
      <AcceptedElsewhere />
    </section>
  );
}

interface SectionProps extends Pick<ReportRowsProps, 'onChoose'> {
  id: (typeof sections)[number]['id'];
  rows: readonly Row[];
  lineOf: ReturnType<typeof useRovingFocus>['lineOf'];
}

function Section({ id, rows, lineOf, onChoose }: SectionProps) {
  if (rows.length === 0) return null;
  const isWrong = id === 'wrong';
  return (
    <section aria-labelledby={isWrong ? undefined : `run-${id}`} aria-label={isWrong ? t('contract.wrong') : undefined}>
      {!isWrong && (
        <div className={classes.head}>
          <h2 id={`run-${id}`}>{t(`contract.groups.${id}`)}</h2>
          <span className={classes.aside}>{rows.length}</span>
        </div>
      )}
      <ul className={classes.rows}>
        {rows.map((row) => (
          <li key={row.fault}>
            <button
              type="button"
              className={classes.row}
              data-kind={isWrong ? 'wrong' : 'seen'}
              {...lineOf(row.fault)}
              onClick={() => onChoose(chosenOf(row))}
            >
              {isWrong ? <WrongRow row={row} /> : row.kind === 'case' && <SeenRow result={row.result} />}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says what kind of a row it is that is wrong or worth a note. */
export function RowKind({ row }: { row: Row }) {
  if (row.group === 'notes') return t('contract.kinds.note');
  return t(row.kind === 'finding' ? 'contract.kinds.finding' : 'contract.kinds.requirement');
}

export function useRowTitle(): (row: Row) => string {
  const words = reportTexts();

  return (row) => (row.kind === 'finding' ? words.finding(row.finding).title : words.case(row.result.id));
}

function WrongRow({ row }: { row: Row }) {
  const words = reportTexts();

  const title = useRowTitle()(row);
  const isAccepted = row.group === 'accepted';
  return (
    <>
      <SeverityLabel severity={row.severity} />
      <span className={classes.title}>{isAccepted ? <s>{title}</s> : title}</span>
      <span className={classes.kind}>{isAccepted ? words.t('groups.accepted') : <RowKind row={row} />}</span>
    </>
  );
}

function SeenRow({ result }: { result: CaseResult }) {
  const words = reportTexts();

  return (
    <>
      <span className={classes.asked}>{words.case(result.id)}</span>
      <span className={classes.said}>
        <ShortAnswer result={result} />
      </span>
    </>
  );
}

/** Says what is accepted of the server and is not in this report, so that nobody keeps an acceptance of nothing. */
function AcceptedElsewhere() {
  const words = reportTexts();
  const { acceptances, onWithdraw } = useReport();
  const elsewhere = acceptances.filter(({ state }) => state === 'gone' || state === 'unmeasured');
  if (elsewhere.length === 0) return null;
  return (
    <ul className={classes.elsewhere} aria-label={t('contract.accepted.elsewhere')}>
      {elsewhere.map((acceptance) => {
        const title = titleOfFault(acceptance.fault, words);
        return (
          <li key={acceptance.fault}>
            <span className={classes.words}>
              <span>
                {t(acceptance.state === 'gone' ? 'contract.accepted.gone' : 'contract.accepted.unmeasured', { title })}
              </span>
              <AcceptanceNote acceptance={acceptance} />
            </span>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={t('contract.accepted.withdrawOf', { title })}
              onClick={() => onWithdraw(acceptance.fault)}
            >
              {t('contract.accepted.withdraw')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
