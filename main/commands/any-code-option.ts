import { Option } from '@commander-js/extra-typings';

export const anyCodeOption = new Option(
  '--any-code',
  'every login at the mock asks for a second factor, and any code of six digits is right: to try a client without an authenticator app',
);
