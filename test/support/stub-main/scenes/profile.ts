import demoDetails from '../../../../main/service/data/demo-details.json' with { type: 'json' };
import { demoUser } from '../../../../main/service/data/demo-user.ts';
import { sentUser } from '../../sent-rows.ts';
import { simple, type Scene, type Step } from '../scene.ts';
import { demoSession, heldSessions, signedIn } from '../states.ts';

/** A profile as JSON:API has it, with numbers, days and moments of every kind. */
const jsonApiProfile = `{"jsonapi":{"version":"1.1"},"data":{"type":"users","id":1379505554728411138,"attributes":{
  "name":"Lucía Ferrer Ortega","email":"lucia@example.test","phone":"+56 2 2345 6789","birthdate":"1990-05-17",
  "balance":100.10,"account_number":9007199254740993,"created_at":"2024-03-02T10:17:00Z","last_login":1782857700,
  "synced":"2026-06-30 22:15:00","newsletter":false,"roles":["Owner","Billing"],"api_key":"k-1",
  "plan":{"id":3,"name":"Pro","seats":5,"until":"2026-12-31","limits":{"projects":20,"storage":{"gigabytes":100,"used":41.5}}},
  "addresses":[{"id":1,"type":"home","city":"Santiago","street":"Av. Providencia 1208","geo":{"lat":-33.42620,"lon":-70.61910}},
    {"id":2,"type":"work","city":"Madrid","street":"Calle Mayor 1"}]},
  "links":{"self":"/users/1379505554728411138"}},"meta":{"terms":{"version":"2026-01","accepted_on":"2026-01-15"}}}`;

const { name, email } = demoUser;
/** The person of the demo, as the built-in server sends them. */
const demoSent = JSON.stringify({
  id: 12,
  name,
  email,
  created_at: '2026-11-20T08:01:02.000Z',
  updated_at: '2026-11-20T08:01:02.000Z',
  ...demoDetails,
});
const demo = { session: { ...signedIn, user: sentUser(demoSent) }, sessions: [demoSession] };

const session = { ...signedIn, user: sentUser(jsonApiProfile) };
const unfold = { press: 'main button[aria-expanded=false]' };

/** It comes after the profile, in the Workbench. */
const card = 'main section:has(> header + div > button[aria-expanded])';
const withToken = { state: { session: signedIn, sessions: heldSessions } };
const toast = 'main ~ div output:not(:empty)';
const openToken: Step[] = [{ wait: card }, { press: `${card} button[aria-expanded]` }, { wait: `${card} dl` }];

export const profileScenes: readonly Scene[] = [
  { name: 'account-json-api', state: { session, sessions: heldSessions }, ...simple },
  {
    name: 'account-nested',
    isScreen: true,
    state: { session, sessions: heldSessions },
    ...simple,
    // Each press unfolds the first of what is still folded.
    steps: Array.from({ length: 6 }, () => unfold),
  },
  { name: 'account-demo', isScreen: true, state: demo, ...simple, still: true },
  { name: 'account-demo-keys', isScreen: true, state: demo },
  {
    name: 'account-sent',
    isScreen: true,
    state: demo,
    ...simple,
    technical: 'main section:has(> div)',
    steps: [
      { press: 'main [role=radiogroup] input[value=raw]' },
      { wait: 'main section[aria-label]:has([data-token])' },
    ],
  },
  {
    name: 'token-copied',
    isScreen: true,
    ...withToken,
    steps: [
      ...openToken,
      { press: `${card} > div:last-of-type button >> nth=0` },
      { wait: toast },
      // A toast under the pointer stays.
      { press: toast },
    ],
  },
  {
    name: 'token-refused',
    isScreen: true,
    ...withToken,
    steps: [
      { wait: card },
      { press: `${card} button[data-size=small]` },
      { wait: '[role=dialog] input' },
      { type: '[role=dialog] input', text: 'ey.a.b' },
      {
        fails: 'session.adoptToken',
        error: { kind: 'unexpected', reason: 'pasted-token-refused', message: 'Unauthenticated.' },
      },
      { press: '[role=dialog] [type=submit]' },
      { wait: '[role=dialog] [role=alert]' },
    ],
  },
];
