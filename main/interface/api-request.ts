import type { Credential } from './credential.ts';
import type { Encoding } from './request-body.ts';
import type { PlaceholderValues } from './template.ts';

export type Headers = readonly (readonly [name: string, value: string])[];

/** A request to send: an absolute URL, and headers in the order in which they are written. */
export type ApiRequest = {
  method: string;
  url: string;
  headers: Headers;
  body?: string | undefined;
  /** The passwords in the URL, as they were typed. */
  secretsInUrl?: readonly string[];
  /** The secret values in the body, whatever the names of their members. */
  secretsInBody?: readonly string[];
};

/** What a request has beyond the description. */
export type RequestOptions = {
  /** By the names of the form's fields. A string is sent as it is. */
  fields?: PlaceholderValues | string | undefined;
  credential?: Credential | undefined;
  /** Replaces the scheme of the description. */
  scheme?: string | undefined;
  /** Added after all others. */
  headers?: Headers | undefined;
  method?: string | undefined;
  /** Replaces the path of the call, after the base URL. */
  path?: string | undefined;
  withoutAccept?: boolean | undefined;
  /** Replaces the encoding of the call. */
  encoding?: Encoding | undefined;
  /** The minimum size of the body in bytes: filled up with JSON whitespace, or with a further form field. */
  paddedTo?: number | undefined;
};
