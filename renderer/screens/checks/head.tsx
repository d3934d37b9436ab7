import { Button, Menu } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { reportForms } from '../../../preload/contract/names.ts';
import { Chip } from '../../components/chip.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import {
  ActivityIcon,
  ChevronIcon,
  CompareIcon,
  DownloadIcon,
  MoreIcon,
  PlayIcon,
  RefreshIcon,
  StopIcon,
} from '../../components/icons.tsx';
import { capitalize, formatDateTime } from '../../format.ts';
import classes from './head.module.css';
import { type Asked, type HeadProps, RunItems, RunQuestion } from './run-menu.tsx';
import { t } from '../../i18n.ts';
import { useApp, useServer } from '../../api.ts';
import { useServerName } from '../../server-name.ts';

const QuietButton = Button.withProps({ h: 32, variant: 'subtle', color: 'gray' });

/** Names the server and the run that the room shows, and leads to the others. Says so while one is under way. */
export function Beside({ run: { shownId, underWay, report, runs }, panes }: HeadProps) {
  const nameOf = useServerName();
  const server = useServer(shownId);
  if (shownId === undefined) return null;
  const colour = server?.colour ?? 'gray';
  const name = nameOf(shownId);
  const moment = report && formatDateTime(report.startedAt);
  const isMenu = report !== undefined && runs !== undefined && !(underWay && underWay.caseId === undefined);
  const isOpen = panes.open === 'runs';
  return (
    <>
      {isMenu ? (
        <button
          type="button"
          className={classes.runs}
          aria-expanded={isOpen}
          aria-label={t('contract.runOf', { name, moment })}
          onClick={() => (isOpen ? panes.close() : panes.show('runs'))}
        >
          <ServerDot colour={colour} />
          <bdi className={classes.name} title={name}>
            {name}
          </bdi>
          <span className={classes.moment}>{capitalize(moment ?? '')}</span>
          <ChevronIcon size={14} />
        </button>
      ) : (
        <Chip>
          <ServerDot colour={colour} />
          <bdi className={classes.name} title={name}>
            {name}
          </bdi>
        </Chip>
      )}
      {underWay && (
        <Chip tone="info" icon={<ActivityIcon />}>
          {t('contract.running')}
        </Chip>
      )}
    </>
  );
}

/** Ends the run that is under way. It keeps its place and the focus while the run ends. */
export function EndButton({ run: { underWay, cancel } }: HeadProps) {
  if (!underWay) return null;
  const { cancelled } = underWay;
  return (
    <Button
      h={32}
      color="red"
      variant="outline"
      leftSection={<StopIcon />}
      aria-disabled={cancelled}
      onClick={() => !cancelled && cancel()}
    >
      {t('contract.end')}
    </Button>
  );
}

interface Choice {
  label: string;
  onChoose: () => void;
}

/** The buttons of a shown report. Where there is little room, all but the first step into one menu. */
export function ReportActions(props: HeadProps) {
  const nameOf = useServerName();
  const state = useApp();
  const { run } = props;
  const { runs, shownId, number, look, reportOf, exportAs, compareFile, compareWith } = run;
  const [asked, setAsked] = useState<Asked>();
  if (shownId === undefined) return null;
  const comparisons: Choice[] = [
    { label: t('run.compareFile'), onChoose: () => void compareFile({ serverId: shownId, number }) },
    ...((runs?.kept?.length ?? 0) > 1
      ? [{ label: t('contract.kept.compareRun'), onChoose: () => setAsked('compare') }]
      : []),
    ...state.servers
      .filter(({ id }) => id !== shownId && reportOf(id) !== undefined)
      .map(({ id }) => ({
        label: t('run.compareReport', { name: nameOf(id) }),
        onChoose: () => void compareWith(shownId, id),
      })),
  ];
  const exports: Choice[] = reportForms.map((form) => ({
    label: t(`run.forms.${form}`),
    onChoose: () => void exportAs({ serverId: shownId, number }, form),
  }));
  const showHistory = () => look({ kind: 'history', serverId: shownId });
  return (
    <>
      <EndButton {...props} />
      <span className={classes.wide}>
        <Choices label={t('contract.compareTitle')} icon={<CompareIcon />}>
          <Items choices={comparisons} />
        </Choices>
        <Choices label={t('run.export')} icon={<DownloadIcon />}>
          <Items choices={exports} />
        </Choices>
        <QuietButton px={8} onClick={showHistory}>
          {t('contract.history.title')}
        </QuietButton>
        <Choices label={t('contract.kept.thisRun')} icon={<MoreIcon />} isFolded>
          <RunItems {...props} onAsk={setAsked} />
        </Choices>
      </span>
      <span className={classes.narrow}>
        <Choices label={t('contract.more')} icon={<MoreIcon />} isFolded>
          <Menu.Item onClick={showHistory}>{t('contract.history.title')}</Menu.Item>
          <Menu.Label>{t('contract.compareTitle')}</Menu.Label>
          <Items choices={comparisons} />
          <Menu.Label>{t('run.export')}</Menu.Label>
          <Items choices={exports} />
          <RunItems {...props} onAsk={setAsked} />
        </Choices>
      </span>
      <RunQuestion {...props} asked={asked} onClose={() => setAsked(undefined)} />
      <Button h={32} className={classes.new} leftSection={<PlayIcon />} onClick={() => look({ kind: 'setup' })}>
        {t('run.newRun')}
      </Button>
    </>
  );
}

export const ComparisonActions = (props: HeadProps) => {
  return (
    <>
      <QuietButton leftSection={<DownloadIcon />} onClick={() => void props.run.exportComparison()}>
        {t('run.exportComparison')}
      </QuietButton>
      <BothAgain {...props} />
    </>
  );
};

/** Runs both servers of a comparison once more, where Llavero knows them. */
function BothAgain({ run: { view, reportOf, start } }: HeadProps) {
  const { before, after } = (view.kind === 'comparison' && view.servers) || {};
  const options = after === undefined ? undefined : reportOf(after)?.options;
  if (before === undefined || after === undefined || !options) return null;
  return (
    <Button
      h={32}
      variant="default"
      leftSection={<RefreshIcon />}
      onClick={() => void start({ serverId: before, compareWith: after, options })}
    >
      {t('contract.bothAgain')}
    </Button>
  );
}

const Items = ({ choices }: { choices: readonly Choice[] }) =>
  choices.map(({ label, onChoose }) => (
    <Menu.Item key={label} onClick={onChoose}>
      {label}
    </Menu.Item>
  ));

interface ChoicesProps {
  label: string;
  icon: ReactNode;
  /** Shows the icon alone. The label is still its name. */
  isFolded?: boolean;
  children: ReactNode;
}

function Choices({ label, icon, isFolded = false, children }: ChoicesProps) {
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <QuietButton
          px={isFolded ? 8 : 12}
          aria-label={isFolded ? label : undefined}
          leftSection={isFolded ? undefined : icon}
          rightSection={isFolded ? undefined : <ChevronIcon size={14} />}
        >
          {isFolded ? icon : label}
        </QuietButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>{children}</Menu.Dropdown>
    </Menu>
  );
}
