import { EmptyState as MantineEmptyState } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

interface EmptyStateProps {
  /** A drawing of the future content, in plain shapes of the page's colours. */
  drawing: ReactNode;
  title: string;
  description: string;
  /** The button for the next step. */
  action: ReactNode;
  note: string;
}

/** Shown on a page without content. A list whose filter matches nothing does not show it. */
export const EmptyState = ({ drawing, title, description, action, note }: EmptyStateProps) => (
  <MantineEmptyState
    component="section"
    classNames={{
      root: classes.empty,
      body: classes.body,
      title: classes.title,
      description: classes.description,
      actions: classes.action,
    }}
  >
    <MantineEmptyState.Indicator>{drawing}</MantineEmptyState.Indicator>
    <MantineEmptyState.Title order={2}>{title}</MantineEmptyState.Title>
    <MantineEmptyState.Description>{description}</MantineEmptyState.Description>
    <MantineEmptyState.Actions>{action}</MantineEmptyState.Actions>
    <p className={classes.note}>{note}</p>
  </MantineEmptyState>
);

const Drawing = ({ children }: { children: ReactNode }) => (
  <svg className={classes.drawing} viewBox="0 0 232 132" aria-hidden>
    {children}
  </svg>
);

interface BarProps {
  x: number;
  y: number;
  width: number;
  height?: number;
  /** What the bar represents; a text by default. */
  of?: keyof typeof classes;
}

/** A bar with round ends, which represents a text, a button or a chip. */
const Bar = ({ x, y, width, height = 6, of = 'text' }: BarProps) => (
  <rect className={classes[of]} x={x} y={y} width={width} height={height} rx={height / 2} />
);

const responses = [
  { y: 14, width: 34, tone: 'good' },
  { y: 51, width: 24, tone: 'good' },
  { y: 88, width: 30, tone: 'bad' },
] as const;

/** A drawing of a form and of the responses to its requests. */
export const DrawnRequests = () => (
  <Drawing>
    <rect className={classes.paper} x={8} y={14} width={84} height={104} rx={10} />
    <Bar x={22} y={30} width={34} />
    <Bar x={22} y={48} width={56} height={10} />
    <Bar x={22} y={66} width={56} height={10} />
    <Bar x={22} y={90} width={56} height={14} of="button" />
    {responses.map(({ y, width, tone }) => (
      <g key={y}>
        <path className={classes.way} d={`M98 97C121 97 119 ${y + 15} 142 ${y + 15}`} />
        <rect className={classes.paper} x={148} y={y} width={76} height={30} rx={8} />
        <circle className={classes[tone]} cx={164} cy={y + 15} r={4} />
        <Bar x={176} y={y + 12} width={width} />
      </g>
    ))}
  </Drawing>
);

const findings = [
  { y: 54, width: 60, tone: 'bad' },
  { y: 79, width: 46, tone: 'warn' },
  { y: 104, width: 54, tone: 'text' },
] as const;

/** A drawing of a report with its worst finding selected. */
export const DrawnReport = () => (
  <Drawing>
    <rect className={classes.paper} x={50} y={8} width={132} height={116} rx={12} />
    <Bar x={66} y={24} width={58} height={8} />
    <rect className={classes.chosen} x={58} y={43} width={116} height={22} rx={6} />
    {findings.map(({ y, width, tone }) => (
      <g key={y}>
        <Bar x={66} y={y - 5} width={24} height={10} of={tone} />
        <Bar x={98} y={y - 3} width={width} />
      </g>
    ))}
    <circle className={classes.good} cx={182} cy={108} r={17} />
    <path className={classes.tick} d="M174.5 108.5l5 5 9.5-10" />
  </Drawing>
);
