import { sentUser } from '../sent-rows.ts';
import { simple, type Scene } from './scene.ts';
import { heldSessions, signedIn } from './states.ts';

/** A profile as JSON:API has it, with numbers, days and moments of every kind. */
const jsonApiProfile = `{"jsonapi":{"version":"1.1"},"data":{"type":"users","id":1379505554728411138,"attributes":{
  "name":"Lucía Ferrer Ortega","email":"lucia@example.test","phone":"+56 2 2345 6789","birthdate":"1990-05-17",
  "balance":100.10,"account_number":9007199254740993,"created_at":"2024-03-02T10:17:00Z","last_login":1782857700,
  "synced":"2026-06-30 22:15:00","newsletter":false,"roles":["Owner","Billing"],"api_key":"k-1",
  "plan":{"id":3,"name":"Pro","seats":5,"until":"2026-12-31","limits":{"projects":20,"storage":{"gigabytes":100,"used":41.5}}},
  "addresses":[{"id":1,"type":"home","city":"Santiago","street":"Av. Providencia 1208","geo":{"lat":-33.42620,"lon":-70.61910}},
    {"id":2,"type":"work","city":"Madrid","street":"Calle Mayor 1"}]},
  "links":{"self":"/users/1379505554728411138"}},"meta":{"terms":{"version":"2026-01","accepted_on":"2026-01-15"}}}`;

const session = { ...signedIn, user: sentUser(jsonApiProfile) };
const unfold = { press: 'main dl button[aria-expanded=false]' };

export const profileScenes: readonly Scene[] = [
  { name: 'account-json-api', state: { session, sessions: heldSessions }, ...simple },
  {
    name: 'account-nested',
    state: { session, sessions: heldSessions },
    ...simple,
    // Each press unfolds the first of what is still folded.
    steps: Array.from({ length: 6 }, () => unfold),
  },
];
