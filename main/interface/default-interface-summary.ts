import type { InterfaceSummary } from '../../preload/contract/connection.ts';
import own from './shipped/llavero.json' with { type: 'json' };

const { name, prefix, calls } = own;

/** What is shown of the interface of `interface.md`. It needs no schema, since the first frame waits for none. */
export const defaultInterfaceSummary: InterfaceSummary = {
  name,
  calls: {
    register: `POST ${prefix}${calls.register[0]?.path}`,
    login: `POST ${prefix}${calls.login.path}`,
    profile: `GET ${prefix}${calls.profile.path}`,
    logout: `POST ${prefix}${calls.logout.path}`,
  },
  registrations: ['registro', 'register'],
  fields: ['name', 'email', 'password', 'cpassword'],
  logout: true,
  cookie: false,
  variables: [],
};
