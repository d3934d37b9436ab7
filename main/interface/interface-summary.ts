import type { AccountFeatures, InterfaceSummary } from '../../preload/contract/connection.ts';
import { fieldNames } from './template.ts';
import type { ApiAdapter } from './api-adapter.ts';

/** What was entered for a description. `secrets` are the secret variables that have a value. */
type Entered = { variables?: Readonly<Record<string, string>>; secrets?: readonly string[] };

/** An interface as the screens show it. */
export function createInterfaceSummary(
  adapter: ApiAdapter,
  { digest, variables, secrets }: Entered & { digest?: string } = {},
): InterfaceSummary {
  const { description, features } = adapter;
  const [registration] = features.registrations;
  return {
    name: description.name,
    ...(description.about !== undefined && { about: description.about }),
    ...(digest !== undefined && { digest }),
    calls: {
      ...(registration && { register: adapter.formatCall(registration) }),
      login: adapter.formatCall('login'),
      profile: adapter.formatCall('profile'),
      ...(features.logout && { logout: adapter.formatCall('logout') }),
      ...(features.refresh && { refresh: adapter.formatCall('refresh') }),
    },
    registrations: [...features.registrations],
    fields: fieldNames.filter((name) => features.fields.has(name)),
    ...(features.byUsername && { byUsername: true as const }),
    logout: features.logout,
    cookie: features.cookie,
    ...accountFeatures(adapter),
    variables: Object.entries(description.variables).map(([name, variable]) => {
      const { secret = false, default: usual } = variable;
      const value = secret ? undefined : variables?.[name];
      return {
        name,
        secret,
        description: variable.description,
        isSet: secret ? (secrets?.includes(name) ?? false) : value !== undefined || usual !== undefined,
        value,
        usual,
      };
    }),
  };
}

function accountFeatures(adapter: ApiAdapter): { account?: AccountFeatures } {
  const { kind } = adapter.secondFactor;
  const sendsPassword = (name: 'changePassword' | 'deleteAccount'): boolean =>
    adapter.fieldNamesOf(name).includes('password');
  const account: AccountFeatures = {
    ...(kind !== 'none' && { secondFactor: kind }),
    ...(adapter.hasAccountCall('changePassword') && { changePassword: { current: sendsPassword('changePassword') } }),
    ...(adapter.hasAccountCall('deleteAccount') && { deleteAccount: { password: sendsPassword('deleteAccount') } }),
    ...(adapter.hasAccountCall('forgotPassword') && { forgotPassword: true }),
    ...(adapter.hasAccountCall('resendConfirmation') && { resendConfirmation: true }),
  };
  return Object.keys(account).length > 0 ? { account } : {};
}
