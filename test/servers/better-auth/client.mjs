// better-auth's own client in its bearer form, against the address that is given. It prints what each call came to.
// After https://www.better-auth.com/docs/plugins/bearer
import { createAuthClient } from 'better-auth/client';

const [, , baseURL] = process.argv;
let token = '';
const client = createAuthClient({
  baseURL,
  fetchOptions: {
    auth: { type: 'Bearer', token: () => token },
    onSuccess({ response }) {
      token = response.headers.get('set-auth-token') ?? token;
    },
  },
});
const { email, password, name } = {
  name: 'Ada Lovelace',
  email: 'ada@example.test',
  password: 'analytical engine',
};
const told = ({ data, error }) => error?.status ?? (data?.user ?? data)?.email ?? 'nobody';

const said = {
  signUp: told(await client.signUp.email({ name, email, password })),
  taken: told(await client.signUp.email({ name, email, password })),
  wrongPassword: told(await client.signIn.email({ email, password: 'another one' })),
  signIn: told(await client.signIn.email({ email, password })),
  getSession: told(await client.getSession()),
  signOut: (await client.signOut()).error?.status ?? 'done',
  afterwards: told(await client.getSession()),
};
console.log(JSON.stringify(said));
