import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPromptGuard } from '../../../main/window/prompts/prompt-guard.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';

const asks = {
  erase: { kind: 'erase' },
  secrets: { kind: 'secrets', count: 1 },
  outside: { kind: 'open-outside', baseUrl: 'https://shop.example.test' },
} satisfies Record<string, DialogQuestion>;

function person(answers: boolean[] = []) {
  const asked: string[] = [];
  let locked = false;
  const questions = createPromptGuard({
    async confirm({ kind }) {
      asked.push(kind);
      await Promise.resolve();
      return answers.shift() ?? false;
    },
    isLocked: () => locked,
    onOpen: (isOpen) => void asked.push(isOpen ? 'opened' : 'closed'),
  });
  const kinds = (): string[] => asked.filter((each) => each !== 'opened' && each !== 'closed');
  return { questions, asked, kinds, lock: () => (locked = true) };
}

describe('main’s own questions', () => {
  it('say when one is opened and when it is answered, so that nobody is told to wait for a server', async () => {
    const { questions, asked } = person([true]);
    await questions.ask(asks.erase);
    expect(asked).toEqual(['opened', 'erase', 'closed']);
  });

  it('are not asked again after a refusal, until the person acts in a menu', async () => {
    const { questions, kinds } = person([false, true, true]);
    expect(await questions.ask(asks.erase)).toEqual({ ok: false, error: { kind: 'cancelled' } });
    expect(await questions.ask(asks.erase)).toEqual({ ok: false, error: { kind: 'not-asked' } });
    questions.onUserActivation();
    expect(await questions.ask(asks.erase)).toEqual({ ok: false, error: { kind: 'not-asked' } });
    // Another kind is another matter.
    expect(await questions.ask(asks.secrets)).toMatchObject({ ok: true });
    questions.onMenuActivation();
    expect(await questions.ask(asks.erase)).toMatchObject({ ok: true });
    expect(kinds()).toEqual(['erase', 'secrets', 'erase']);
  });

  it('count for nothing when the application was locked behind them', async () => {
    const { questions, lock } = person([true]);
    const asking = questions.ask(asks.erase);
    lock();
    expect(await asking).toEqual({ ok: false, error: { kind: 'cancelled' } });
  });

  it('leave room for a file to be chosen again once the person pressed something', async () => {
    const { questions } = person();
    let opened = 0;
    const open = async (): Promise<undefined> => void (opened += 1);
    await questions.chooseFile(open);
    await questions.chooseFile(open);
    expect(opened).toBe(1);
    questions.onUserActivation();
    await questions.chooseFile(open);
    expect(opened).toBe(2);
  });

  it('are never two at a time, nor twice of a kind, whatever a page does', async () => {
    const act = fc.oneof(
      fc.constantFrom(...Object.values(asks)).map((question) => ({ question })),
      fc.constant({ question: undefined }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(act, fc.boolean())), async (acts) => {
        let open = 0;
        const opened: string[] = [];
        const show = async (what: string): Promise<undefined> => {
          opened.push(what);
          open += 1;
          expect(open).toBe(1);
          await Promise.resolve();
          open -= 1;
          return undefined;
        };
        const questions = createPromptGuard({
          confirm: async ({ kind }) => (await show(kind)) ?? false,
          isLocked: () => false,
          onOpen: () => undefined,
        });
        const all: Promise<unknown>[] = [];
        for (const [{ question }, waits] of acts) {
          all.push(question ? questions.ask(question) : questions.chooseFile(() => show('file')));
          if (waits) await Promise.all(all);
        }
        await Promise.all(all);
        expect(new Set(opened).size).toBe(opened.length);
      }),
      { numRuns: 50 },
    );
  });
});
