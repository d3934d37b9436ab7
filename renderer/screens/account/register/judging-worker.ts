import { judgePassword, type Strength } from './judge-password.ts';

/** A password, and what else was typed. The answer is its {@link Strength}, in the order in which they come. */
export type ToJudge = { password: string; known: readonly string[] };

addEventListener('message', ({ data: { password, known } }: MessageEvent<ToJudge>) => {
  postMessage(judgePassword(password, known) satisfies Strength);
});
