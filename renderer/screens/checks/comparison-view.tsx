import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReportComparison } from '../../../preload/contract/report.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { useApp } from '../../api.ts';
import { SwapIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { formatDateTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { moveFocus } from '../../move-focus.ts';
import { serverName } from '../../server-name.ts';
import { useChecks } from './checks.ts';
import {
  ComparisonCell,
  type DifferenceRow,
  differenceRows,
  sectionTitle,
  type Side,
  sides,
} from './comparison-rows.tsx';
import classes from './comparison.module.css';
import { FilterButtons, Parts } from './report-parts.tsx';
import reportClasses from './report.module.css';

/** The differences between two reports, without what is equal. */
export function ComparisonView() {
  const { view } = useChecks();
  return view.kind === 'comparison' && <Comparison comparison={view.comparison} />;
}

function Comparison({ comparison }: { comparison: ReportComparison }) {
  const words = reportTexts();
  const sideOf = useSides(comparison);
  const [shown, setShown] = useState<'all' | 'worse'>('all');
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => moveFocus(headingRef.current), []);
  const rows = differenceRows(comparison);
  const worseRows = rows.filter(({ worse }) => worse !== undefined);
  const shownRows = shown === 'all' ? rows : worseRows;
  const count = new Set(rows.map(({ caseId }) => caseId)).size;
  const { compared } = comparison;
  const isOneServer = sideOf('before').name === sideOf('after').name;
  const lessSafe = sides.flatMap((side) => {
    const number = rows.filter(({ worse }) => worse === side).length;
    const { name, startedAt } = sideOf(side);
    // Two runs of one server are distinguished by their time.
    const fullName = isOneServer ? `${name} (${formatDateTime(startedAt)})` : name;
    return number === 0 ? [] : [t('checks.lessSafe', { name: fullName, number })];
  });
  return (
    <div className="grow slim scroll stable unpinned">
      <div className={reportClasses.column} data-width="table">
        <h2 ref={headingRef} tabIndex={-1} className={reportClasses.heading}>
          {[
            count === 0 ? t('checks.same', { count: compared }) : t('checks.differ', { count, compared }),
            ...lessSafe,
          ].join(' ')}
        </h2>
        <p className={reportClasses.plain}>{words.t('comparison.intro')}</p>
        <FilterButtons
          label={t('checks.showDifferences')}
          value={shown}
          onChange={setShown}
          choices={[
            { value: 'all', label: t('checks.differences'), count: rows.length },
            { value: 'worse', label: t('checks.onlyLessSafe'), count: worseRows.length },
          ]}
        />
        {shownRows.length === 0 ? (
          <p className={reportClasses.plain}>{t('run.noneShown')}</p>
        ) : (
          <DifferencesTable rows={shownRows} sideOf={sideOf} />
        )}
        <Unknown unknown={comparison.unknown} />
      </div>
    </div>
  );
}

/** Returns a function for the current name of a side, or else the name in its report. */
function useSides(comparison: ReportComparison) {
  const { servers } = useApp();
  return (side: Side) => {
    const { baseUrl, serverName: nameThen, startedAt } = comparison[side];
    const server = servers.find((each) => each.baseUrl === baseUrl);
    const name = server ? serverName(server) : (nameThen ?? baseUrl);
    return { name, baseUrl, colour: server?.colour ?? 'gray', startedAt } as const;
  };
}

interface DifferencesTableProps {
  rows: readonly DifferenceRow[];
  sideOf: ReturnType<typeof useSides>;
}

/**
 * The differences by section. Roles are explicit, since the `display` of the narrow layout removes the implicit ones.
 */
function DifferencesTable({ rows, sideOf }: DifferencesTableProps) {
  const { runs } = useChecks();
  const [isSwapped, setSwapped] = useState(false);
  const order = isSwapped ? sides.toReversed() : sides;
  const cases = new Map(runs?.reports.flatMap(({ report }) => report.cases).map(({ id, section }) => [id, section]));
  const groups = Map.groupBy(rows, ({ caseId }) => cases.get(caseId));
  const inOrder = [...groups].toSorted(([a = Infinity], [b = Infinity]) => a - b);
  /* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles -- See above. */
  return (
    <div className="card clip">
      <table className={classes.table} role="table" aria-label={t('checks.differences')}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t('checks.question')}
            </th>
            {(['first', 'second'] as const).map((place, index) => {
              const { name, baseUrl, colour, startedAt } = sideOf(order[index] ?? 'after');
              return (
                <th key={place} scope="col" role="columnheader">
                  <span className={classes.side}>
                    <ServerDot colour={colour} size={10} />
                    <UntrustedText className="size13 full" title={baseUrl} text={name} />{' '}
                    <span>{formatDateTime(startedAt)}</span>
                    {place === 'first' && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={24}
                        className="far"
                        aria-label={t('checks.swap')}
                        onClick={() => setSwapped(!isSwapped)}
                      >
                        <SwapIcon />
                      </ActionIcon>
                    )}
                  </span>
                </th>
              );
            })}
          </tr>
        </thead>
        {inOrder.map(([section, ofSection]) => (
          <tbody key={section ?? 'other'} role="rowgroup">
            <tr role="row" className={classes.group}>
              <th role="rowheader" scope="rowgroup" colSpan={3}>
                {sectionTitle(section)}
              </th>
            </tr>
            {ofSection.map((row) => (
              <tr key={row.key} role="row">
                <th role="rowheader" scope="row">
                  {row.title}
                </th>
                {order.map((side) => (
                  <td key={side} role="cell" data-worse={row.worse === side}>
                    <ComparisonCell cell={row[side]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
  /* oxlint-enable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles */
}

/** Tests that only one side ran, and why the other did not. */
function Unknown({ unknown }: Pick<ReportComparison, 'unknown'>) {
  const words = reportTexts();
  const texts = words.texts('comparison');
  if (unknown.length === 0) return null;
  return (
    <section aria-labelledby="run-unknown">
      <h2 id="run-unknown" className={reportClasses.head}>
        {texts('unknown')}
      </h2>
      <ul className="list grid gap4 text">
        {unknown.map(({ caseId, side, reason }) => (
          <li key={`${caseId} ${side}`}>
            {words.case(caseId)} · {texts(side === 'before' ? 'notBefore' : 'notAfter')}{' '}
            {reason ? <Parts parts={words.notMeasured(reason)} /> : texts('notInReport')}
          </li>
        ))}
      </ul>
    </section>
  );
}
