import { ActionIcon } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { ReportComparison } from '../../../preload/contract/report.ts';
import type { CaseId } from '../../../preload/contract/report-cases.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { moveFocus } from '../../move-focus.ts';
import { SwapIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { serverName } from '../../server-name.ts';
import classes from './comparison.module.css';
import { ComparisonCell } from './comparison-cell.tsx';
import { type DifferenceGroup, type DifferenceRow, groupsOf, type Side } from './comparison-rows.ts';
import documentClasses from './document.module.css';
import pageClasses from './page.module.css';
import { Parts } from './parts.tsx';
import { Picks } from './picks.tsx';
import { formatDateTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { reportTexts } from '../../answers/report-texts.ts';

interface ComparisonViewProps {
  comparison: ReportComparison;
  servers: readonly Server[];
  sectionOf: (id: CaseId) => number | undefined;
}

/** Shows what differs between two reports, and nothing else. */
export function ComparisonView({ comparison, servers, sectionOf }: ComparisonViewProps) {
  const words = reportTexts();
  const [show, setShow] = useState<'all' | 'worse'>('all');
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => moveFocus(headingRef.current), []);
  const groups = groupsOf(comparison, words, sectionOf);
  const rows = groups.flatMap((group) => group.rows);
  const { compared } = comparison;
  const count = new Set(rows.map(({ caseId }) => caseId)).size;
  const names = {
    before: sideOf(comparison, 'before', servers).name,
    after: sideOf(comparison, 'after', servers).name,
  };
  /** Two runs of one server are told apart by their time. */
  const nameOf = (side: Side) =>
    names.before === names.after ? `${names[side]} (${formatDateTime(comparison[side].startedAt)})` : names[side];
  const worse = (['before', 'after'] as const).flatMap((side) => {
    const number = rows.filter((row) => row.worse === side).length;
    return number === 0 ? [] : [t('contract.lessSafe', { name: nameOf(side), number })];
  });
  const shown = groups.flatMap(({ section, rows: all }) => {
    const some = show === 'all' ? all : all.filter((row) => row.worse !== undefined);
    return some.length === 0 ? [] : [{ section, rows: some }];
  });
  return (
    <div className={pageClasses.scroll}>
      <div className={pageClasses.page} data-width="table">
        <h2 ref={headingRef} tabIndex={-1} className={pageClasses.heading}>
          {[
            count === 0 ? t('contract.same', { count: compared }) : t('contract.differ', { count, compared }),
            ...worse,
          ].join(' ')}
        </h2>
        <p className={documentClasses.plain}>{words.t('comparison.intro')}</p>
        <Picks
          label={t('contract.showDifferences')}
          shown={show}
          onShow={setShow}
          picks={[
            { value: 'all', label: t('contract.differences'), count: rows.length },
            {
              value: 'worse',
              label: t('contract.onlyLessSafe'),
              count: rows.filter((row) => row.worse !== undefined).length,
            },
          ]}
        />
        {shown.length === 0 && <p className={documentClasses.plain}>{t('run.noneShown')}</p>}
        {shown.length > 0 && <DifferencesTable comparison={comparison} servers={servers} groups={shown} />}
        <Unknown comparison={comparison} />
      </div>
    </div>
  );
}

/** Names one side as Llavero names its server now, or else as its report does. */
function sideOf(comparison: ReportComparison, side: Side, servers: readonly Server[]) {
  const { baseUrl, serverName: nameThen, startedAt } = comparison[side];
  const server = servers.find((each) => each.baseUrl === baseUrl);
  return {
    name: server ? serverName(server) : (nameThen ?? baseUrl),
    baseUrl,
    colour: server?.colour ?? 'gray',
    startedAt,
  };
}

interface TableProps extends Pick<ComparisonViewProps, 'comparison' | 'servers'> {
  groups: readonly DifferenceGroup[];
}

const sides: Record<'as-compared' | 'swapped', readonly Side[]> = {
  'as-compared': ['before', 'after'],
  swapped: ['after', 'before'],
};

const places = ['first', 'second'] as const;

/** Shows the differences as a table. Its roles are written out, since the layout of a narrow room takes them away. */
function DifferencesTable({ comparison, servers, groups }: TableProps) {
  const words = reportTexts();
  const [order, setOrder] = useState<keyof typeof sides>('as-compared');
  const titleOf = (section: DifferenceGroup['section']): string => {
    const title = section === undefined ? undefined : words.section(section);
    return title === undefined ? t('contract.otherSection') : t('run.section', { number: section, title });
  };
  /* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles -- see above. */
  return (
    <div className="card clip">
      <table className={classes.table} role="table" aria-label={t('contract.differences')}>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">
              {t('contract.question')}
            </th>
            {sides[order].map((side, index) => {
              const { name, baseUrl, colour, startedAt } = sideOf(comparison, side, servers);
              return (
                // The button that swaps the sides keeps its place, and the focus.
                <th key={places[index]} scope="col" role="columnheader">
                  <span className={classes.side}>
                    <ServerDot colour={colour} size={10} />
                    <UntrustedText className="size13 full" title={baseUrl} text={name} />{' '}
                    <span>{formatDateTime(startedAt)}</span>
                    {index === 0 && (
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        size={24}
                        className="far"
                        aria-label={t('contract.swap')}
                        onClick={() => setOrder(order === 'swapped' ? 'as-compared' : 'swapped')}
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
        {groups.map(({ section, rows }) => (
          <tbody key={section ?? 'other'} role="rowgroup">
            <tr role="row" className={classes.group}>
              <th role="rowheader" scope="rowgroup" colSpan={3}>
                {titleOf(section)}
              </th>
            </tr>
            {rows.map((row) => (
              <Row key={row.key} row={row} order={sides[order]} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Row({ row, order }: { row: DifferenceRow; order: readonly Side[] }) {
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        {row.what}
      </th>
      {order.map((side) => (
        <td key={side} role="cell" data-worse={row.worse === side}>
          <ComparisonCell cell={row[side]} />
        </td>
      ))}
    </tr>
  );
}
/* oxlint-enable jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/no-redundant-roles */

/** Says what only one side measured, and why the other did not. */
function Unknown({ comparison: { unknown } }: Pick<ComparisonViewProps, 'comparison'>) {
  const words = reportTexts();
  if (unknown.length === 0) return null;
  const texts = words.texts('comparison');
  return (
    <section aria-labelledby="run-unknown">
      <h2 id="run-unknown" className={documentClasses.head}>
        {texts('unknown')}
      </h2>
      <ul className="list grid gap4 text">
        {unknown.map(({ caseId, side, reason }) => (
          <li key={`${caseId} ${side}`}>
            {words.case(caseId)} · {side === 'before' ? texts('notBefore') : texts('notAfter')}{' '}
            {reason ? <Parts parts={words.notMeasured(reason)} /> : texts('notInReport')}
          </li>
        ))}
      </ul>
    </section>
  );
}
