import type { ParseKeys } from 'i18next';
import { t } from '../../../i18n.ts';

/** A field that many servers send, by its place under `profile.fields` in the locales. */
export type FieldName = ParseKeys extends infer Key
  ? Key extends `profile.fields.${infer Name}`
    ? Name
    : never
  : never;

/** The usual keys without their signs and capitals, and the field that each of them means. */
const usual: Readonly<Record<string, FieldName>> = {
  createdat: 'created',
  created: 'created',
  createdon: 'created',
  membersince: 'created',
  joinedat: 'created',
  miembrodesde: 'created',
  datejoined: 'created',
  registeredat: 'created',
  fechacreacion: 'created',
  fecharegistro: 'created',
  date: 'date',
  fecha: 'date',
  updatedat: 'updated',
  updated: 'updated',
  modifiedat: 'updated',
  fechaactualizacion: 'updated',
  deletedat: 'deleted',
  emailverifiedat: 'emailConfirmed',
  emailverified: 'emailConfirmed',
  verified: 'confirmed',
  isverified: 'confirmed',
  lastlogin: 'lastLogin',
  lastloginat: 'lastLogin',
  ultimoacceso: 'lastLogin',
  lastseen: 'lastLogin',
  lastseenat: 'lastLogin',
  iss: 'issuer',
  sub: 'subject',
  aud: 'audience',
  jti: 'tokenId',
  iat: 'issued',
  exp: 'ends',
  expiresat: 'ends',
  nbf: 'validFrom',
  role: 'role',
  rol: 'role',
  roles: 'roles',
  permissions: 'permissions',
  permisos: 'permissions',
  scopes: 'permissions',
  phone: 'phone',
  phonenumber: 'phone',
  mobile: 'phone',
  telefono: 'phone',
  celular: 'phone',
  locale: 'language',
  language: 'language',
  lang: 'language',
  idioma: 'language',
  timezone: 'timeZone',
  tz: 'timeZone',
  zoneinfo: 'timeZone',
  avatar: 'picture',
  avatarurl: 'picture',
  picture: 'picture',
  photo: 'picture',
  foto: 'picture',
  username: 'userName',
  nickname: 'nickname',
  firstname: 'firstName',
  givenname: 'firstName',
  lastname: 'lastName',
  familyname: 'lastName',
  apellido: 'lastName',
  apellidos: 'lastName',
  address: 'address',
  direccion: 'address',
  city: 'city',
  ciudad: 'city',
  country: 'country',
  pais: 'country',
  birthdate: 'birthday',
  birthday: 'birthday',
  dateofbirth: 'birthday',
  fechanacimiento: 'birthday',
  gender: 'gender',
  genero: 'gender',
  bio: 'about',
  about: 'about',
  company: 'company',
  empresa: 'company',
  active: 'active',
  isactive: 'active',
  activo: 'active',
  status: 'state',
  estado: 'state',
  preferences: 'preferences',
  settings: 'preferences',
  preferencias: 'preferences',
  newsletter: 'newsletter',
  theme: 'theme',
  addresses: 'addresses',
  direcciones: 'addresses',
  street: 'street',
  calle: 'street',
  postalcode: 'postalCode',
  zip: 'postalCode',
  codigopostal: 'postalCode',
  plan: 'plan',
  subscription: 'plan',
  suscripcion: 'plan',
  seats: 'seats',
  until: 'until',
  features: 'features',
  billing: 'billing',
  card: 'card',
  period: 'period',
  balance: 'balance',
  saldo: 'balance',
  channels: 'channels',
  secondphone: 'secondPhone',
  twofactor: 'twoFactor',
  twofactorenabled: 'twoFactor',
  mfaenabled: 'twoFactor',
  apikey: 'apiKey',
  website: 'website',
  url: 'website',
};

const longestKey = 60;

const foldedOf = (key: string): string => key.toLowerCase().replaceAll(/[^a-z\d]/g, '');

/** What a field means by its key, if that is a usual one. */
export const meaningOf = (key: string): FieldName | undefined => {
  const folded = foldedOf(key);
  return Object.hasOwn(usual, folded) ? usual[folded] : undefined;
};

/** What the interface knows itself. */
const own: Readonly<Record<string, 'id' | 'name' | 'email'>> = { id: 'id', name: 'name', email: 'email' };

/** Names a field for people: in the language of the window where it is a usual one, else by the words of its key. */
export function fieldLabel(key: string): string {
  const meaning = meaningOf(key);
  if (meaning !== undefined) return t(`profile.fields.${meaning}`);
  const known = Object.hasOwn(own, key) ? own[key] : undefined;
  if (known) return t(`profile.${known}`);
  const shown = Array.from(key);
  const words = (shown.length > longestKey ? `${shown.slice(0, longestKey).join('')}…` : key)
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim()
    .toLowerCase();
  return words === '' ? key : words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
