import type { Server } from '../../../preload/contract/models.ts';
import { Outcome } from '../../answers/outcome.tsx';
import { formatRelative, callFormatters } from '../../format.ts';
import { Fold } from '../../components/fold.tsx';
import { useNow } from '../../use-now.ts';
import classes from './last-answers.module.css';
import { t } from '../../i18n.ts';

/** Shows what the mark of a server is made of: the last calls to its address, of a person, a run or the application. */
export function LastAnswers({ server: { lastCalls } }: { server: Server }) {
  const words = callFormatters();
  const newest = lastCalls[0]?.at;
  const now = useNow(newest === undefined ? undefined : Date.parse(newest));
  if (newest === undefined) {
    return (
      <Fold title={t('server.lastAnswers')} value={t('server.mark.notAsked')}>
        <p className="flush text muted">{t('server.mark.never')}</p>
      </Fold>
    );
  }
  const ago = formatRelative(new Date(Math.min(Date.parse(newest), now - 1000)), now, 'long');
  return (
    <Fold title={t('server.lastAnswers')} value={`${lastCalls.length}, ${ago}`}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('server.answers.call')}</th>
            <th>{t('server.answers.answer')}</th>
            <th>{t('server.answers.time')}</th>
            <th>{t('server.answers.when')}</th>
          </tr>
        </thead>
        <tbody>
          {lastCalls.map((call, place) => (
            // They have no name of their own, and only come in above.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={`${call.at} ${lastCalls.length - place}`}>
              <td>{call.operation ? t(`server.operation.${call.operation}`) : call.method}</td>
              <td>
                <Outcome call={call} />
              </td>
              <td>{words.duration(call.ms)}</td>
              <td title={words.wholeMoment(call.at)}>{place === 0 ? ago : words.moment(call.at, new Date(now))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}
