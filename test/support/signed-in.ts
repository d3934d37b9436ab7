import { startForeignServer } from './foreign-server.ts';
import { makeMain, type Main, type MainOptions } from './make-main.ts';

export const anaRegistration = {
  name: 'Ana Prueba',
  email: 'ana@example.test',
  password: 'correct horse battery',
  cpassword: '',
};

type SignedIn = Main & {
  foreign: Awaited<ReturnType<typeof startForeignServer>>;
  token: string;
  /** What the vault gives now. */
  tokenNow: () => Promise<string | undefined>;
};

/** Makes main with Ana logged in on a server. */
export async function makeSignedIn(options: MainOptions = {}): Promise<SignedIn> {
  const foreign = await startForeignServer();
  const main = await makeMain({ foreign }, options);
  await main.session.logins.register({ ...anaRegistration, path: 'registro' });
  const [token] = [...foreign.issued];
  const tokenNow = () => main.session.tokenOf(main.sessionStore.all()[0]?.id ?? '');
  return { ...main, foreign, token: token ?? '', tokenNow };
}
