import { currentCode } from '../../interface/totp.ts';
import { demoCodesUser } from './demo-user.ts';

/** The code that the demo user's authenticator app would show, whose secret is public, and for how many seconds. */
export const currentDemoCode = (nowMs: number): { code: string; secondsLeft: number } | undefined =>
  currentCode(demoCodesUser.totpSecret, nowMs);
