/** The number of accounts that a run may make. A registration may make two, one for each path. */
export const accountLimits = { least: 2, usual: 8, most: 50 } as const;

/** Nobody gets mail at these (RFC 2606, RFC 6761). Some servers refuse the first, since no mail is sent to `.test`. */
export const reservedDomains = ['example.test', 'example.com'] as const;

export const longestEmailDomain = 200;

/** The most characters that say why something is accepted. */
export const longestReason = 1000;

const label = '[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?';
/** A name for the part of an address after the `@`. */
export const emailDomainPattern = new RegExp(`^${label}(?:\\.${label}){1,10}$`, 'i');
