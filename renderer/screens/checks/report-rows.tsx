import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { countsOf, rowGroups, type ReportRow, type RowGroup } from '../../../preload/contract/report-rows.ts';
import type { Finding } from '../../../preload/contract/report.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import { useVirtualRows } from '../../use-virtual-rows.ts';
import { AcceptanceNote, faultTitle } from './acceptance.tsx';
import { ShortAnswer } from './answers.tsx';
import { useReport, withdrawAcceptance } from './checks.ts';
import { FilterButtons, SeverityLabel } from './report-parts.tsx';
import classes from './report.module.css';

export type FindingRow = ReportRow<Finding>;

/** The groups of rows by section. The section of problems has no heading. */
const sections = [
  { id: 'wrong', groups: ['problems', 'notes', 'accepted'] },
  { id: 'unspecified', groups: ['unspecified'] },
  { id: 'passed', groups: ['passed'] },
  { id: 'not-tested', groups: ['not-tested'] },
] as const satisfies { id: string; groups: readonly RowGroup[] }[];

interface ReportRowsProps {
  rows: readonly FindingRow[];
  /** The fault of the row whose details are shown. */
  chosen: string | undefined;
  onChoose: (fault: string) => void;
}

/** The rows of a report, the worst first. One group can be shown alone. */
export function ReportRows({ rows, chosen, onChoose }: ReportRowsProps) {
  const words = reportTexts();
  const [wantedGroup, setGroup] = useState<'all' | RowGroup>('all');
  const counts = countsOf(rows);
  // A group may be empty after an acceptance.
  const group = wantedGroup !== 'all' && counts[wantedGroup] > 0 ? wantedGroup : 'all';
  const shown = rows.filter((row) => group === 'all' || row.group === group);
  return (
    <section className="grid slim gap16" aria-label={t('run.results')}>
      <FilterButtons
        label={t('run.show')}
        value={group}
        onChange={setGroup}
        choices={[
          { value: 'all' as const, label: t('checks.all'), count: rows.length },
          ...rowGroups
            .filter((each) => counts[each] > 0 || each === 'problems')
            .map((each) => ({ value: each, label: words.t(`groups.${each}`), count: counts[each] })),
        ]}
      />
      {shown.length === 0 && <p className={classes.plain}>{t('run.noneShown')}</p>}
      <RowSections rows={shown} chosen={chosen} onChoose={onChoose} />
      <UnmatchedAcceptances />
    </section>
  );
}

/** Pixels of the gap between two sections, of a heading, and of a row of one line. */
const gap = 16;
const headHeight = 31;
const rowHeight = 36;

/** The sections of a report, in a virtual list. */
function RowSections({ rows, chosen, onChoose }: ReportRowsProps) {
  const { list, itemProps } = useRovingFocus(
    rows.map(({ fault }) => fault),
    chosen,
  );
  const listRef = useRef<HTMLDivElement>(null);
  const shown = sections
    .map(({ id, groups }) => ({ id, ofSection: rows.filter((row) => groups.some((each) => each === row.group)) }))
    .filter(({ ofSection }) => ofSection.length > 0);
  const { rowsOf, heightOf, onFocus } = useVirtualRows({
    listRef,
    sections: shown.map(({ id, ofSection }) => ({
      keys: ofSection.map(({ fault }) => fault),
      headHeight: id === 'wrong' ? gap : headHeight + gap,
    })),
    rowHeight,
    // The Tab key reaches it.
    kept: chosen,
  });
  return (
    <div
      {...list}
      ref={listRef}
      className="grid slim gap16"
      onFocus={(event) => {
        list.onFocus(event);
        onFocus(event);
      }}
    >
      {shown.map(({ id, ofSection }, at) => {
        const rendered = rowsOf(at);
        if (rendered.length === 0) return <div key={id} style={{ height: heightOf(at) - gap }} />;
        const isWrong = id === 'wrong';
        return (
          <section
            key={id}
            aria-labelledby={isWrong ? undefined : `run-${id}`}
            aria-label={isWrong ? t('checks.wrong') : undefined}
          >
            {!isWrong && (
              <div className={classes.head}>
                <h2 id={`run-${id}`}>{t(`checks.groups.${id}`)}</h2>
                <span className={classes.aside}>{ofSection.length}</span>
              </div>
            )}
            <ul className={classes.rows}>
              {rendered.map((each) => {
                if ('gap' in each) return <li key={`gap ${each.from}`} style={{ height: each.gap }} aria-hidden />;
                const row = ofSection[each.position];
                return (
                  row && (
                    <li key={row.fault} aria-posinset={each.position + 1} aria-setsize={ofSection.length}>
                      <button
                        type="button"
                        className={classes.row}
                        data-kind={isWrong ? 'wrong' : 'answer'}
                        data-index={each.index}
                        {...itemProps(row.fault)}
                        onClick={() => onChoose(row.fault)}
                      >
                        {isWrong ? <WrongRow row={row} /> : <AnswerRow row={row} />}
                      </button>
                    </li>
                  )
                );
              })}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** The kind of a row that is a problem or a note. */
export function rowKind(row: FindingRow): string {
  if (row.group === 'notes') return t('checks.kinds.note');
  return t(row.kind === 'finding' ? 'checks.kinds.finding' : 'checks.kinds.requirement');
}

export function rowTitle(row: FindingRow): string {
  const words = reportTexts();
  return row.kind === 'finding' ? words.finding(row.finding).title : words.case(row.result.id);
}

function WrongRow({ row }: { row: FindingRow }) {
  const isAccepted = row.group === 'accepted';
  return (
    <>
      <SeverityLabel severity={row.severity} />
      <span className={classes.title}>{isAccepted ? <s>{rowTitle(row)}</s> : rowTitle(row)}</span>
      <span className={classes.kind}>{isAccepted ? reportTexts().t('groups.accepted') : rowKind(row)}</span>
    </>
  );
}

function AnswerRow({ row }: { row: FindingRow }) {
  return (
    row.kind === 'case' && (
      <>
        <span className="text soft">{rowTitle(row)}</span>
        <span className={classes.answer}>
          <ShortAnswer result={row.result} />
        </span>
      </>
    )
  );
}

/** Acceptances that match nothing in this report, so that the user can withdraw them. */
function UnmatchedAcceptances() {
  const { run, acceptances } = useReport();
  const { run: runAction, failure } = useAction();
  const unmatched = acceptances.filter(({ state }) => state === 'gone' || state === 'unmeasured');
  if (unmatched.length === 0) return null;
  return (
    <>
      <ul className={classes.unmatched} aria-label={t('checks.accepted.elsewhere')}>
        {unmatched.map((acceptance) => {
          const { fault, state } = acceptance;
          const title = faultTitle(fault);
          return (
            <li key={fault}>
              <span className="grid slim gap2">
                <span>{t(state === 'gone' ? 'checks.accepted.gone' : 'checks.accepted.unmeasured', { title })}</span>
                <AcceptanceNote acceptance={acceptance} />
              </span>
              <Button
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={t('checks.accepted.withdrawOf', { title })}
                onClick={() =>
                  void runAction(
                    () => withdrawAcceptance(run.serverId, fault),
                    () => () => t('checks.accepted.withdrawn', { title: faultTitle(fault) }),
                  )
                }
              >
                {t('checks.accepted.withdraw')}
              </Button>
            </li>
          );
        })}
      </ul>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}
