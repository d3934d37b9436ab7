import { afterEach, describe, expect, it } from 'vitest';
import { expectNoComplaints, hasFocus, seen } from '../../../support/screens.ts';
import { demoSession, firstStart, signedIn, staging } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

describe('the demo', () => {
  const offer = () => page.getByRole('button', { name: 'Try it offline', exact: true });

  it('is offered at the built-in server while nobody has a session', async () => {
    await stub.start();
    await seen(offer());
    const servers = [...firstStart.servers, staging];
    await stub.start({ servers, activeServerId: staging.id });
    await seen(page.getByLabel('Password', { exact: true }));
    expect(await offer().count()).toBe(0);
    await stub.start({ sessions: [demoSession] });
    await seen(page.getByLabel('Password', { exact: true }));
    expect(await offer().count()).toBe(0);
  });

  it('is started by one press, and what keeps it from starting is said', async () => {
    await stub.start();
    await stub.fails('demo.start', { kind: 'demo-taken', email: 'demo@llavero.invalid' });
    await page.getByLabel('Email', { exact: true }).fill('typed@example.test');
    await offer().focus();
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('alert'));
    expect(await page.getByRole('alert').innerText()).toContain('demo@llavero.invalid');
    expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe('typed@example.test');
  });

  it('is marked on its profile alone, and starts over in one press', async () => {
    await stub.start({ session: signedIn, sessions: [{ ...demoSession, isDemo: false }] });
    await seen(page.getByRole('heading', { name: 'Details' }));
    expect(await page.getByText('DEMO', { exact: true }).count()).toBe(0);
    await stub.change({ sessions: [demoSession] });
    await seen(page.getByRole('region', { name: 'DEMO' }));
    await stub.fails('demo.reset', { kind: 'database-unavailable', reason: 'full' });
    const reset = page.getByRole('button', { name: 'Reset the demo', exact: true });
    expect(await reset.getAttribute('title')).toContain('simulated faults stay');
    await reset.click();
    await hasFocus(page.getByRole('alert'));
    await reset.click();
    await seen(page.getByText('Demo reset.'));
    await expect.poll(() => stub.callsOf('demo.reset')).toHaveLength(2);
  });
});
