import { describe, expect, it } from 'vitest';
import { AppError } from '../../../preload/contract/result.ts';
import { appErrorOfAnswer } from '../../../main/client/map-error.ts';
import { parseResponse, type ReceivedResponse, type Interpretation } from '../../../main/client/parse-response.ts';
import { allAnswers, withSources, type AnswerLine, type AnswerOutcome } from '../../support/answer-lines.ts';
import { unseenPlaces } from '../../support/unseen-places.ts';

const answerOf = ({ status, headers, body }: AnswerLine): ReceivedResponse => ({ status, headers, body });

function endOf({ sessionExpiry: end }: Interpretation): AnswerOutcome['sessionEnd'] {
  if (end === undefined) return undefined;
  return 'seconds' in end
    ? { path: end.path, seconds: end.seconds }
    : { path: end.path, at: new Date(end.atMs).toISOString() };
}

/** Returns all that comes of an answer. */
function outcomeOf(line: AnswerLine): AnswerOutcome {
  const { operation, body } = line;
  const answer = answerOf(line);
  const reading = parseResponse(operation, answer);
  const { verdict, summary } = reading;
  const sessionEnd = endOf(reading);
  const unshown = operation === 'profile' && summary.user ? unseenPlaces(body) : [];
  return {
    verdict,
    meaning: summary,
    ...(!summary.ok && { error: AppError.parse(appErrorOfAnswer(operation, answer, reading)) }),
    ...(sessionEnd && { sessionEnd }),
    ...(unshown.length > 0 && { unshown }),
  };
}

describe('an answer', () => {
  it.each(allAnswers.map((line) => [line.id, line] as const))('is read as its line says: %s', (_id, line) => {
    expect(outcomeOf(line)).toStrictEqual(line.expected);
  });

  it('is read from raw text as from the parsed body', () => {
    for (const line of allAnswers.filter(({ body }) => typeof body !== 'string')) {
      const text = `\uFEFF \n${JSON.stringify(line.body)}\n`;
      const fromText = parseResponse(line.operation, { ...answerOf(line), body: text });
      expect(fromText, `${line.operation}, ${line.id}`).toStrictEqual(parseResponse(line.operation, answerOf(line)));
    }
  });

  it('is read with header names in any case and with values as lists', () => {
    for (const line of allAnswers) {
      const headers = Object.fromEntries(
        Object.entries(line.headers).map(([name, value]) => [name.toUpperCase(), [value]]),
      );
      const { summary } = parseResponse(line.operation, { ...answerOf(line), headers });
      expect(summary, `${line.operation}, ${line.id}`).toStrictEqual(line.expected.meaning);
    }
  });
});

describe('a line', () => {
  it('has a name of its own', () => {
    const ids = allAnswers.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('names its source, unless it was given to us', () => {
    const isSource = /^https:\/\/|^public code, file \d+ of the stored index$/;
    expect(withSources.filter(({ source = '' }) => !isSource.test(source)).map(({ id }) => id)).toEqual([]);
  });
});
