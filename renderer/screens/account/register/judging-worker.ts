import { judgePassword, type Strength } from './judge-password.ts';

/** A password, and what else was typed. The answer is its {@link Strength}, in the order in which they come. */
export type ToJudge = { password: string; known: readonly string[] };

addEventListener('message', ({ data: { password, known } }: MessageEvent<ToJudge>) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker's message goes to the page that started it, and has no such argument.
  postMessage(judgePassword(password, known) satisfies Strength);
});
