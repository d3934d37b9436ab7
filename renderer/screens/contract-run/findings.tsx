import type { Finding } from '../../../preload/contract/report-findings.ts';
import { OneAnswer } from './answers.tsx';
import classes from './document.module.css';
import { EvidenceNumbers } from './evidence-numbers.tsx';
import type { Chosen } from './report-context.ts';
import { useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { useLines } from './use-lines.ts';

interface FindingsProps {
  findings: readonly Finding[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Shows what looks unsafe, the most severe first. */
export function Findings({ findings, chosen, onChoose }: FindingsProps) {
  const { words } = useReport();
  const chosenId = chosen?.kind === 'finding' ? chosen.id : undefined;
  const { list, tabIndexOf } = useLines(
    findings.map(({ id }) => id),
    chosenId,
  );
  const texts = words.words.report;
  return (
    <section aria-labelledby="run-findings">
      <h2 id="run-findings" className={classes.head}>
        {texts.findings}
      </h2>
      {findings.length === 0 && <p className={classes.plain}>{texts.noFindings}</p>}
      <ul className={classes.lines} {...list}>
        {findings.map((finding) => {
          const { id, severity, exchanges, details } = finding;
          const { title, why } = words.finding(finding);
          return (
            <li key={id}>
              <button
                type="button"
                className={classes.finding}
                data-line={id}
                tabIndex={tabIndexOf(id)}
                aria-current={id === chosenId || undefined}
                onClick={() => onChoose({ kind: 'finding', id })}
              >
                <span>
                  <SeverityLabel severity={severity} words={words} />
                </span>
                <span className={classes.words}>
                  <span className={classes.title}>{title}</span>
                  {details.length === 0 && <span className={classes.asked}>{why}</span>}
                  {details.map((answer) => (
                    <span key={`${answer.question} ${answer.subject}`} className={classes.asked}>
                      <OneAnswer answer={answer} words={words} isLone={false} />
                    </span>
                  ))}
                </span>
                <EvidenceNumbers ids={exchanges} />
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
