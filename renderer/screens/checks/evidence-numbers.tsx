import classes from './document.module.css';
import { useReport } from './report-context.ts';

/** This many runs of numbers are named. A comparison of times rests on forty calls. */
const named = 2;

/** Names calls by their numbers in the report: E4, or E4–E9 where they follow each other. */
export function evidenceMark(numbers: readonly number[]): string {
  const spans: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = spans.at(-1);
    if (last && number <= last[1] + 1) last[1] = number;
    else spans.push([number, number]);
  }
  const marks = spans.slice(0, named).map(([first, last]) => (first === last ? `E${first}` : `E${first}–E${last}`));
  return [...marks, ...(spans.length > named ? ['…'] : [])].join(', ');
}

/** Names the calls that a line rests on by their numbers, which the files of the report use too. */
export function EvidenceNumbers({ ids }: { ids: readonly string[] }) {
  const { numberOf } = useReport();
  return <span className={classes.numbers}>{evidenceMark(ids.flatMap((id) => numberOf(id) ?? []))}</span>;
}
