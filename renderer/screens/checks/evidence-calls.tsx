import { Button } from '@mantine/core';
import { useState } from 'react';
import type { CallSummary, RecordedCall } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { Outcome } from '../../answers/outcome.tsx';
import { Request, Response } from '../../answers/request-response.tsx';
import { callFormatters } from '../../format.ts';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { CopyIcon, EyeIcon, WireIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message.tsx';
import classes from './evidence.module.css';
import { evidenceMark } from './evidence-numbers.tsx';
import { useReport } from './report-context.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import { language, t } from '../../i18n.ts';

const QuietButton = Button.withProps({ variant: 'subtle', color: 'gray', size: 'compact-sm' });

/** This many calls are shown at once. A comparison of times rests on forty. */
const shownAtFirst = 6;

/** Shows the calls that something rests on. The chosen one can be read, copied as a command, and found in the calls. */
export function EvidenceCalls({ ids }: { ids: readonly string[] }) {
  const { callOf } = useReport();
  const [all, setAll] = useState(false);
  const known = ids.flatMap((id) => callOf(id) ?? []);
  const [chosenId, setChosenId] = useState(known[0]?.id);
  const chosen = known.find(({ id }) => id === chosenId) ?? known[0];
  const shown = all ? known : known.slice(0, shownAtFirst);
  const { list, lineOf } = useRovingFocus(
    shown.map(({ id }) => id),
    chosen?.id,
  );
  if (!chosen) return <p className={classes.text}>{t('run.noEvidence')}</p>;
  return (
    <>
      <ul className={classes.calls} {...list}>
        {shown.map((call) => (
          <li key={call.id}>
            <button type="button" className={classes.call} {...lineOf(call.id)} onClick={() => setChosenId(call.id)}>
              <OneCall call={call} />
            </button>
          </li>
        ))}
      </ul>
      {shown.length < known.length && (
        <QuietButton className={classes.more} onClick={() => setAll(true)}>
          {t('run.moreEvidence', { number: known.length - shown.length })}
        </QuietButton>
      )}
      <CallActions key={chosen.id} call={chosen} />
    </>
  );
}

/** Returns the end of a path, since the paths of a server begin alike. Another version of the interface is named. */
const shortPath = (path: string): string => path.replace(/^.*?\/api\/(v1\/auth\/(?=.))?/, '');

function OneCall({ call }: { call: CallSummary }) {
  const { numberOf } = useReport();
  const words = callFormatters();
  const time = new Intl.DateTimeFormat(language(), { timeStyle: 'medium' }).format(new Date(call.startedAt));
  return (
    <>
      <span className={classes.number}>{evidenceMark([numberOf(call.id) ?? 0])}</span>
      <bdi className={classes.path} title={`${call.method} ${call.path}`}>
        {call.method} {shortPath(call.path)}
      </bdi>
      <Outcome call={call} />
      <span className={classes.meta}>
        <span>{time}</span> <span>{words.duration(call.totalMs)}</span>
      </span>
    </>
  );
}

/** Offers what can be done with one call, and shows it as it went over the wire. */
function CallActions({ call }: { call: CallSummary }) {
  const { serverId, number, onSaid, onShowCall } = useReport();
  const [opened, setOpened] = useState<Result<RecordedCall>>();
  const { id, method, path } = call;
  const what = `${method} ${path}`;

  async function toggle() {
    setOpened(opened ? undefined : await api.contractRun.evidence({ serverId, number, id }));
  }

  async function copy() {
    const result = await api.contractRun.copy({ serverId, number, id });
    onSaid(result.ok ? { sentence: () => t('run.copied') } : { error: result.error });
  }

  return (
    <>
      <div className={classes.actions}>
        <QuietButton
          leftSection={<EyeIcon />}
          aria-expanded={opened !== undefined}
          aria-label={t('contract.showCallOf', { what })}
          onClick={() => void toggle()}
        >
          {t('contract.showCall')}
        </QuietButton>
        <QuietButton
          leftSection={<CopyIcon />}
          aria-label={t('contract.copyCommandOf', { what })}
          onClick={() => void copy()}
        >
          {t('contract.copyCommand')}
        </QuietButton>
        <QuietButton
          leftSection={<WireIcon />}
          aria-label={t('contract.inCallsOf', { what })}
          onClick={() => onShowCall(call)}
        >
          {t('contract.inCalls')}
        </QuietButton>
      </div>
      {opened && <Opened opened={opened} />}
    </>
  );
}

function Opened({ opened }: { opened: Result<RecordedCall> }) {
  if (!opened.ok) {
    return (
      <Message tone="info">
        <ErrorText error={opened.error} during="server" />
      </Message>
    );
  }
  const call = opened.value;
  return (
    <div className={classes.opened}>
      <Request call={call} />
      <Response call={call} />
      {call.failure && (
        <Message tone="error" announce="status">
          <ErrorText error={call.failure} during="server" />
        </Message>
      )}
    </div>
  );
}
