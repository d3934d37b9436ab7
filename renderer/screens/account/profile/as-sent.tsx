import { useEffect, useMemo, useState } from 'react';
import type { RedactedText } from '../../../../preload/contract/calls.ts';
import { Code } from '../../../answers/code.tsx';
import { linesOf, placesOfLines } from '../../../answers/json-lines.ts';
import { beginningOf, formatJson } from '../../../answers/redacted-text.ts';
import { api } from '../../../api.ts';
import { t } from '../../../i18n.ts';

/** Nobody reads more than this at once. */
const longestShown = 50_000;

/** Names a place of a list in a list as main does. */
const placeOf = (place: string): string => place.replace(/^body(?=\[)/, '');

/** Puts a mark where main left out a secret. */
function linesWithMarks(text: string, leftOut: readonly string[]): RedactedText[] {
  const lines = linesOf(beginningOf(formatJson([text]) ?? [text], longestShown));
  const places = placesOfLines(lines);
  return lines.map((line, index) => {
    const place = placeOf(places[index] ?? '');
    const [written] = line;
    if (!leftOut.includes(place) || typeof written !== 'string') return line;
    const [before = '', after = ''] = written.split(/null(?=,?$)/);
    return [before, { secret: 'other', id: `profile ${place}` }, after];
  });
}

/** Shows what the server sent, as it sent it. A newer answer takes another of these. */
export function AsSent() {
  const [sent, setSent] = useState<{ text?: string | undefined; leftOut: string[] }>();
  useEffect(() => {
    void api.profile.sent().then((result) => setSent(result.ok ? result.value : { leftOut: [] }));
  }, []);
  const { text, leftOut = [] } = sent ?? {};
  const lines = useMemo(() => (text === undefined ? [] : linesWithMarks(text, leftOut)), [text, leftOut]);
  if (!sent) return null;
  if (text === undefined) return <p className="flush text soft">{t('profile.nothingToSave')}</p>;
  return (
    <section aria-label={t('profile.asSent')} className="grid gap8">
      <Code lines={lines} isJson />
      {text.length > longestShown && <p className="flush text soft">{t('profile.sentCut')}</p>}
    </section>
  );
}
