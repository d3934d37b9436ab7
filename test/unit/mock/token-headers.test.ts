import { expect, it } from 'vitest';
import { findToken } from '../../../main/client/reading/token.ts';
import { tokenHeaders } from '../../../main/service/mock/allowed-headers.ts';

// The service stands alone and the client may not know it, so each has its own list.
it.each(tokenHeaders)('a token that a mock server gives in the header %s is found there', (name) => {
  const token = '12|aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0';
  expect(findToken('', '', { [name]: token })).toMatchObject({ value: token });
});
