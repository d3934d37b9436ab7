import { expect, it } from 'vitest';
import { renderReport } from '../../../main/check/reports/render-report.ts';
import { readReport } from '../../../main/check/reports/json-report.ts';
import { reportWith } from '../../support/report.ts';

it('a report names the interface of its server in every form, and nothing where that is interface.md', async () => {
  const digest = 'ab'.repeat(32);
  const calls = { login: 'POST /api/auth/local', profile: 'GET /api/users/me' };
  const own = reportWith('x');
  const described = { ...own, interface: { name: 'Shop `1` <b>', digest, calls } };
  for (const form of ['markdown', 'html', 'json', 'junit'] as const) {
    const said = await renderReport(form, described, 'en');
    expect([form, ...[digest, calls.login, calls.profile].filter((each) => !said.includes(each))]).toEqual([form]);
    expect([form, said.includes('<b>') && form !== 'markdown' && form !== 'json']).toEqual([form, false]);
    expect(await renderReport(form, own, 'en')).not.toContain(digest);
  }
  expect(readReport(await renderReport('json', described, 'en'))).toMatchObject({
    report: { interface: described.interface },
  });
});
