import classes from './document.module.css';
import { evidenceMark } from './evidence-mark.ts';
import { useReport } from './report-context.ts';

/** Names the calls that a line rests on by their numbers, which the files of the report use too. */
export function EvidenceNumbers({ ids }: { ids: readonly string[] }) {
  const { numberOf } = useReport();
  return <span className={classes.numbers}>{evidenceMark(ids.flatMap((id) => numberOf(id) ?? []))}</span>;
}
