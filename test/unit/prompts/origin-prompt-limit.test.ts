import { describe, expect, it } from 'vitest';
import { createPromptGuard } from '../../../main/window/prompts/prompt-guard.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';

function person() {
  const asked: string[] = [];
  const at = { now: 0, agrees: false, locked: false };
  const questions = createPromptGuard({
    async confirm(question) {
      asked.push(question.kind === 'new-origin' ? question.origin : question.kind);
      await Promise.resolve();
      return at.agrees;
    },
    isLocked: () => at.locked,
    onOpen: () => undefined,
    now: () => at.now,
  });
  const ask = (origin: string, ...others: string[]) => {
    const question: DialogQuestion = { kind: 'new-origin', origin, isNew: true, proxy: undefined };
    return questions.confirmOrigins(question, [origin, ...others]);
  };
  return { questions, ask, asked, at };
}

const refused = { ok: false, error: { kind: 'not-agreed' } };

describe('the question about a place', () => {
  it('that was refused comes again only after a press, and not with another proxy either', async () => {
    const { questions, ask, asked, at } = person();
    expect(await ask('https://a.test')).toEqual(refused);
    expect(await ask('https://a.test')).toEqual(refused);
    expect(await ask('https://a.test', 'proxy http://evil.test:1')).toEqual(refused);
    expect(asked).toHaveLength(1);
    questions.onUserActivation();
    at.agrees = true;
    expect(await ask('https://a.test')).toEqual({ ok: true, value: null });
    expect(asked).toHaveLength(2);
  });

  it('comes at most three times in a minute, whatever place it is about and whatever is pressed', async () => {
    const { questions, ask, asked, at } = person();
    for (let count = 0; count < 10; count += 1) {
      questions.onUserActivation();
      expect(await ask(`https://${count}.test`)).toEqual(refused);
      at.now += 5_000;
    }
    expect(asked).toEqual(['https://0.test', 'https://1.test', 'https://2.test']);
    at.now = 60_000;
    await ask('https://later.test');
    await ask('https://too-early.test');
    expect(asked).toHaveLength(4);
  });

  it('is alone, also beside those of other kinds', async () => {
    const { questions, ask, asked } = person();
    const both = await Promise.all([ask('https://a.test'), ask('https://b.test'), questions.ask({ kind: 'erase' })]);
    expect(both.map((each) => !each.ok && each.error.kind)).toEqual(['not-agreed', 'not-now', 'not-now']);
    expect(asked).toEqual(['https://a.test']);
  });

  it('is not put to a locked window, and an answer that comes after the lock counts for nothing', async () => {
    const { ask, asked, at } = person();
    at.agrees = true;
    const asking = ask('https://a.test');
    at.locked = true;
    expect(await asking).toEqual(refused);
    expect(await ask('https://a.test')).toMatchObject({ error: { kind: 'locked' } });
    expect(asked).toHaveLength(1);
  });
});
