import { useMemo } from 'react';
import type { RedactedText } from '../../../../preload/contract/calls.ts';
import { Code } from '../../../answers/code.tsx';
import { splitLines, placesOfLines } from '../../../answers/json-lines.ts';
import { beginningOf, formatJson } from '../../../answers/redacted-text.ts';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { t } from '../../../i18n.ts';
import { useQuery } from '../../../use-query.ts';

const nothingSent: { text?: string | undefined; leftOut: string[] } = { leftOut: [] };

/** In characters. */
const longestShown = 50_000;

/** Paths of main do not begin with `body` for an array. */
const placeOf = (place: string): string => place.replace(/^body(?=\[)/, '');

function linesWithMarks(text: string, leftOut: readonly string[]): RedactedText[] {
  const lines = splitLines(beginningOf(formatJson([text]) ?? [text], longestShown));
  const places = placesOfLines(lines);
  return lines.map((line, index) => {
    const place = placeOf(places[index] ?? '');
    const [written] = line;
    if (!leftOut.includes(place) || typeof written !== 'string') return line;
    const [before = '', after = ''] = written.split(/null(?=,?$)/);
    return [before, { secret: 'other', id: `profile ${place}` }, after];
  });
}

/** The JSON that the server sent. Keyed by when it was received. */
export function RawData() {
  const { data, error } = useQuery(api.profile.rawResponse);
  const { text, leftOut } = data ?? nothingSent;
  const lines = useMemo(() => (text === undefined ? [] : linesWithMarks(text, leftOut)), [text, leftOut]);
  if (error) return <ErrorMessage error={error} during="server" takesFocus={false} />;
  if (!data) return null;
  if (text === undefined) return <p className="flush text soft">{t('profile.nothingToSave')}</p>;
  return (
    <section aria-label={t('profile.asSent')} className="grid gap8">
      <Code lines={lines} isJson />
      {text.length > longestShown && <p className="flush text soft">{t('profile.sentCut')}</p>}
    </section>
  );
}
