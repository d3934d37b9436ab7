import type { ClientLine } from '../../../preload/contract/local-servers.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import classes from './client-lines.module.css';
import { type Formatters } from '../../format.ts';
import { t } from '../../i18n.ts';

/** Says what the clients of the built-in server did wrong, each with the requests that show it. */
export function ClientLines({ lines, moments }: { lines: readonly ClientLine[]; moments: Formatters }) {
  return (
    <Card title={t('builtIn.client.title')}>
      {lines.length === 0 ? (
        <p className={classes.none}>{t('builtIn.client.none')}</p>
      ) : (
        <ul className={classes.lines}>
          {lines.map((line) => (
            <Line key={line.fault} line={line} moments={moments} />
          ))}
        </ul>
      )}
      <p className={classes.hint}>{t('builtIn.client.help')}</p>
    </Card>
  );
}

function Line({ line: { fault, count, shownBy }, moments }: { line: ClientLine; moments: Formatters }) {
  const [first = []] = shownBy;
  return (
    <li className={classes.line}>
      <strong>{t(`builtIn.client.faults.${fault}.name`)}</strong>
      <span>{t(`builtIn.client.faults.${fault}.says`)}</span>
      <Chip tone="warn">{t('builtIn.client.seen', { count })}</Chip>
      <ol className={classes.shown}>
        {first.map(({ id, atMs, method, route, status }) => (
          <li key={id}>
            <span>{moments.time(atMs)}</span>{' '}
            <bdi>{route === null ? t('builtIn.request.noRoute', { method }) : `${method} ${route}`}</bdi>{' '}
            <span>{status ?? t('builtIn.request.noAnswer')}</span>
          </li>
        ))}
      </ol>
    </li>
  );
}
