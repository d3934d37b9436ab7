import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CallSummary, RecordedCall } from '../../../preload/contract/calls.ts';
import { Outcome } from '../../answers/outcome.tsx';
import { Request, Response } from '../../answers/request-response.tsx';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { CopyIcon, EyeIcon, WireIcon } from '../../components/icons.tsx';
import { callFormatters, formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import { useReport } from './checks.ts';
import classes from './evidence.module.css';

const QuietButton = Button.withProps({ variant: 'subtle', color: 'gray', size: 'compact-sm' });

/** Number of calls that are shown at first. A comparison of times has forty. */
const shownAtFirst = 6;

/** The end of a path, since all paths of a server start alike. Another version of the API is left in it. */
const shortPath = (path: string): string => path.replace(/^.*?\/api\/(v1\/auth\/(?=.))?/, '');

/** The calls that prove a result, with their numbers in the report and its files. */
export function EvidenceCalls({ ids }: { ids: readonly string[] }) {
  const { evidence } = useReport().report;
  const [isWhole, setWhole] = useState(false);
  const known = ids.flatMap((id) => {
    const index = evidence.findIndex((each) => each.id === id);
    const call = evidence[index];
    return call ? [{ call, number: index + 1 }] : [];
  });
  const [chosenId, setChosenId] = useState(known[0]?.call.id);
  const chosen = (known.find(({ call }) => call.id === chosenId) ?? known[0])?.call;
  const shown = isWhole ? known : known.slice(0, shownAtFirst);
  const { list, itemProps } = useRovingFocus(
    shown.map(({ call }) => call.id),
    chosen?.id,
  );
  if (!chosen) return <p className={classes.text}>{t('run.noEvidence')}</p>;
  return (
    <>
      <ul className={classes.calls} {...list}>
        {shown.map(({ call, number }) => (
          <li key={call.id}>
            <button type="button" className={classes.call} {...itemProps(call.id)} onClick={() => setChosenId(call.id)}>
              <span className={classes.number}>{`E${number}`}</span>
              <bdi className={classes.path} title={`${call.method} ${call.path}`}>
                {call.method} {shortPath(call.path)}
              </bdi>
              <Outcome call={call} />
              <span className={classes.meta}>
                <span>{formatters().time(Date.parse(call.startedAt))}</span>{' '}
                <span>{callFormatters().duration(call.totalMs)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < known.length && (
        <QuietButton className={classes.start} onClick={() => setWhole(true)}>
          {t('run.moreEvidence', { number: known.length - shown.length })}
        </QuietButton>
      )}
      <CallActions key={chosen.id} call={chosen} />
    </>
  );
}

/** The actions of a call, and its details once it is opened. */
function CallActions({ call }: { call: CallSummary }) {
  const { run } = useReport();
  const { run: runAction, failure } = useAction();
  const [opened, setOpened] = useState<RecordedCall>();
  const { id, method, path } = call;
  const what = `${method} ${path}`;

  async function toggle() {
    if (opened) return setOpened(undefined);
    const result = await runAction(() => api.checks.evidence({ ...run, id }));
    if (result?.ok) setOpened(result.value);
  }
  return (
    <>
      <div className={classes.actions}>
        <QuietButton
          leftSection={<EyeIcon />}
          aria-expanded={opened !== undefined}
          aria-label={t('checks.showCallOf', { what })}
          onClick={() => void toggle()}
        >
          {t('checks.showCall')}
        </QuietButton>
        <QuietButton
          leftSection={<CopyIcon />}
          aria-label={t('checks.copyCommandOf', { what })}
          onClick={() =>
            void runAction(
              () => api.checks.copyCommand({ ...run, id }),
              () => () => t('run.copied'),
            )
          }
        >
          {t('checks.copyCommand')}
        </QuietButton>
        <QuietButton
          leftSection={<WireIcon />}
          aria-label={t('checks.inCallsOf', { what })}
          onClick={() => navigate({ page: 'calls', call })}
        >
          {t('checks.inCalls')}
        </QuietButton>
      </div>
      {failure && <ErrorMessage error={failure.error} during="server" />}
      {opened && (
        <div className={classes.opened}>
          <Request call={opened} />
          <Response call={opened} />
          {opened.failure && <ErrorMessage error={opened.failure} during="server" takesFocus={false} />}
        </div>
      )}
    </>
  );
}
